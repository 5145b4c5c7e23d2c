"""Alice as the tests see her: a process with the library, asked one thing at a time, killed and started again."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any, Self

from process import PeerError, close_pipes, kill, spawn, stop

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).resolve().parent
UNREAD = "MS-103"

FAILED, REQUESTED, COMPLETED = 0, 3, 4


class AliceError(Exception):
    """The library refused: `code` is its error code, `cause` its reason."""

    def __init__(self, code: int, cause: str) -> None:
        super().__init__(f"{code}: {cause}")
        self.code, self.cause = code, cause


class Alice:
    """A process with the library. Its wallet lives in `home` and outlives it."""

    def __init__(self, home: pathlib.Path) -> None:
        self.home, self.log = home, home / "alice.log"
        self.config: Any = None
        self.listens = False
        """Whether a process that `restart` starts listens to its messages at once."""
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        paths = os.pathsep.join([str(ROOT / "bindings" / "python"), str(HERE)])
        environment = {**os.environ, "HOME": str(self.home), "PYTHONPATH": paths}
        command = [sys.executable, str(HERE / "driver.py")]
        self._process = spawn(command, log=self.log, env=environment, piped=True, fed=True)

    def stop(self) -> None:
        self._end(stop)

    def kill(self) -> None:
        """As when the phone's battery is taken out."""
        self._end(kill)

    def _end(self, how: Callable[[subprocess.Popen[bytes] | None], None]) -> None:
        process, self._process = self._process, None
        how(process)
        close_pipes(process)

    def restart(self) -> None:
        """Another process, with the wallet of the one before."""
        self._end(stop)
        self.start()
        self.ask("init", self.config)
        if self.listens:
            self.ask("listen")

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def ask(self, command: str, *arguments: Any) -> Any:
        """One call of the library. Raises `AliceError` when it is refused, `PeerError` when the process is gone."""
        self.post(command, *arguments)
        return self.answer(command)

    def answer(self, command: str) -> Any:
        """The result of a call that was begun, the oldest first. Raises as `ask` does."""
        assert self._process is not None and self._process.stdout
        line = self._process.stdout.readline()
        if not line:
            raise PeerError(f"{command}: the process ended", self.log)
        answer = json.loads(line)
        if "error" in answer:
            raise AliceError(*answer["error"])
        return answer["result"]

    def post(self, command: str, *arguments: Any) -> None:
        """Begins a call. `answer` waits for its result, unless the process is killed meanwhile."""
        assert self._process is not None and self._process.stdin
        self._process.stdin.write(json.dumps([command, arguments]).encode() + b"\n")
        self._process.stdin.flush()

    # Steps that many tests share

    def provision(self, agency: dict[str, Any], token: Any = None) -> None:
        """Provisions with a fast key derivation (the wallet's own tests cover the others) and initialises."""
        raw = "8dvfYSt5d1taSd6yJdpjq4emkwsPDDLYxkNFysFD2cZY"
        wallet = {"wallet_name": "alice", "wallet_key": raw, "wallet_key_derivation": "RAW"}
        self.config = self.ask("provision", {**agency, **wallet, "institution_name": "Alice"}, token)
        self.ask("init", self.config)

    def accept(
        self, name: str, invitation: Any, handshake: str | None = None, did_method: str | None = None
    ) -> None:
        """Takes up an invitation and sends the request, by the invitation's first handshake or by the one named."""
        self.ask("create", name, invitation)
        self.ask("connect", name, self._options(handshake, did_method))

    def invite(
        self, name: str, kind: str, handshake: str | None = None, did_method: str | None = None, **more: Any
    ) -> Any:
        """Makes an invitation: "c_i" is RFC 0160's form, "oob" RFC 0434's, with all handshakes or the one named."""
        self.ask("invite", name, kind == "oob", more)
        return self.ask("connect", name, self._options(handshake, did_method))

    @staticmethod
    def _options(handshake: str | None, did_method: str | None) -> dict[str, str] | None:
        options = {"handshake_protocol": handshake, "use_did_method": did_method}
        return {name: value for name, value in options.items() if value} or None

    def complete(self, name: str, timeout: float = 20) -> None:
        """Polls until the connection is complete."""
        wait_until("the connection to complete", lambda: self.ask("update", name) == COMPLETED, timeout)

    def receive(self, name: str, kind: str, timeout: float = 20) -> Any:
        """The first unread message of a kind; it stays unread."""

        def find() -> Any:
            return next((m for m in self.ask("download", name, UNREAD) if m["kind"] == kind), None)

        return wait_until(f"a message of kind {kind}", find, timeout)

    def heard(self, kind: str = "message") -> list[str]:
        """The texts of the messages of a kind that the library has told of since `listen`, in their order."""
        return [message["text"] for message in self.ask("heard_so_far") if message["kind"] == kind]

    def unread(self, name: str, kind: str) -> int:
        return sum(message["kind"] == kind for message in self.ask("download", name, UNREAD))


def wait_until(what: str, test: Callable[[], Any], timeout: float) -> Any:
    """Asks until the answer is true, and returns it."""
    end = time.monotonic() + timeout
    while not (answer := test()):
        if time.monotonic() > end:
            raise PeerError(f"timeout waiting for {what}")
        time.sleep(0.1)
    return answer
