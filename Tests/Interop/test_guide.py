"""The programs of docs/guide, run as the guide tells: Alice and Faber, each with a wallet, on one computer."""

from __future__ import annotations

import ast
import json
import os
import pathlib
import re
import subprocess
import sys
from collections.abc import Iterator

import pytest

from agency import ROOT, Agency
from guide import PAGES, Running, program
from webhooks import Webhooks

WITH_PROGRAM = [page.stem for page in PAGES if program(page.stem)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[pathlib.Path]:
    """The folder in which both have begun and are connected with each other."""
    folder = tmp_path_factory.mktemp("guide")
    with Agency(folder / "agency", {"private_webhooks": True}) as agency:
        for name in ("alice", "faber"):
            lines = Running(folder, "begin", name, agency.endpoint).end()
            assert lines == [f"{name} has a wallet, and a mailbox at {agency.endpoint}"]
        faber = Running(folder, "invite", "faber", "alice")
        lines = Running(folder, "connect", "alice", "faber", faber.line("https://")).end()
        assert lines[0] == "invited by faber for: To get to know each other"
        assert (lines[-1], faber.end()[-1]) == ("connected, state COMPLETED", "connected, state COMPLETED")
        yield folder


def test_no_example_of_the_guide_is_left_out() -> None:
    """An indented block would be shown, and not run."""
    for page in PAGES:
        prose = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
        assert re.findall(r"^    .*", prose, re.MULTILINE) == [], page


def test_every_program_is_whole_and_has_types(tmp_path: pathlib.Path) -> None:
    for page in WITH_PROGRAM:
        (tmp_path / f"{page}.py").write_text(program(page))
    types = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(ROOT / ".build" / "mypy")]
    done = subprocess.run(
        [*types, *(f"{page}.py" for page in WITH_PROGRAM)], cwd=tmp_path,
        env={"MYPYPATH": str(ROOT / "bindings" / "python")}, capture_output=True, text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_program_is_run_here() -> None:
    source = pathlib.Path(__file__).read_text()
    assert [page for page in WITH_PROGRAM if f'"{page}"' not in source] == []


def test_a_second_invitation_of_a_known_inviter_is_answered_with_the_connection(folder: pathlib.Path) -> None:
    faber = Running(folder, "invite", "faber", "nobody")
    try:
        lines = Running(folder, "connect", "alice", "again", faber.line("https://")).end()
        assert lines[-1] == "connected, state COMPLETED"
    finally:
        faber.stop()


def test_both_write_and_answer(folder: pathlib.Path) -> None:
    both = [Running(folder, "messages", "alice", "faber"), Running(folder, "messages", "faber", "alice")]
    for each in both:
        lines = each.end()
        for kind in ("message", "ping-response", "question", "answer"):
            assert any(line.startswith(f"{kind} ") for line in lines), (kind, lines)


def test_a_notification_leads_to_the_message(folder: pathlib.Path, webhooks: Webhooks) -> None:
    alice = Running(folder, "push", "alice", f"{webhooks.url}/topic/push")
    alice.line("the agency tells ")
    faber = Running(folder, "messages", "faber", "alice")
    event = webhooks.wait("push", lambda _: True, 20)
    assert event is not None
    alice.type(json.dumps({name: value for name, value in event.items() if name != "topic"}))
    assert alice.line("woken by ").split()[2] in ("ping", "message", "question")
    alice.end()
    faber.end()


def issue(folder: pathlib.Path) -> None:
    """Issues a credential to Alice, who takes it."""
    faber = Running(folder, "issue", "faber", "alice")
    faber.line("offered")
    lines = Running(folder, "hold", "alice", "faber").end()
    definition = faber.end()[-1].removeprefix("issued by ")
    offered, held = re.fullmatch(r"offered diploma (\{.*\})", lines[0]), re.fullmatch(r"holds (\{.*\}) of (.*)", lines[1])
    assert offered and held and held[2] == definition
    values = {"name": "Alice Andersen", "age": "28", "degree": "Maths"}
    assert ast.literal_eval(offered[1]) == ast.literal_eval(held[1]) == values
    assert "issue-credential" not in unread(folder, "faber")


def unread(folder: pathlib.Path, name: str) -> str:
    """The unread messages of a party, as `msdk inbox` shows them."""
    command = [str(ROOT / ".build" / "release" / "msdk-cli"), "inbox", "--keep"]
    environment = {**os.environ, "MSDK_CONFIG": str(folder / name / "config.json")}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=60).stdout


def verify(folder: pathlib.Path) -> tuple[list[str], list[str]]:
    """The lines of the verifier, and of the prover."""
    faber = Running(folder, "verify", "faber", "alice")
    alice = Running(folder, "prove", "alice", "faber").end()
    return faber.end(), alice


def test_a_credential_is_issued_proved_revoked_and_not_proved_any_more(folder: pathlib.Path) -> None:
    issue(folder)
    faber, alice = verify(folder)
    assert faber == ["verified Alice Andersen"] and alice[-1] == "proof ACCEPTED"
    assert Running(folder, "issue", "faber", "revoke").end() == ["revoked"]
    faber, alice = verify(folder)
    assert re.fullmatch(r"declined: the one that fits attribute_0 \(name, degree\) is revoked; .*", alice[-1])
    assert faber == ["no proof: the proof request ended in state REJECTED: Presentation Request was rejected: "
                     "there is no valid credential for it"]


def test_a_credential_and_a_request_lie_in_invitations(folder: pathlib.Path) -> None:
    faber = Running(folder, "issue", "faber", "attach")
    assert "'name': 'Carol'" in Running(folder, "hold", "alice", faber.line("https://")).end()[-1]
    faber.end()
    issue(folder)
    faber = Running(folder, "verify", "faber", "attach")
    assert Running(folder, "prove", "alice", faber.line("https://")).end()[-1] == "proof ACCEPTED"
    assert faber.end()[-1].startswith("verified ")


def test_the_wallet_shows_its_credentials(folder: pathlib.Path) -> None:
    issue(folder)
    lines = Running(folder, "show", "alice").end()
    held = [line for line in lines if line.startswith("holds ")]
    assert held and re.fullmatch(r"holds diploma from faber, \d{4}-\d{2}-\d{2}", held[-1])
    values = ast.literal_eval(next(line for line in lines if line.startswith("values ")).removeprefix("values "))
    assert values == {"name": "Alice Andersen", "age": "28", "degree": "Maths"}


def test_the_wallet_keeps_records_and_is_backed_up(folder: pathlib.Path) -> None:
    lines = Running(folder, "records", "alice").end()
    assert lines[0] == "found 1 Faber is very friendly {'with': 'Faber', '~stars': '5'}"
    assert lines[-1].startswith("backed up, under ")
    assert (folder / "alice" / "alice.export").stat().st_size > 1000


def test_one_program_is_both_parties(folder: pathlib.Path) -> None:
    assert Running(folder, "agents", "alice", "faber").end() == ["Alice has Good morning"]


def test_a_program_goes_on_with_the_object_of_an_earlier_run(folder: pathlib.Path) -> None:
    faber = Running(folder, "invite", "faber", "kept")
    first = Running(folder, "keep", "alice", "faber", faber.line("https://")).end()
    faber.end()
    again = Running(folder, "keep", "alice", "faber", "no link is needed").end()
    for lines in (first, again):
        assert len([line for line in lines if line.startswith("connection kept faber 4 ")]) == 1, lines


def test_an_error_is_told_and_logged(folder: pathlib.Path) -> None:
    errors = Running(folder, "errors", "alice")
    assert errors.end()[0].startswith("1073 WALLET_RECORD_NOT_FOUND ")
    assert re.search(r"INFO:msdk\.\w+:vcx_wallet_get_record failed with 1073 after", errors.log)


def test_alice_proposes_and_faber_offers_within_the_register(folder: pathlib.Path) -> None:
    faber = Running(folder, "issue", "faber", "alice")
    faber.line("offered")
    Running(folder, "hold", "alice", "faber").end()
    definition = faber.end()[-1].removeprefix("issued by ")
    faber = Running(folder, "propose", "faber", "alice")
    offered, held = Running(folder, "propose", "alice", "faber", definition).end()
    register = {"age": "28", "degree": "Maths"}
    assert ast.literal_eval(offered.removeprefix("offered ")) == {"name": "Alice Andersen", **register}
    assert ast.literal_eval(held.removeprefix("holds ")) == {"name": "A. Andersen", **register}
    lines = faber.end()
    assert [line.split(" ")[0] for line in lines] == ["proposed", "proposed", "issued"]
