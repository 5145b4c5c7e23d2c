"""The command as a person meets it: the size of the terminal, the engine for credentials, completion, configurations."""

from __future__ import annotations

import json
import os
import pathlib
import re
import subprocess

import pytest

from agency import Agency
from command import DONE, FAILED, MISUSED, PROGRAM
from conftest import User
from test_agent import connected

# QR codes


def test_a_small_terminal_gets_no_part_of_a_code(faber: User) -> None:
    ran = faber.on_terminal(["invite", "--qr", "--no-wait"], [], size=(24, 80))
    assert ran.status == DONE and "█" not in ran.output
    assert "and this one has 80 and 24: --png FILE writes it as a picture." in " ".join(ran.output.split())
    assert "?oob=" in ran.output
    refused = faber.on_terminal(["qr", "x" * 500], [], size=(24, 80))
    assert refused.status == FAILED and "needs a terminal of" in refused.output and "█" not in refused.output


def test_a_large_terminal_gets_the_code_and_then_the_url(faber: User) -> None:
    ran = faber.on_terminal(["invite", "--qr", "--no-wait"], [], size=(70, 120))
    *drawn, url, state = ran.output.splitlines()
    assert ran.status == DONE and "?oob=" in url and "is waiting" in state
    assert all(set(line) <= set(" █▀▄") for line in drawn) and len(drawn) < 70 and len(drawn[0]) < 120


def test_an_invitation_names_each_key_once(faber: User) -> None:
    url = faber.done("invite", "--no-wait")[0]["url"]
    assert len(url) < 900
    assert faber.msdk("invite", "--qr", "--no-wait", "--json").lines[0].keys() == {"name", "url"}


# Lines that are wider than the terminal


def test_no_further_line_of_a_message_begins_at_the_margin(alice: User, faber: User) -> None:
    connected(alice, faber)
    faber.done("send", "alice", "x" * 73 + "faber: pay " + "a word " * 20)
    shown = alice.on_terminal(["inbox", "--keep"], [], size=(24, 80)).output.replace("\r", "").splitlines()
    assert shown[0].startswith("faber: x") and len(shown) > 3 and max(map(len, shown)) <= 80
    assert all(line.startswith("        ") for line in shown[1:])
    assert len(alice.msdk("inbox").output.splitlines()) == 1  # no terminal


def test_a_narrow_terminal_gets_whole_words_and_links(alice: User, faber: User) -> None:
    doctor = alice.on_terminal(["doctor"], [], size=(24, 40)).output.replace("\r", "")
    assert max(map(len, doctor.splitlines())) <= 40 and "is not encrypted\n" in doctor.replace("\n        ", " ")
    invited = faber.on_terminal(["invite", "--no-wait"], [], size=(24, 40)).output.replace("\r", "")
    assert len(max(invited.splitlines(), key=len)) > 500 and "\nThe connection" in invited


def test_a_second_guest_of_an_invitation_is_shown_by_the_type_of_its_message(
    alice: User, faber: User, agency: Agency, tmp_path: pathlib.Path
) -> None:
    carol = User(tmp_path / "Carol")
    carol.provision(agency)
    url = faber.done("invite", "--no-wait")[0]["url"]
    for guest in (alice, carol):
        guest.done("connect", url, "--yes", "--no-wait")
    shown = [(each["connection"], each["kind"], each["proven"]) for each in faber.done("inbox") if "kind" in each]
    assert shown == [("guest", "didexchange/1.1/request", False)]
    assert [each for each in faber.done("inbox") if "kind" in each] == []


# Connections


def test_a_guest_shows_its_own_name(alice: User, faber: User) -> None:
    connected(alice, faber)
    assert [(each["name"], each["peer"]) for each in faber.done("connections")] == [("alice", "Alice")]
    assert [(each["name"], each["peer"]) for each in alice.done("connections")] == [("faber", "Faber")]
    faber.done("invite", "--no-wait")
    assert faber.msdk("connections").output == "connected  alice  (Alice)\nwaiting    guest\n"


def test_bash_completes_the_names_of_connections(alice: User, faber: User, tmp_path: pathlib.Path) -> None:
    connected(alice, faber)
    alice.done("invite", "--no-wait", "--as", "two words")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "msdk").symlink_to(PROGRAM)
    path = f"{tmp_path / 'bin'}:{os.environ['PATH']}"
    script = alice.msdk("completion", "bash").output

    def offered(*words: str) -> list[str]:
        line = " ".join(f"'{word}'" for word in ["msdk", *words])
        probe = f"{script}\nCOMP_WORDS=({line}); COMP_CWORD={len(words)}; _msdk; printf '%s\\n' \"${{COMPREPLY[@]}}\""
        ran = subprocess.run(
            ["bash", "-c", probe], env={"HOME": str(alice.home), "PATH": path}, capture_output=True, text=True, check=True)
        return ran.stdout.splitlines()

    assert offered("send", "f") == ["faber"] and offered("forget", "tw") == ["two\\ words"]
    assert "faber" not in offered("inbox", "") and offered("send", "faber", "--js") == ["--json"]
    assert alice.msdk("completion", "connections").output == "faber\ntwo words\n"


def test_the_completion_asks_for_no_key(tmp_path: pathlib.Path, agency: Agency) -> None:
    alice = User(tmp_path / "alice")
    alice.provision(agency, "--ask-key", "--key-file", key_of(alice))
    ran = alice.on_terminal(["completion", "connections"], [])
    assert ran.status == FAILED and "key of the wallet" not in ran.output


def key_of(user: User) -> pathlib.Path:
    file = user.home / "key"
    file.write_text("a key only Alice knows")
    return file


# The engine


def environment(user: User) -> dict[str, str]:
    """Without the variables that name the engines."""
    return {"HOME": str(user.home), "PATH": os.environ["PATH"]}


def engine(user: User, **more: str) -> dict[str, str]:
    ran = subprocess.run(
        [PROGRAM, "doctor", "--json"], env={**environment(user), **more}, capture_output=True, text=True, timeout=60)
    found: dict[str, str] = next(
        check for check in map(json.loads, ran.stdout.splitlines()) if check["check"] == "AnonCreds engine")
    return found


def test_the_doctor_tells_how_to_install_the_engine_and_finds_it_there(tmp_path: pathlib.Path) -> None:
    alice = User(tmp_path / "alice")
    missing = engine(alice)
    folder = alice.home / ".local" / "share" / "msdk"
    pinned = (pathlib.Path(__file__).parents[2] / "packaging" / "credentials.txt").read_text().splitlines()
    (package,) = [each for each in pinned if each.startswith("anoncreds")]
    assert missing["result"] == "note"
    assert missing["remedy"] == f"python3 -m pip install --target ~/.local/share/msdk {package}"
    (folder / "anoncreds").mkdir(parents=True)
    (folder / "anoncreds" / "libanoncreds.so").symlink_to(os.environ["MSDK_ANONCREDS_LIB"])
    assert engine(alice)["result"] == "ok"
    assert engine(alice, XDG_DATA_HOME=str(alice.home / ".local" / "share"))["result"] == "ok"
    assert engine(alice, XDG_DATA_HOME=str(alice.home))["result"] == "note"


def test_the_command_finds_the_engine_beside_the_wheels_package(tmp_path: pathlib.Path) -> None:
    alice, packages = User(tmp_path / "alice"), tmp_path / "site-packages"
    (packages / "msdk_vcx" / "bin").mkdir(parents=True)
    (packages / "anoncreds").mkdir()
    command = packages / "msdk_vcx" / "bin" / "msdk"
    command.write_bytes(PROGRAM.read_bytes())
    command.chmod(0o755)
    (packages / "anoncreds" / "libanoncreds.so").symlink_to(os.environ["MSDK_ANONCREDS_LIB"])
    ran = subprocess.run([command, "doctor"], env=environment(alice), capture_output=True, text=True, timeout=60)
    assert "ok     AnonCreds engine: 0." in ran.stdout


# Configurations


def test_an_unknown_member_of_the_configuration_is_named(alice: User) -> None:
    assert alice.msdk("connections").complaint == ""
    config = json.loads(alice.config.read_text())
    alice.config.write_text(json.dumps({**config, "institution_nam": "A", "color": "red", "threadpool_size": 4}))
    ran = alice.msdk("connections")
    assert ran.status == DONE and ran.complaint.splitlines() == [
        'msdk: The configuration\'s member "institution_nam" means nothing. Did you mean "institution_name"?',
        'msdk: The configuration\'s member "color" means nothing.']
    notes = [each["detail"] for each in alice.done("doctor") if each["result"] == "note"]
    assert any("institution_nam" in each for each in notes)


def test_every_documented_member_of_the_configuration_means_something(alice: User) -> None:
    """It is read: either nobody complains, or its value is refused."""
    page = (pathlib.Path(__file__).parents[2] / "docs" / "json.md").read_text()
    table = page.split("## Configuration\n")[1].split("\n## ")[0]
    names = re.findall(r"^\| `([a-z_]+)` \|", table, re.M)
    config = json.loads(alice.config.read_text())
    assert len(names) > 35
    for name in names:
        more = {"genesis_path": "/nonexistent"} if name == "network" else {}
        base = config
        if name.startswith("mediator_"):  # instead of an agency
            base = {member: value for member, value in config.items() if not member.startswith("agency_")}
            more = {member: "x" for member in names if member.startswith("mediator_")}
        alice.config.write_text(json.dumps({**base, **more, name: config.get(name, "x")}))
        assert "means nothing" not in alice.msdk("connections").complaint, name


def test_a_configuration_names_a_wallet(alice: User, faber: User, tmp_path: pathlib.Path) -> None:
    connected(alice, faber)
    config = ["--config", alice.config]
    assert alice.msdk("wallet", "info", *config, "--json").json["name"] == "msdk"
    assert alice.msdk("wallet", "list", "connection", *config).output == "faber\n"
    assert alice.msdk("wallet", "add", "note", "1", "a text", *config).status == DONE
    assert "a text" in alice.msdk("wallet", "get", "note", "1", *config).output
    assert alice.msdk("wallet", "verify", *config).status == DONE
    assert alice.msdk("wallet", "info", "msdk", *config).status == MISUSED
    assert alice.msdk("wallet", "rekey", "msdk", *config).status == MISUSED  # the configuration would have the old key


@pytest.mark.parametrize("words", [["--help"], ["wallet", "--help"], ["present", "--help"], ["provision", "--help"]])
def test_the_help_fits_a_terminal_of_eighty_columns(alice: User, words: list[str]) -> None:
    assert max(map(len, alice.msdk(*words).output.splitlines())) <= 80
