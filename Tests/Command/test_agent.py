"""The commands of an agent: provision, connect, invite, inbox, send, doctor."""

from __future__ import annotations

import asyncio
import base64
import json
import pathlib
import shutil
import subprocess
import time
import urllib.parse
import xml.etree.ElementTree
from collections.abc import Iterator
from typing import Any

import pytest

import msdk_vcx as msdk
from agency import Agency
from command import DONE, FAILED, FAULTY, MISUSED, PROGRAM
from conftest import User
from credo_mediator import CredoMediator


def connected(alice: User, faber: User) -> None:
    """Connects the two, each with the other's name for it."""
    url = faber.done("invite", "--as", "alice", "--no-wait")[0]["url"]
    assert alice.done("connect", url, "--as", "faber", "--yes", "--no-wait")[-1]["state"] == "waiting"
    assert faber.done("inbox") == []  # it responds, and waits for the confirmation
    assert alice.done("inbox") == [{"connection": "faber", "state": "connected"}]
    assert faber.done("inbox") == [{"connection": "alice", "state": "connected"}]


# Provisioning


def test_provisioning_makes_a_configuration_for_the_owner_alone(tmp_path: pathlib.Path, agency: Agency) -> None:
    alice = User(tmp_path / "alice")
    config = alice.provision(agency)
    assert config["agency_did"] == agency.facts["did"] and config["institution_name"] == "alice"
    assert config["wallet_key_derivation"] == "RAW" and len(config["wallet_key"]) > 40
    assert alice.config.stat().st_mode & 0o777 == 0o600
    assert sorted(path.name for path in alice.config.parent.iterdir()) == ["config.json"]
    again = alice.msdk("provision", agency.endpoint)
    assert again.status == FAILED and "There is a configuration" in again.complaint
    assert json.loads(alice.config.read_text()) == config


def test_an_address_without_a_scheme_is_no_agency(tmp_path: pathlib.Path) -> None:
    ran = User(tmp_path / "alice").msdk("provision", "127.0.0.1:9")
    assert ran.status == MISUSED and "begins with http:// or https://" in ran.complaint


def test_a_request_that_cannot_be_written_leaves_no_draft_with_the_key(tmp_path: pathlib.Path, agency: Agency) -> None:
    alice = User(tmp_path / "alice")
    alice.config.with_name("config.json.request").mkdir(parents=True)
    ran = alice.msdk("provision", agency.endpoint)
    assert ran.status != DONE and "Cannot name a file" in ran.complaint
    assert [each.name for each in alice.config.parent.iterdir()] == ["config.json.request"]


def test_a_new_configuration_replaces_the_drafts_of_killed_programs(tmp_path: pathlib.Path, agency: Agency) -> None:
    alice = User(tmp_path / "alice")
    alice.config.parent.mkdir(parents=True)
    for name in ("config.json", "config.json.request"):
        alice.config.with_name(f"{name}.msdk-2147483646-7.new").write_text('{"wallet_key": "a key"}')
    alice.provision(agency)
    assert [each.name for each in alice.config.parent.iterdir()] == ["config.json"]


def test_provisioning_goes_on_where_it_failed(tmp_path: pathlib.Path) -> None:
    alice, agency = User(tmp_path / "alice"), Agency(tmp_path / "agency").start()
    words = ["provision", agency.endpoint, "--agency-did", agency.facts["did"]]
    words += ["--agency-verkey", agency.facts["verkey"]]
    agency.stop()
    assert alice.msdk(*words).status == FAILED
    assert (alice.home / ".indy_client/wallet/msdk").exists() and not alice.config.exists()
    with agency:
        assert alice.msdk(*words).status == DONE
        assert alice.msdk("doctor").status == DONE


def test_a_key_of_the_user_stays_out_of_the_configuration(tmp_path: pathlib.Path, agency: Agency) -> None:
    alice = User(tmp_path / "alice")
    key = alice.home / "key"
    key.write_text("a key only Alice knows\n")
    assert "wallet_key" not in alice.provision(agency, "--ask-key", "--key-file", key)
    refused = alice.msdk("connections")
    assert refused.status == FAILED and "MSDK_WALLET_KEY" in refused.complaint
    assert alice.msdk("connections", "--key-file", key).status == DONE
    assert alice.msdk("connections", MSDK_WALLET_KEY="a key only Alice knows").status == DONE


def test_without_a_configuration_the_error_names_the_command(tmp_path: pathlib.Path) -> None:
    ran = User(tmp_path / "alice").msdk("inbox")
    assert ran.status == FAILED and "`msdk provision` makes it" in ran.complaint


def test_an_earlier_attempt_with_a_wrong_agency_is_forgotten(tmp_path: pathlib.Path, agency: Agency) -> None:
    alice = User(tmp_path / "alice")
    wrong = ["--agency-did", "5aqLX4KNM6opPGEK63P38M", "--agency-verkey", "EJTbBYPHHEQaYk5w5i5wcx78xKRhdH1PrCyRscwot9pf"]
    assert alice.msdk("provision", agency.endpoint, *wrong).status == FAILED
    assert alice.provision(agency)["agency_did"] == agency.facts["did"]


# Connections


def test_two_users_connect_and_write(alice: User, faber: User) -> None:
    connected(alice, faber)
    assert [each["state"] for each in alice.done("connections")] == ["connected"]
    assert alice.msdk("send", "faber", "Good morning, Faber").status == DONE
    read = {"connection": "alice", "kind": "message", "content": "Good morning, Faber", "proven": True}
    kept = faber.done("inbox", "--keep")
    assert [{key: each[key] for key in read} for each in kept] == [read]
    assert faber.msdk("inbox").output == "alice: Good morning, Faber\n"
    assert faber.msdk("inbox").output == "No message is unread.\n"
    unknown = alice.msdk("send", "nobody", "x").complaint
    assert "There is no connection" in unknown and "Did you mean" not in unknown
    assert alice.msdk("send", "fabr", "x").complaint.endswith(' Did you mean "faber"?\n')


def test_the_command_keeps_no_objects_of_programs(alice: User, faber: User) -> None:
    """Its own records are newer than a record that only the library would write."""
    config = json.loads(alice.config.read_text())
    alice.config.write_text(json.dumps({**config, "keep_objects": True}))
    connected(alice, faber)

    async def kept() -> list[msdk.KeptObject]:
        storage = {"path": str(alice.home / ".indy_client/wallet")}
        async with msdk.session({**config, "keep_objects": True, "storage_config": storage}):
            return await msdk.kept_objects()

    assert asyncio.run(kept()) == []


def test_both_sides_wait_for_each_other(alice: User, faber: User) -> None:
    with faber.running("invite", "--json") as inviting:
        url = json.loads(inviting.output())["url"]
        assert alice.done("connect", url, "--yes")[-1] == {"name": "faber", "state": "connected"}
        assert json.loads(inviting.output())["state"] == "connected"
        assert inviting.process.wait(60) == DONE


def test_the_user_sees_the_inviter_and_decides(alice: User, faber: User) -> None:
    url = faber.done("invite", "--goal", "To get to know each other", "--no-wait")[0]["url"]
    shown = alice.on_terminal(["connect", url], [("Connect? [y/N] ", "n\n")])
    assert shown.status == FAILED and "Nothing was sent." in shown.output
    assert '"Faber" invites you' in shown.output and "To get to know each other" in shown.output
    assert alice.done("connections") == []
    refused = alice.msdk("connect", url)
    assert refused.status == FAILED and "--yes agrees" in refused.complaint
    accepted = alice.on_terminal(["connect", url, "--timeout", "3"], [("Connect? [y/N] ", "y\n")])
    assert accepted.status == DONE and "`msdk inbox` goes on with it" in accepted.output
    assert "msdk: waiting for the other side, 1 s" in accepted.output


def test_an_invitation_is_a_url_and_a_picture_of_it(faber: User, tmp_path: pathlib.Path) -> None:
    picture = tmp_path / "invitation.png"
    ran = faber.msdk("invite", "--no-wait", "--qr", "--png", picture)
    *drawn, url, _ = ran.output.splitlines()
    query = urllib.parse.parse_qs(urllib.parse.urlsplit(url).query)["oob"][0]
    assert json.loads(base64.urlsafe_b64decode(query + "=" * (-len(query) % 4)))["label"] == "Faber"
    assert len(drawn) > 20 and len(set(map(len, drawn))) == 1 and set("".join(drawn)) <= set(" █▀▄")
    known = faber.done("connections")
    for taken in (picture, tmp_path / "no folder" / "invitation.png"):
        assert "cannot be written" in faber.msdk("invite", "--no-wait", "--png", taken).complaint
    assert faber.done("connections") == known
    if shutil.which("zbarimg") is None:
        pytest.skip("no reader of QR codes: scripts/setup command installs one")
    found = subprocess.run(["zbarimg", "-q", "--raw", str(picture)], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == url


@pytest.mark.parametrize("text", ["nothing", "http://127.0.0.1:1/?x=y", '{"@type":"x"}', "{"])
def test_an_invitation_that_is_none_is_refused(alice: User, text: str) -> None:
    ran = alice.msdk("connect", text, "--yes")
    assert ran.status == FAILED and ran.complaint.startswith("msdk: ")
    assert alice.done("connections") == []


def test_the_inbox_follows(alice: User, faber: User) -> None:
    connected(alice, faber)
    with faber.running("inbox", "--follow", "--json") as following:
        for text in ("one", "two"):
            alice.done("send", "faber", text)
            assert json.loads(following.output())["content"] == text


@pytest.fixture
def remote(tmp_path: pathlib.Path) -> Iterator[tuple[User, User, Agency]]:
    """Alice and Faber, connected, and an agency of theirs alone, which the test may stop."""
    alice, faber = User(tmp_path / "Alice"), User(tmp_path / "Faber")
    with Agency(tmp_path / "agency") as agency:
        alice.provision(agency)
        faber.provision(agency)
        connected(alice, faber)
        yield alice, faber, agency


def test_following_goes_on_after_the_agency_was_away(remote: tuple[User, User, Agency]) -> None:
    alice, faber, agency = remote
    with faber.running("inbox", "--follow", "--json") as following:
        alice.done("send", "faber", "before")
        assert json.loads(following.output())["content"] == "before"
        agency.stop()
        time.sleep(2)
        agency.start()
        alice.done("send", "faber", "after")
        assert json.loads(following.output())["content"] == "after"


def test_following_begins_while_the_agency_is_away(remote: tuple[User, User, Agency]) -> None:
    alice, faber, agency = remote
    agency.stop()
    with faber.running("inbox", "--follow", "--json") as following:
        assert following.complaint().endswith("Trying again.\n")
        agency.start()
        alice.done("send", "faber", "after")
        assert json.loads(following.output())["content"] == "after"


def test_a_message_can_come_from_standard_input(alice: User, faber: User) -> None:
    connected(alice, faber)
    ran = subprocess.run(
        [PROGRAM, "send", "faber"],
        env={"HOME": str(alice.home)}, input="two\nlines\n", capture_output=True, text=True, timeout=60)
    assert ran.returncode == DONE, ran.stderr
    assert faber.done("inbox")[0]["content"] == "two\nlines"


# Doctor


def verdicts(user: User) -> dict[str, str]:
    ran = user.msdk("doctor", "--json")
    checks: list[Any] = [json.loads(line) for line in ran.output.splitlines()]
    assert ran.status == (FAULTY if any(each["result"] == "fault" for each in checks) else DONE), ran
    return {each["check"]: each["result"] for each in checks}


def test_the_doctor_finds_a_sound_installation_sound(alice: User) -> None:
    found = verdicts(alice)
    assert found == {**found, "version": "ok", "configuration": "ok", "wallet": "ok", "agency": "ok", "clock": "ok"}
    assert found["TLS"] == "note"  # the agency is on this machine


def test_a_mediator_takes_the_place_of_the_agency(tmp_path: pathlib.Path) -> None:
    alice = User(tmp_path / "alice")
    with CredoMediator() as mediator:
        invitation = json.dumps(mediator.invitation())
        assert "exclude each other" in alice.msdk("provision", mediator.endpoint, "--mediator", invitation).complaint
        assert "--mediator" in alice.msdk("provision").complaint
        (told,) = alice.done("provision", "--mediator", invitation, "--name", "Alice")
        assert (told["mediator"], told["agency"]) == (mediator.endpoint, None)
        config = json.loads(alice.config.read_text())
        config["mediator_service"]["serviceEndpoint"] += "?api_key=1"
        alice.config.write_text(json.dumps(config))
        link = urllib.parse.urlsplit(alice.done("invite", "--no-wait")[0]["url"])
        assert urllib.parse.parse_qs(link.query).keys() == {"api_key", "oob"}
        found = verdicts(alice)
        assert found == {**found, "wallet": "ok", "mediator": "ok", "routing": "ok", "clock": "note"}
        mediator.clients.clear()
        assert verdicts(alice)["mediator"] == "fault"


def test_the_doctor_finds_faults(tmp_path: pathlib.Path) -> None:
    alice = User(tmp_path / "alice")
    assert verdicts(alice)["configuration"] == "fault"
    with Agency(tmp_path / "agency") as agency:
        alice.provision(agency)
    assert verdicts(alice)["agency"] == "fault"
    alice.config.chmod(0o644)
    assert verdicts(alice)["configuration"] == "fault"
    shutil.rmtree(alice.home / ".indy_client")
    assert verdicts(alice)["wallet"] == "fault"


def test_any_text_is_a_qr_code(alice: User, tmp_path: pathlib.Path) -> None:
    text, picture = "Grüße, see https://example.org/?a=b&c", tmp_path / "code.png"
    drawing = xml.etree.ElementTree.fromstring(alice.msdk("qr", text, "--svg", "--png", picture).output)
    assert drawing.tag == "{http://www.w3.org/2000/svg}svg" and picture.read_bytes().startswith(b"\x89PNG")
    assert set(alice.msdk("qr", text).output) <= set(" █▀▄\n")
    assert alice.msdk("qr", "x" * 3000).status == FAILED
    assert "cannot be written" in alice.msdk("qr", text, "--png", picture).complaint


# Completion and manual


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        (["prov"], "provision"), (["wal"], "wallet"), (["wallet", "ver"], "verify"), (["invite", "--q"], "--qr"),
        (["wallet", "search", "--li"], "--limit"), (["connect", "--y"], "--yes"),
    ],
)
def test_bash_completes_commands_and_options(alice: User, line: list[str], offered: str) -> None:
    script = alice.msdk("completion", "bash").output
    words = " ".join(f"'{word}'" for word in ["msdk", *line])
    probe = f"{script}\nCOMP_WORDS=({words}); COMP_CWORD={len(line)}; _msdk; echo \"${{COMPREPLY[@]}}\""
    ran = subprocess.run(["bash", "-c", probe], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == [offered]


def test_zsh_reads_its_completion(alice: User) -> None:
    script = alice.msdk("completion", "zsh").output
    assert script.startswith("#compdef msdk\n")
    assert alice.msdk("completion", "fish").status == MISUSED
    if shutil.which("zsh"):
        subprocess.run(["zsh", "-n"], input=script, text=True, check=True)


def test_the_manual_has_every_command_and_option(alice: User) -> None:
    manual = alice.msdk("manual").output
    plain = manual.replace("\\-", "-")
    for line in alice.msdk("--help").output.splitlines():
        if line.startswith("  ") and line[2] != " ":
            assert line.split("  ")[1] in plain
    complaints = subprocess.run(
        ["groff", "-man", "-Tutf8", "-ww", "-z"], input=manual, capture_output=True, text=True, check=True)
    assert complaints.stderr == ""
