"""The example university with a student whose wallet is a program with the library: connect, issue, verify, revoke, refuse."""

from __future__ import annotations

import contextlib
import json
import pathlib
import re
import urllib.error
import urllib.parse
import xml.etree.ElementTree

import pytest

from agency import Agency
from alice import Alice, AliceError, wait_until
from backends import University
from browser import Browser
from holder import library


class Student:
    """The student's wallet, which reads the university's registry over HTTP."""

    def __init__(self, alice: Alice, endpoint: str) -> None:
        self.alice = alice
        alice.config = json.loads(alice.config) if isinstance(alice.config, str) else alice.config
        registry = {"type": "http", "url": f"{endpoint}/registry"}
        alice.config |= {"anoncreds_library_path": library("libanoncreds.so"), "anoncreds_registries": [registry]}
        alice.restart()

    def connect(self, link: str) -> None:
        self.alice.accept("university", self.alice.ask("resolve", link))
        self.alice.complete("university", 60)

    def take(self) -> None:
        message = self.alice.receive("university", "credential-offer", 60)
        self.alice.ask("take_offer", "diploma", "university", message["uid"])
        self.alice.ask("credential", "diploma", "accept", {"connection": "university"})
        self.alice.ask("mark_read", message)
        self.alice.ask("credential", "diploma", "stored", 60)

    def asked(self, proof: str) -> None:
        message = self.alice.receive("university", "presentation-request", 60)
        self.alice.ask("take_request", proof, "university", message["uid"])
        self.alice.ask("mark_read", message)

    def prove(self) -> None:
        self.asked("first")
        assert self.alice.ask("choose_first", "first", {}) == ["attribute_0", "predicate_0"]
        self.alice.ask("proof", "first", "send", {"connection": "university"})

    def prove_in_vain(self) -> None:
        """From the revoked diploma. The wallet notices it, unless it still has the status from before the revocation."""
        self.asked("second")
        with contextlib.suppress(AliceError):
            self.alice.ask("choose_any", "second")
            self.alice.ask("proof", "second", "send", {"connection": "university"})


def test_a_diploma_from_the_code_to_the_revocation(alice: Alice, agency: Agency, tmp_path: pathlib.Path) -> None:
    (tmp_path / "university").mkdir()
    with University(tmp_path / "university", agency.endpoint) as university:
        endpoint, browser = university.endpoint, Browser(university.endpoint)
        assert "Get the diploma" in browser.open("/")
        browser.open("/students", {"name": "Alice <Andersen>", "degree": "History", "year": "2025"})
        assert "Alice &lt;Andersen&gt;" in browser.page and "<Andersen>" not in browser.page
        page, link = browser.address, browser.invitation
        shown = re.search(r'code\.svg"[^>]* width="(\d+)" height="(\d+)"', browser.page)
        side = int((xml.etree.ElementTree.fromstring(browser.open(f"{page}/code.svg")).get("viewBox") or "").split()[2])
        assert shown is not None and shown[1] == shown[2] and int(shown[1]) >= 4 * side
        student = Student(alice, endpoint)
        student.connect(link)
        student.take()
        browser.address = page
        assert "It is in your wallet." in browser.wait("issued none")
    assert university.status == 0

    again = University(tmp_path / "university", agency.endpoint, urllib.parse.urlsplit(endpoint).port or 0)
    with again:
        assert "It is in your wallet." in browser.open(page)
        browser.open(f"{page}/proofs", {})
        student.prove()
        assert "Come in, Alice &lt;Andersen&gt;, History." in browser.wait("issued passed")

        assert "Revoke" in browser.open("/registrar")
        browser.open(f"{page}/revoke", {})
        assert browser.address.endswith("/registrar") and ">revoked<" in browser.page
        wait_until("the revocation", lambda: alice.ask("credential", "diploma", "is_revoked"), 60)
        browser.open(f"{page}/proofs", {})
        student.prove_in_vain()
        assert "No entry" in browser.wait("revoked refused")

        # A wallet that knows of the revocation may say nothing.
        browser.open(f"{page}/proofs", {})
        assert "No entry: your diploma was revoked." in browser.wait("revoked refused")
    assert again.status == 0


def test_one_process_serves_two_universities(alice: Alice, agency: Agency, tmp_path: pathlib.Path) -> None:
    with University(tmp_path, agency.endpoint, names=("north", "south")) as universities:
        north, south = map(Browser, universities.endpoints(2))
        for university, name in ((north, "Nora"), (south, "Alice")):
            university.open("/students", {"name": name, "degree": "History", "year": "2025"})
        page, link = south.address, south.invitation
        with pytest.raises(urllib.error.HTTPError, match="404"):
            north.open(urllib.parse.urlsplit(page).path)
        student = Student(alice, universities.endpoints(2)[1])
        student.connect(link)
        student.take()
        south.address = page
        assert "It is in your wallet." in south.wait("issued none")
        assert "waits for the wallet" in north.open("/registrar") and "Alice" not in north.page
        south.open(f"{page}/proofs", {})
        student.prove()
        assert "Come in, Alice, History." in south.wait("issued passed")
    assert universities.status == 0


def test_strangers_are_refused(agency: Agency, tmp_path: pathlib.Path) -> None:
    with University(tmp_path, agency.endpoint) as university:
        browser, form = Browser(university.endpoint), {"name": "Alice", "degree": "History", "year": "2025"}

        def status(path: str, form: dict[str, str] | None = None, **headers: str) -> int:
            with pytest.raises(urllib.error.HTTPError) as refused:
                browser.open(path, form, **headers)
            with refused.value as answer:
                return answer.code

        assert status("/students/unknown") == status("/students/unknown/state") == status("/nothing") == 404
        assert status("/registry/../wallet-key") == status("/registry/..%2Fwallet-key") == 404
        assert status("/students", {**form, "degree": "Magic"}) == status("/students", {**form, "year": "x"}) == 400
        assert status("/students", form, Sec_Fetch_Site="cross-site") == 403
        assert status("/students/unknown/revoke", {}) == 404
        for kind in ("charset=no-such-charset", "charset=punycode", "charset=unicode_escape"):
            assert status("/students", form, Content_Type=f"application/x-www-form-urlencoded; {kind}") == 400
        assert status("/students", form, Content_Type="multipart/form-data; boundary=x") == 400

        # Browsers send no Sec-Fetch-Site to http sites of other machines.
        revoke = "/students/unknown/revoke"
        for origin in ("http://evil.example", "null", university.endpoint + ".evil.example", "http://127.0.0.1:1", ""):
            assert status(revoke, {}, Origin=origin) == 403
        assert status(revoke, {}, Origin=university.endpoint) == 404
        assert status(revoke, {}, Origin=university.endpoint, Sec_Fetch_Site="cross-site") == 403
    assert university.status == 0
    mode = (tmp_path / "data" / "wallet-key").stat().st_mode
    assert mode & 0o077 == 0 and "wallet_key\": null" in (tmp_path / "data" / "config.json").read_text()
