"""The demo's programs with msdk: each is a process, or one after the other, whose lines are told as its own."""

from __future__ import annotations

import json
import os
import pathlib
import shlex
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

from process import spawn, stop

ROOT = pathlib.Path(__file__).resolve().parents[1]
BUILD = ROOT / ".build" / "release"
LIBRARIES = ROOT / (os.environ.get("MSDK_CACHE") or ".build/environments") / "credentials"
"""The engine for credentials and the reader of Indy ledgers, as `scripts/setup credentials` installs them."""
OPENED = {"MSDK_ANONCREDS_LIB": "libanoncreds.so", "MSDK_INDY_VDR_LIB": "libindy_vdr.so"}
PATIENCE = 90.0
"""Seconds for anything that another program should do."""

BEGIN = time.monotonic()


class Failure(Exception):
    """The story did not go on."""


def say(who: str, line: str) -> None:
    print(f"{time.monotonic() - BEGIN:6.1f} s  {who:<7}  {line}", flush=True)


class Program:
    """A program with a wallet of its own in `folder`: one process per life."""

    def __init__(self, name: str, folder: pathlib.Path, provisioning: dict[str, object], app: str = "python") -> None:
        self.name, self.folder, self.log = name, folder, folder / f"{name.lower()}.log"
        folder.mkdir()
        (folder / "provisioning.json").write_text(json.dumps(provisioning))
        libraries = {name: str(LIBRARIES / file) for name, file in OPENED.items()}
        self.environment = {**libraries, **os.environ, "HOME": str(folder)}
        self.environment["MSDK_LIBRARY"] = str(BUILD / "libmsdk.so")
        self.command = self._compiled() if app == "c" else self._interpreted()
        self.process: subprocess.Popen[bytes] | None = None

    def _interpreted(self) -> list[str]:
        script = str(ROOT / "demo" / f"{self.name.lower()}.py")
        if python := os.environ.get(f"{self.name.upper()}_PYTHON"):
            for each in ("MSDK_LIBRARY", *OPENED):
                del self.environment[each]
            return [*shlex.split(python), script]
        self.environment["PYTHONPATH"] = str(ROOT / "bindings" / "python")
        self.environment["PYTHONDONTWRITEBYTECODE"] = "1"
        return [sys.executable, script]

    def _compiled(self) -> list[str]:
        """Builds the C program as a user would, against the header and the library."""
        library = self.folder / "libmsdk.so.0"
        library.symlink_to(BUILD / "libmsdk.so")
        self.environment["LD_LIBRARY_PATH"] = str(self.folder)
        name = self.name.lower()
        program, source = self.folder / name, ROOT / "bindings" / "c" / f"{name}.c"
        flags = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O2", "-pthread", f"-I{ROOT / 'include'}"]
        subprocess.run(["gcc", *flags, str(source), str(library), "-ljansson", "-o", str(program)], check=True)
        return [str(program)]

    def start(self, command: str, *arguments: str) -> None:
        line = [*self.command, command, str(self.folder), *arguments]
        self.process = spawn(line, log=self.log, env=self.environment, piped=True)
        self._voice = threading.Thread(target=self._tell, args=(self.process,), daemon=True)
        self._voice.start()

    def _tell(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout is not None
        with process.stdout as lines:
            for line in lines:
                say(self.name, line.decode(errors="replace").rstrip())

    def check(self) -> None:
        """Raises when the program has ended with anything but success."""
        if self.process is not None and self.process.poll() not in (None, 0):
            raise Failure(f"{self.name}'s program ended with status {self.process.returncode}")

    def finish(self, beside: Callable[[], Any] = lambda: None) -> None:
        """Waits for the program's end. Raises `Failure` if it fails, and lets errors of `beside` through."""
        assert self.process is not None
        end = time.monotonic() + PATIENCE
        while self.process.poll() is None:
            beside()
            if time.monotonic() > end:
                raise Failure(f"{self.name}'s program does not end")
            time.sleep(0.02)
        self._voice.join()
        self.check()

    def stop(self) -> None:
        stop(self.process)
