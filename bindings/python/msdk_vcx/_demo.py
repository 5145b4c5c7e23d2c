"""The demo: Alice and Faber, two programs with msdk, meet. Faber issues a credential to her, and she proves from it.

    python -m msdk_vcx demo

It runs an agency, and each program in a process of its own. Everything is on this machine, and is gone when it ends.
Credentials need the engine, the package `anoncreds` of PyPI; without it the demo ends with the connection.
"""

from __future__ import annotations

import base64
import contextlib
import json
import pathlib
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from typing import IO, Any, Optional

from . import _programs
from ._library import has_engine

PATIENCE = 240.0
"""Seconds for anything that a program waits for. Making the keys of an issuer takes long on a busy computer."""

BEGIN = time.monotonic()


def tell(name: str, line: str) -> None:
    print(f"{time.monotonic() - BEGIN:6.1f} s  {name:<6}  {line}", flush=True)


def say(line: str) -> None:
    """Tells the demo a line, from one of its programs."""
    print(line, flush=True)


class Failure(Exception):
    """The story did not go on."""


@contextlib.contextmanager
def agency(folder: pathlib.Path) -> Iterator[Mapping[str, str]]:
    """Runs msdk-agency on a free port. Gives the settings for provisioning."""
    program = _programs.path("msdk-agency")
    if program is None:
        raise Failure("this installation of msdk-vcx has no msdk-agency; a wheel of `make wheel` has it")
    with open(folder / "agency.log", "wb") as log:
        command = [str(program), "--port", "0", "--data", str(folder / "agency")]
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log)
    with process, ending(process):
        assert process.stdout is not None
        line = process.stdout.readline()
        if not line:
            raise Failure(f"msdk-agency did not start: {(folder / 'agency.log').read_text()}")
        facts = json.loads(line)
        yield {f"agency_{name}": facts[name] for name in ("endpoint", "did", "verkey")}


@contextlib.contextmanager
def ending(process: subprocess.Popen[bytes]) -> Iterator[None]:
    """Ends the process with the block."""
    try:
        yield
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()


class Program:
    """One side of the story: a process whose lines are told as its own."""

    def __init__(self, name: str, folder: pathlib.Path, settings: Mapping[str, Any], *choices: str) -> None:
        self.name = name
        wallet = {"wallet_name": name.lower(), "wallet_key": f"a key only {name} knows", "institution_name": name}
        home = folder / name.lower()
        home.mkdir()
        storage = {"storage_config": {"path": str(home / "wallets")}}
        (home / "provisioning.json").write_text(json.dumps({**settings, **wallet, **storage}))
        command = [sys.executable, "-m", f"{__package__}._demo_{name.lower()}", str(home), *choices]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self.process.stdin is not None and self.process.stdout is not None
        self.link: Optional[str] = None
        self.has_invited = threading.Event()
        self.input: IO[bytes] = self.process.stdin
        self.voice = threading.Thread(target=self._tell, args=(self.process.stdout,), daemon=True)
        self.voice.start()

    def _tell(self, lines: IO[bytes]) -> None:
        with lines:
            for line in map(str.rstrip, map(bytes.decode, lines)):
                if line.startswith("http"):
                    self.link = line
                    self.has_invited.set()
                    tell(self.name, f"invites: {line[:60]}…")
                else:
                    tell(self.name, line)
        self.has_invited.set()

    def invitation(self) -> str:
        """The URL that the program prints as a line."""
        self.has_invited.wait(PATIENCE)
        if self.link is None:
            raise Failure(f"{self.name} made no invitation")
        return self.link

    def accept(self, link: str) -> None:
        with self.input:
            self.input.write(link.encode() + b"\n")

    def finish(self) -> None:
        """Waits for the end of the program, which must be a good one."""
        if self.process.wait(PATIENCE) != 0:
            raise Failure(f"{self.name}'s program ended with status {self.process.returncode}")
        self.voice.join()


def story(stack: contextlib.ExitStack, folder: pathlib.Path) -> None:
    settings: Mapping[str, Any] = stack.enter_context(agency(folder))
    tell("Agency", f"keeps the mailboxes at {settings['agency_endpoint']}")
    registry = {"type": "file", "path": str(folder / "registry"), "write": True}
    settings = {**settings, "anoncreds_registries": [registry]}
    choices = ["credentials"] if has_engine() else []
    if not choices:
        tell("Demo", "has no engine for credentials: pip install anoncreds")
    faber, alice = (Program(name, folder, settings, *choices) for name in ("Faber", "Alice"))
    for process in (faber.process, alice.process):
        stack.enter_context(process)
        stack.enter_context(ending(process))
    alice.accept(faber.invitation())
    alice.finish()
    faber.finish()


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="msdk-demo-") as folder, contextlib.ExitStack() as stack:
        try:
            story(stack, pathlib.Path(folder))
        except KeyboardInterrupt:
            return 130
        except (Failure, OSError, subprocess.SubprocessError) as error:
            tell("Demo", f"FAILED: {error}")
            return 1
    tell("Demo", "done")
    return 0


def link_of(invitation: Mapping[str, Any], address: str) -> str:
    """The URL of an out-of-band invitation, as a QR code would show it."""
    return f"{address}?oob={base64.urlsafe_b64encode(json.dumps(invitation).encode()).decode()}"
