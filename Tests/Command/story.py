"""The story of a diploma: a student at a terminal of 80 columns and 24 lines, and the university's pages in a browser."""

from __future__ import annotations

import json
import pathlib
import re
import time
from collections.abc import Callable

from agency import Agency
from browser import Browser
from command import DONE, FAILED, run_on_terminal_of

COLUMNS, LINES = 80, 24
PATIENCE = "20"
"""Seconds until an offer or a request is there."""


class Student:
    """A person who types, and reads the terminal."""

    def __init__(self, home: pathlib.Path) -> None:
        home.mkdir()
        self.home = home
        self.screen: list[str] = []
        """The lines of the terminal."""

    def types(self, *words: str, prompt: str = "", status: int = DONE) -> str:
        """A command, and "y" at its prompt. Returns what the terminal shows."""
        answers = [(prompt, "y\n")] if prompt else []
        ran = run_on_terminal_of((LINES, COLUMNS), self.home, list(words), answers, {})
        assert ran.status == status, ran.output
        shown = re.sub(r"\r\x1b\[K(msdk: [^\r\n]*)?", "", ran.output).replace("\r", "")  # without the seconds of waiting
        line = " ".join(f"'{word}'" if re.search(r"[^\w./:-]", word) else word for word in words)
        self.screen += [f"$ msdk {line}", *shown.splitlines()]
        return shown

    def reads(self, registry: str) -> None:
        """Puts the place where the university publishes into the configuration."""
        path = self.home / ".config" / "msdk" / "config.json"
        registries = [{"type": "http", "url": registry}]
        path.write_text(json.dumps({**json.loads(path.read_text()), "anoncreds_registries": registries}))


Picture = Callable[[str, str], None]
"""Takes a picture with this name of the page at this address."""


def tell(agency: Agency, browser: Browser, student: Student, picture: Picture = lambda name, address: None) -> None:
    """The student gets a diploma, shows it, and cannot show it any more once it is revoked."""
    student.types("provision", agency.endpoint, "--name", "Alice")
    student.reads(f"{browser.endpoint}/registry")
    assert "ok     AnonCreds engine" in student.types("doctor")
    picture("begin", browser.endpoint)
    browser.open("/students", {"name": "Alice Andersen", "degree": "History", "year": str(time.gmtime().tm_year)})
    page, registrar = browser.address, f"{browser.endpoint}/registrar"
    picture("connect", page)

    student.types("connect", browser.invitation, "--as", "university", prompt="Connect? [y/N] ")
    browser.wait("offered none")
    assert "university offers a credential: diploma" in student.types("offers", "--timeout", PATIENCE)
    assert "The credential is in the wallet." in student.types("accept", "1", prompt="Accept it? [y/N] ")
    browser.wait("issued none")
    assert "degree  History" in student.types("credentials")

    browser.open(f"{page}/proofs", {})
    assert "without showing the value" in student.types("proofs", "--timeout", PATIENCE)
    assert "has confirmed the proof" in student.types("present", "2", prompt="Show this? [y/N] ")
    browser.address = page
    assert "Come in, Alice Andersen, History." in browser.wait("issued passed")
    picture("enter", page)

    browser.open(f"{page}/revoke", {})
    assert student.types("inbox").startswith("university (`msdk credential ")
    picture("registrar", registrar)
    browser.open(f"{page}/proofs", {})
    student.types("proofs", "--timeout", PATIENCE)
    student.types("present", "3", status=FAILED)
    student.types("decline", "3", "--reason", "it was revoked")
    browser.address = page
    assert "No entry" in browser.wait("revoked refused")
    picture("refused", page)
    assert "is forgotten" in student.types("forget", "university")
