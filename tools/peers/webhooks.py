"""Receives the events of an ACA-Py agent: pings and messages that it got, and changes of state."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from typing import Any

from loopback import Handler, LoopbackServer

Event = dict[str, Any]


class Webhooks(LoopbackServer):
    """A small HTTP server that keeps every event, each with its `topic`, in the order of arrival."""

    def __init__(self) -> None:
        self._events: list[Event] = []
        self._changed = threading.Condition()
        super().__init__(self._handler())
        self.url = self.endpoint

    def _handler(self) -> type[Handler]:
        keep = self._keep

        class Events(Handler):
            def do_POST(self) -> None:
                keep({**json.loads(self.body()), "topic": self.path.strip("/").removeprefix("topic/")})
                self.answer()

        return Events

    def _keep(self, event: Event) -> None:
        with self._changed:
            self._events.append(event)
            self._changed.notify_all()

    def find(self, topic: str, test: Callable[[Event], bool]) -> list[Event]:
        """The events so far of a topic that pass the test."""
        with self._changed:
            return [event for event in self._events if event["topic"] == topic and test(event)]

    def wait(self, topic: str, test: Callable[[Event], bool], timeout: float) -> Event | None:
        """The first event of a topic that passes the test, already here or to come; None when the time is over."""
        end = time.monotonic() + timeout
        while not (found := self.find(topic, test)):
            with self._changed:
                if not self._changed.wait(max(0.0, min(0.2, end - time.monotonic()))) and time.monotonic() >= end:
                    return None
        return found[0]
