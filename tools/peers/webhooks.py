"""Receives the events of an ACA-Py agent: pings and messages that it got, and changes of state."""

from __future__ import annotations

import http.server
import json
import threading
import time
from collections.abc import Callable
from typing import Any

Event = dict[str, Any]


class Webhooks:
    """A small HTTP server that keeps every event, each with its `topic`, in the order of arrival."""

    def __init__(self) -> None:
        self._events: list[Event] = []
        self._changed = threading.Condition()
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def _handler(self) -> type[http.server.BaseHTTPRequestHandler]:
        keep = self._keep

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                keep({**body, "topic": self.path.strip("/").removeprefix("topic/")})
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """Says nothing."""

        return Handler

    def _keep(self, event: Event) -> None:
        with self._changed:
            self._events.append(event)
            self._changed.notify_all()

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

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
