"""Runs the example backends: the sponsor, who gives tokens and is told of messages, the push relay, and the university.

They live in the environments that `scripts/setup sponsor push-relay university` makes.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
import pathlib
import subprocess
import threading
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Sequence
from typing import Any, Self

from process import PeerError, first_line, spawn, stop

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"


def python(example: str) -> pathlib.Path:
    """The interpreter of an example's environment."""
    cache = pathlib.Path(os.environ.get("MSDK_CACHE") or ROOT / ".build/environments")
    found = cache / example / "bin" / "python"
    if not found.exists():
        raise PeerError(f"{found} is missing: run scripts/setup {example}")
    return found


class Backend:
    """A process that prints a line of JSON when it is ready, and one for each thing that happens."""

    patience = 20.0
    """Seconds until it must be ready."""

    def __init__(self, example: str, program: str, folder: pathlib.Path, *arguments: str) -> None:
        self.log = folder / f"{example}.log"
        self.command = [str(python(example)), str(EXAMPLES / example / program), "--port", "0", *arguments]
        self.facts: dict[str, Any] = {}
        self.status: int | None = None
        """How the process ended: its exit status, or the negative number of a signal."""
        self._lines: list[Any] = []
        self._changed = threading.Condition()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def endpoint(self) -> str:
        return str(self.facts["endpoint"])

    def __enter__(self) -> Self:
        path = os.pathsep.join(filter(None, [str(ROOT / "bindings" / "python"), os.environ.get("PYTHONPATH")]))
        self._process = spawn(self.command, log=self.log, env={**os.environ, "PYTHONPATH": path}, piped=True)
        try:
            self.facts = json.loads(first_line(self._process, self.patience))
        except ValueError:
            self.__exit__()
            raise PeerError("an example backend did not start", self.log) from None
        self._reader = threading.Thread(target=self._read, args=(self._process,), daemon=True)
        self._reader.start()
        return self

    def __exit__(self, *_: object) -> None:
        stop(self._process)
        self.status = None if self._process is None else self._process.poll()
        if self._process is not None and self._process.stdout is not None:
            if hasattr(self, "_reader"):
                self._reader.join()
            self._process.stdout.close()
        self._process = None

    def _read(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout is not None
        while line := process.stdout.readline():
            with self._changed:
                self._lines.append(json.loads(line))
                self._changed.notify_all()

    def told(self, count: int, timeout: float = 20) -> list[Any]:
        """The things that have happened, once there are `count` or more."""
        end = time.monotonic() + timeout
        with self._changed:
            while len(self._lines) < count:
                if not self._changed.wait(end - time.monotonic()):
                    raise PeerError(f"{len(self._lines)} of {count} things happened", self.log)
            return list(self._lines)


class Sponsor(Backend):
    """The example sponsor."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.data = folder / "data"
        super().__init__("sponsor", "sponsor.py", folder, "--data", str(self.data))

    @property
    def secret(self) -> str:
        return (self.data / "webhook-secret").read_text().strip()

    def settings(self, **more: Any) -> dict[str, Any]:
        """An agency's settings in which this sponsor is the only one."""
        sponsor = {
            "id": self.facts["id"],
            "verkeys": [self.facts["verkey"]],
            "endpoint": f"{self.endpoint}/notifications",
            "webhook_secret": self.secret,
            **more,
        }
        return {"provisioning": "token", "sponsors": [sponsor]}

    def token(self, sponsee: str = "alice") -> dict[str, Any]:
        """A token, as the sponsor's app asks for it."""
        status, token = post(f"{self.endpoint}/generate", json.dumps({"sponseeId": sponsee}).encode())
        if status != 200:
            raise PeerError(f"the sponsor gave no token: {status}", self.log)
        return dict(token)


class University(Backend):
    """The example issuer and verifier. Its first start makes keys. Each further name is a university in the same process."""

    patience = 120.0

    def __init__(self, folder: pathlib.Path, agency: str, port: int = 0, names: Sequence[str] = ("data",)) -> None:
        self.data = folder / names[0]
        folders = [word for name in names for word in ("--data", str(folder / name))]
        super().__init__("university", "university.py", folder, "--agency", agency, *folders)
        self.command[self.command.index("--port") + 1] = str(port)

    def endpoints(self, count: int) -> list[str]:
        """The URLs of so many universities."""
        return [self.endpoint, *(str(each["endpoint"]) for each in self.told(count - 1, self.patience))]


def post(url: str, body: bytes, **headers: str) -> tuple[int, Any]:
    """The status, and the JSON of the answer where there is any."""
    request = urllib.request.Request(url, body, {name.replace("_", "-"): value for name, value in headers.items()})
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            status, text = answer.status, answer.read()
    except urllib.error.HTTPError as error:
        with error:
            status, text = error.code, error.read()
    return status, json.loads(text) if text else None


def signed(body: bytes, secret: str, name: str | None = None, at: int | None = None) -> dict[str, str]:
    """The headers of an agency's request: with a new id, and the time of now, unless they are given."""
    name, at = name or str(uuid.uuid4()), int(time.time()) if at is None else at
    code = hmac.new(secret.encode(), f"{name}.{at}.".encode() + body, hashlib.sha256).digest()
    signature = "v1," + base64.b64encode(code).decode()
    return {"webhook_id": name, "webhook_timestamp": str(at), "webhook_signature": signature}
