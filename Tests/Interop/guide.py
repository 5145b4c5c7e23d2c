"""The programs of the guide: the blocks of a page, one after the other, as a reader copies them."""

from __future__ import annotations

import os
import pathlib
import queue
import re
import subprocess
import sys
import threading
import time
from typing import Any

from agency import ROOT
from process import PeerError

PAGES = sorted((ROOT / "docs" / "guide").glob("*.md"))


def program(page: str) -> str:
    """The program of a page; empty if the page has none."""
    text = (ROOT / "docs" / "guide" / f"{page}.md").read_text()
    return "".join(re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))


class Running:
    """A program of the guide, as a person sees it in a terminal."""

    def __init__(self, folder: pathlib.Path, page: str, *arguments: str) -> None:
        (folder / f"{page}.py").write_text(program(page))
        self._errors = folder / f"{page}-{arguments[0]}-{time.monotonic_ns()}.txt"
        python = {"PYTHONPATH": str(ROOT / "bindings" / "python"), "PYTHONDONTWRITEBYTECODE": "1"}
        with self._errors.open("w") as errors:
            self._process: subprocess.Popen[str] = subprocess.Popen(
                [sys.executable, f"{page}.py", *arguments],
                cwd=folder, env={**os.environ, **python}, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True,
            )
        self.lines: list[str] = []
        self._arriving: queue.Queue[str] = queue.Queue()
        self._reader = threading.Thread(target=self._gather, daemon=True)
        self._reader.start()

    def _gather(self) -> None:
        for line in self._process.stdout or ():
            self._arriving.put(line.rstrip("\n"))

    def line(self, beginning: str, timeout: float = 120) -> str:
        """The next line with this beginning."""
        end = time.monotonic() + timeout
        while True:
            try:
                self.lines.append(self._arriving.get(timeout=max(0, end - time.monotonic())))
            except queue.Empty:
                self.stop()
                raise PeerError(f"no line {beginning!r} after {self.lines}: {self.log}") from None
            if self.lines[-1].startswith(beginning):
                return self.lines[-1]

    def type(self, text: str) -> None:
        print(text, file=self._process.stdin, flush=True)

    def end(self, timeout: float = 120) -> list[str]:
        """All lines of the program, which has to end well."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            status: Any = self._process.wait(timeout)
        except subprocess.TimeoutExpired:
            status = "no end"
            self.stop()
        if status != 0:
            raise PeerError(f"{status} after {self.lines}: {self.log}")
        self._reader.join(timeout)
        while not self._arriving.empty():
            self.lines.append(self._arriving.get())
        return self.lines

    @property
    def log(self) -> str:
        return self._errors.read_text()

    def stop(self) -> None:
        self._process.kill()
        self._process.wait()
