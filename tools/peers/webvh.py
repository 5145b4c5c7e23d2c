"""An issuer whose public objects lie under a DID of did:webvh on a web server of its own, made with the method's library for
Python.

    with WebVHIssuer(folder) as issuer:
        ids = issuer.ask("define", ["name", "age"])
"""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import urllib.parse
from typing import Any, Self

from loopback import Handler, LoopbackServer
from process import PeerError, close_pipes, spawn, stop

ROOT = pathlib.Path(__file__).resolve().parents[2]


def python() -> pathlib.Path:
    """The interpreter of the environment."""
    cache = pathlib.Path(os.environ.get("MSDK_CACHE") or ROOT / ".build/environments")
    found = cache / "webvh" / "bin" / "python"
    if not found.exists():
        raise PeerError(f"{found} is missing: run scripts/setup webvh")
    return found


class WebVHIssuer:
    """A process that publishes, and a server of its folder. The host's name ends with `.localhost`: the library for Python
    accepts only names of two parts."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder / "web"
        self.log = folder / "webvh.log"
        self._server = LoopbackServer(_handler(self.folder))
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self.folder.mkdir(parents=True)
        self._server.start()
        port = self._server.endpoint.rsplit(":", 1)[1]
        program = pathlib.Path(__file__).with_name("webvh_peer.py")
        command = [str(python()), str(program), str(self.folder), f"issuer.localhost%3A{port}:dids:1"]
        self._process = spawn(command, log=self.log, piped=True, fed=True)
        return self

    def __exit__(self, *_: object) -> None:
        stop(self._process)
        close_pipes(self._process)
        self._server.stop()

    def ask(self, command: str, *arguments: Any) -> Any:
        assert self._process is not None and self._process.stdin and self._process.stdout
        self._process.stdin.write(json.dumps([command, *arguments]).encode() + b"\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise PeerError("the issuer has ended", self.log)
        return json.loads(line)


def check(folder: pathlib.Path, did: str) -> Any:
    """The verdict of the method's library about a DID and its resources: see `webvh_check.py`."""
    program = pathlib.Path(__file__).with_name("webvh_check.py")
    made = subprocess.run([str(python()), str(program), str(folder), did], check=True, capture_output=True, timeout=120)
    return json.loads(made.stdout)


def _handler(folder: pathlib.Path) -> type[Handler]:
    class Files(Handler):
        def do_GET(self) -> None:
            file = folder / urllib.parse.unquote(self.path).lstrip("/")
            self.answer(200, file.read_bytes()) if file.is_file() else self.answer(404)

    return Files
