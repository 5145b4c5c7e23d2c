"""A real msdk-agency whose calls may fail, somebody who writes to a mailbox there, and its owner."""

from __future__ import annotations

import http.client
import json
import pathlib
import threading
from collections.abc import Callable, Mapping
from typing import Any

from agency import Agency
from envelope import JSON, Key, forward, pack
from faults import KILL, Control, Fault
from loopback import Handler, LoopbackServer
from peer import message, post
from performance import Stage, preload, require


class Receiver(LoopbackServer):
    """A server that is told of messages, and remembers of which."""

    def __init__(self) -> None:
        self.uids: set[str] = set()
        self._changed = threading.Condition()
        super().__init__(self._handler())
        self.start()
        self.url = self.endpoint + "/hook"

    def _handler(self) -> type[Handler]:
        receiver = self

        class Hook(Handler):
            def do_POST(self) -> None:
                body = json.loads(self.body())
                with receiver._changed:
                    receiver.uids.add(body["msgUid"])
                    receiver._changed.notify_all()
                self.answer()

        return Hook

    def wait_for(self, test: Callable[[set[str]], bool], timeout: float) -> bool:
        with self._changed:
            return self._changed.wait_for(lambda: test(self.uids), timeout)


class AgencyWorld:
    """The agency, the mailbox, and how many calls of each kind an operation makes when nothing fails."""

    def __init__(self, shim: pathlib.Path, folder: pathlib.Path, settings: Mapping[str, Any], stage: Stage) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.control = Control(folder / "control")
        self.agency = Agency(folder / "agency", settings, preload(shim, self.control)).start()
        self.receiver = Receiver()
        self.counts: dict[str, dict[str, int]] = {}
        self._stage, self._home = stage, folder / "owner"
        self._home.mkdir()
        provisioning = self.agency.provisioning(institution_name="Alice")
        (self._home / "agency.json").write_text(json.dumps(provisioning))
        (self._home / "hook").write_text(self.receiver.url)
        require(stage.ask("collect", "prepare", self._home), "while the mailbox was made")
        self._service = json.loads((self._home / "request.json").read_text())["connection"]["DIDDoc"]["service"][0]
        self._key = Key()

    def close(self) -> None:
        self.control.disarm()
        self.agency.stop()
        self.receiver.stop()

    def hear(self) -> None:
        """From now on the receiver is told of messages."""
        require(self._stage.ask("hear", "attempt", self._home, fault=None, number=0), "while the hook was set")

    def letter(self, content: str) -> JSON:
        """A message for the mailbox, packed."""
        recipient = self._service["recipientKeys"][0]
        packed = pack(message("basicmessage/1.0/message", content=content), [recipient], self._key)
        return forward(packed, recipient, self._service["routingKeys"])

    def deliver(self, letter: JSON) -> bool:
        """Whether the agency confirmed that it has taken the message."""
        try:
            post(self._service["serviceEndpoint"], letter)
            return True
        except TimeoutError as error:
            raise AssertionError("the agency does not answer") from error
        except (OSError, http.client.HTTPException):
            return False

    def collect(self) -> tuple[int, list[tuple[str, str]]]:
        """Uid and content of all messages, or the code of what refused them."""
        answer = self._stage.ask("collect", "attempt", self._home, fault=None, number=0)
        require(answer, "while the messages were fetched")
        return answer["facts"]["code"], [(uid, content) for uid, content in answer["facts"]["found"]]

    def revive(self, fault: Fault) -> None:
        """Whether the agency goes on; where the fault was to end it, it is started again."""
        process = self.agency.process
        assert process is not None
        if fault.action == KILL and self.control.struck:
            process.wait(10)
        if process.poll() is not None:
            assert fault.action == KILL, f"the agency ended with {process.poll()}"
            self.restart()

    def restart(self) -> None:
        """As after a power cut."""
        self.agency.kill()
        self.agency.start()
