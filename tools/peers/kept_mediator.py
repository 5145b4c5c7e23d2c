"""The stand-in of Credo's mediator as a process of its own, which keeps its state on the disk: it can be killed at any moment.

    with KeptMediator(folder, Rules(live="delivery")) as mediator:
        alice.provision(mediator.provisioning())
        mediator.kill()
        mediator.start()
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import pathlib
import subprocess
import sys
import threading
import urllib.parse
from typing import Any, Self

from credo_mediator import CredoMediator, Rules, name_of
from envelope import JSON, Key
from process import PeerError, close_pipes, first_line, kill, spawn, stop

EVENTS = ("request", "mediate-request", "keylist-update", "forward", "delivery-request", "messages-received")
"""The messages that change the state."""


class KeptMediator:
    """The process, on the port that it had before if there was one. Bare envelopes are not for it: they are not queued."""

    def __init__(self, folder: pathlib.Path, rules: Rules) -> None:
        self.folder, self.rules = folder, rules
        self.log = folder / "mediator.log"
        self.facts: JSON = {}
        self.process: subprocess.Popen[bytes] | None = None

    def start(self, timeout: float = 60) -> Self:
        self.folder.mkdir(parents=True, exist_ok=True)
        port = urllib.parse.urlsplit(self.facts["endpoint"]).port if self.facts else 0
        rules = json.dumps(dataclasses.asdict(self.rules))
        command = [sys.executable, __file__, str(self.folder), str(port), rules]
        self.process = spawn(command, log=self.log, piped=True, fed=True)
        line = first_line(self.process, timeout)
        if not line.endswith(b"\n"):
            raise PeerError("the mediator did not start", self.log)
        self.facts = json.loads(line)
        return self

    def stop(self) -> None:
        stop(self.process)
        self._forget()

    def kill(self) -> None:
        kill(self.process)
        self._forget()

    def _forget(self) -> None:
        close_pipes(self.process)
        self.process = None

    def ask(self, question: str) -> Any:
        """A number that the mediator knows: `waiting` or `live_clients`."""
        assert self.process is not None and self.process.stdin and self.process.stdout
        self.process.stdin.write(question.encode() + b"\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def provisioning(self, **more: Any) -> dict[str, Any]:
        return {"mediator_invitation": json.dumps(self.facts["invitation"]), **more}

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()


class Keeping(CredoMediator):
    """The mediator in its process. It appends each message to a file before that has an effect, and repeats their effects when
    it starts. Messages that were being sent count so after a restart too, if that is the rule."""

    def __init__(self, folder: pathlib.Path, port: int, rules: Rules) -> None:
        seeds = iter(hashlib.sha256(f"{folder} {number}".encode()).digest() for number in range(9))
        super().__init__(rules, port, lambda: Key(next(seeds)))
        self._file = folder / "events"
        if self._file.exists():
            with self._file.open() as lines:
                for line in lines:
                    if line.endswith("\n"):
                        self._repeat(*json.loads(line))
        self._events = self._file.open("a", buffering=1)

    def _keep(self, name: str, plain: JSON, sender: str | None) -> None:
        if name in EVENTS:
            self._events.write(json.dumps([plain, sender]) + "\n")

    def _repeat(self, plain: JSON, sender: str) -> None:
        name = name_of(plain)
        if name == "forward":
            self._forward(plain)
        else:
            self._answer(name, plain, sender)


def main() -> None:
    folder, port, rules = sys.argv[1:]
    chosen = json.loads(rules)
    mediator = Keeping(pathlib.Path(folder), int(port), Rules(**{**chosen, "pickup": tuple(chosen["pickup"])}))
    with mediator:
        print(json.dumps({"endpoint": mediator.endpoint, "invitation": mediator.invitation()}), flush=True)
        for line in sys.stdin:
            print(json.dumps(getattr(mediator, line.strip())), flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    main()
