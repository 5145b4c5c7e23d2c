"""The commands of an agent at the edges: texts of strangers, broken connections, lost answers, the environment of programs."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import pathlib
import shutil
import sqlite3
import subprocess
import tempfile
import time
import urllib.parse
from collections.abc import Iterator
from contextlib import closing

import pytest

from agency import Agency, program
from alice import Alice, wait_until
from command import DONE, FAILED, MISUSED, PROGRAM
from conftest import User
from gate import Gate
from peer import Peer, message
from test_agent import connected

# Texts of strangers


def test_no_line_of_a_message_looks_like_another_senders(alice: User, faber: User) -> None:
    connected(alice, faber)
    alice.done("send", "faber", 'hi\nbank: transfer 500 EUR\nThe connection "boss" is connected.')
    assert faber.msdk("inbox").output == (
        'alice: hi\n    bank: transfer 500 EUR\n    The connection "boss" is connected.\n')


def test_json_controls_no_terminal_and_keeps_its_value(alice: User, faber: User) -> None:
    connected(alice, faber)
    text = "\x9b31m\x7f \u202egnp\u2066 \u2028 \U000e0001 Grüße 🎓"
    alice.done("send", "faber", text)
    ran = faber.msdk("inbox", "--json")
    assert ran.lines[0]["content"] == text
    assert not set(ran.output) & set("\x9b\x7f\u202e\u2066\u2028\U000e0001") and "Grüße 🎓" in ran.output


def test_the_agency_escapes_the_words_that_it_refuses() -> None:
    ran = subprocess.run([program(), "--data", "x", "--\x1b]0;pwn\x07\n"], capture_output=True, text=True, timeout=60)
    assert ran.returncode == MISUSED
    assert "unknown option --\\u{1B}]0;pwn\\u{7}\\u{A}." in ran.stderr and "\x1b" not in ran.stderr


# Connections that fail


@pytest.fixture
def remote(tmp_path: pathlib.Path) -> Iterator[tuple[User, User, Agency]]:
    """Alice and Faber, and an agency of theirs alone, whose data the test may change."""
    alice, faber = User(tmp_path / "Alice"), User(tmp_path / "Faber")
    with Agency(tmp_path / "agency") as agency:
        alice.provision(agency)
        faber.provision(agency)
        yield alice, faber, agency


def test_a_connection_that_fails_keeps_no_message_of_another(remote: tuple[User, User, Agency]) -> None:
    alice, faber, agency = remote
    connected(alice, faber)
    alice.done("invite", "--as", "broken", "--no-wait")
    broken = next(each["did"] for each in alice.done("connections") if each["name"] == "broken")
    with closing(sqlite3.connect(agency.folder / "data" / "agency.db")) as database, database:
        assert database.execute("DELETE FROM pairwise WHERE for_did = ?", (broken,)).rowcount == 1
    faber.done("send", "alice", "important")
    ran = alice.msdk("inbox")
    assert ran.output == "faber: important\n"
    assert ran.status == FAILED and '"broken": ' in ran.complaint
    with alice.running("inbox", "--follow", "--json") as following:
        for text in ("one", "two"):
            faber.done("send", "alice", text)
            assert json.loads(following.output())["content"] == text
    assert alice.msdk("forget", "broken").status == DONE
    assert alice.msdk("inbox").status == DONE


def test_an_ended_connection_that_fails_keeps_no_message_of_another(remote: tuple[User, User, Agency]) -> None:
    alice, faber, agency = remote
    connected(alice, faber)
    with Peer() as mallory:
        alice.done("connect", json.dumps(mallory.invitation()), "--yes", "--no-wait", "--as", "ended")
        request, _ = mallory.receive("connections/1.0/request")
        mallory.send(mallory.response(request), request, mallory.key)
        alice.done("inbox")
        mallory.send(message("did-rotate/1.0/hangup"), request, mallory.key)
        alice.done("inbox")
    ended = next(each["did"] for each in alice.done("connections") if each["state"] == "ended")
    with closing(sqlite3.connect(agency.folder / "data" / "agency.db")) as database, database:
        assert database.execute("DELETE FROM pairwise WHERE for_did = ?", (ended,)).rowcount == 1
    faber.done("send", "alice", "important")
    ran = alice.msdk("inbox")
    assert ran.output == "faber: important\n" and '"ended": ' in ran.complaint


@pytest.fixture
def gate() -> Iterator[Gate]:
    gate = Gate("")
    yield gate
    gate.close()


def through(gate: Gate, url: str) -> str:
    """The invitation behind the URL, as JSON, with the gate before the inviter's endpoint."""
    query = urllib.parse.parse_qs(urllib.parse.urlsplit(url).query)["oob"][0]
    invitation = json.loads(base64.urlsafe_b64decode(query + "=" * (-len(query) % 4)))
    endpoint = urllib.parse.urlsplit(invitation["services"][0]["serviceEndpoint"])
    gate.target = f"{endpoint.scheme}://{endpoint.netloc}"
    invitation["services"][0]["serviceEndpoint"] = gate.endpoint + endpoint.path
    return json.dumps(invitation)


@pytest.mark.parametrize("again", ["inbox", "connect"])
def test_an_attempt_whose_answer_is_lost_is_kept(alice: User, faber: User, gate: Gate, again: str) -> None:
    gate.losses = 1
    invitation = through(gate, faber.done("invite", "--as", "alice", "--no-wait")[0]["url"])
    lost = alice.msdk("connect", invitation, "--yes", "--no-wait")
    assert lost.status == FAILED and "is kept" in lost.complaint and "msdk inbox" in lost.complaint
    kept = alice.done("connections")
    assert [(each["name"], each["state"]) for each in kept] == [("faber", "waiting")]
    if again == "connect":
        alice.done("connect", invitation, "--yes", "--no-wait")
    for user in (alice, faber, alice, faber, faber):  # Faber has two requests to look at
        user.done("inbox")
    assert [(each["state"], each["did"]) for each in alice.done("connections")] == [("connected", kept[0]["did"])]
    assert [each["state"] for each in faber.done("connections")] == ["connected"]


def test_commands_that_end_complete_a_connection_with_a_new_key(alice: User) -> None:
    with Peer() as mallory:
        alice.done("connect", json.dumps(mallory.invitation()), "--yes", "--no-wait")
        request, _ = mallory.receive("connections/1.0/request")
        # The response comes from the invitation's key, so the key that it presents has to answer a ping.
        mallory.send(mallory.response(request), request, mallory.invitation_key)
        alice.done("inbox")
        mallory.receive_confirmation()
        ping, _ = mallory.receive("trust_ping/1.0/ping")
        assert ping["response_requested"]

        def is_connected() -> bool:
            alice.done("inbox")
            return bool(alice.done("connections")[0]["state"] == "connected")

        wait_until("the connection", is_connected, timeout=60)
        assert mallory.is_quiet(), "one ping is enough"


def test_a_connection_can_be_forgotten(alice: User, faber: User) -> None:
    connected(alice, faber)
    assert alice.done("forget", "faber") == [{"connection": "faber", "forgotten": True}]
    assert alice.done("connections") == []
    refused = alice.msdk("forget", "faber")
    assert refused.status == FAILED and 'There is no connection "faber"' in refused.complaint
    assert faber.msdk("send", "alice", "hello").status == FAILED  # her mailbox is closed


def test_the_timeout_is_in_seconds(faber: User, agency: Agency, gate: Gate) -> None:
    """Each look at this agency takes half a second."""
    gate.target, gate.seconds = agency.endpoint, 0.5
    config = json.loads(faber.config.read_text())
    faber.config.write_text(json.dumps({**config, "agency_endpoint": gate.endpoint}))
    with faber.running("invite", "--timeout", "2") as inviting:
        inviting.output()
        start = time.monotonic()
        assert "`msdk inbox` goes on with it" in inviting.output()
        # Eight looks in eight pauses of a quarter of a second would take six seconds.
        assert time.monotonic() - start < 5


# A second agent, and mistyped words


def test_each_configuration_has_a_wallet_of_its_own(tmp_path: pathlib.Path, agency: Agency) -> None:
    user = User(tmp_path / "home")
    alice = user.provision(agency)
    second = str(user.home / "bob.json")
    assert user.msdk("provision", agency.endpoint, "--name", "Bob", MSDK_CONFIG=second).status == DONE
    bob = json.loads(pathlib.Path(second).read_text())
    assert (alice["wallet_name"], bob["wallet_name"]) == ("msdk", "msdk-2")
    url = user.done("invite", "--as", "bob", "--no-wait")[0]["url"]
    assert user.msdk("connect", url, "--yes", "--no-wait", MSDK_CONFIG=second).status == DONE
    for keys in ({}, {"MSDK_CONFIG": second}, {}):
        assert user.msdk("inbox", **keys).status == DONE
    assert [each["state"] for each in user.done("connections")] == ["connected"]


def test_a_wallet_with_the_users_key_is_not_shared_either(tmp_path: pathlib.Path, agency: Agency) -> None:
    user = User(tmp_path / "home")
    user.provision(agency)
    key, second = tmp_path / "key", str(user.home / "bob.json")
    key.write_text("a key of Bob's")
    words = ["provision", agency.endpoint, "--ask-key", "--key-file", str(key)]
    failed = user.msdk(*words, "--mediator", "x", MSDK_CONFIG=second)
    assert failed.status == MISUSED
    unreachable = user.msdk("provision", "--mediator", "http://127.0.0.1:1/x?oob=e30", *words[2:], MSDK_CONFIG=second)
    assert unreachable.status == FAILED
    kept = pathlib.Path(second + ".request")
    assert not kept.exists() or "a key of" not in kept.read_text()
    assert user.msdk(*words, MSDK_CONFIG=second).status == DONE
    bob = json.loads(pathlib.Path(second).read_text())
    assert bob["wallet_name"] == "msdk-2" and "wallet_key" not in bob


@pytest.mark.parametrize(("place", "kept"), [("https://a.example/x", {"type": "http", "url": "https://a.example/x"}), ("objects", {})])
def test_the_place_of_public_objects_is_an_option(
    tmp_path: pathlib.Path, agency: Agency, place: str, kept: dict[str, str]
) -> None:
    user = User(tmp_path / "home")
    user.provision(agency)
    assert "note   registries: " in user.msdk("doctor").output
    second = str(user.home / "second.json")
    assert user.msdk("provision", agency.endpoint, "--registry", place, MSDK_CONFIG=second).status == DONE
    kept = kept or {"type": "file", "path": str(pathlib.Path.cwd() / place)}
    assert json.loads(pathlib.Path(second).read_text())["anoncreds_registries"] == [kept]
    assert "registries" not in user.msdk("doctor", MSDK_CONFIG=second).output


def test_an_agency_that_begins_to_listen_meanwhile_is_waited_for(tmp_path: pathlib.Path) -> None:
    user = User(tmp_path / "home")
    agency = Agency(tmp_path / "agency").start()
    agency.stop()
    with user.running("provision", agency.endpoint) as provisioning:
        time.sleep(0.5)
        with agency:
            assert provisioning.process.wait(30) == DONE
    ran = user.msdk("provision", agency.endpoint, MSDK_CONFIG=str(tmp_path / "other.json"))
    assert ran.status == FAILED and "Does an agency run there?" in ran.complaint


def test_the_program_alone_shows_its_commands(alice: User) -> None:
    ran = alice.msdk()
    assert ran.status == MISUSED and ran.output == "" and ran.complaint == alice.msdk("--help").output


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (["conect", "x"], "connect"), (["wallet", "infos", "w"], "wallet info"), (["inbox", "--folow"], "--follow"),
        (["connections", "--jsn"], "--json"),
    ],
)
def test_a_mistyped_word_is_recognised(alice: User, words: list[str], meant: str) -> None:
    ran = alice.msdk(*words)
    assert ran.status == MISUSED and f'Did you mean "{meant}"?' in ran.complaint
    assert "Did you mean" not in alice.msdk("purse").complaint


# The environment of programs


def library(folder: pathlib.Path, name: str, code: str) -> pathlib.Path:
    """A shared library that runs `code` when it is loaded."""
    source = folder / f"{name}.c"
    source.write_text(
        f"#include <stdio.h>\n#include <stdlib.h>\n__attribute__((constructor)) static void go(void) {{ {code} }}\n")
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", folder / name, source], check=True)
    return folder / name


@pytest.mark.parametrize("path", [PROGRAM, program()], ids=["msdk", "msdk-agency"])
def test_a_preload_that_changes_the_environment_takes_no_argument_away(tmp_path: pathlib.Path, path: pathlib.Path) -> None:
    preload = library(tmp_path, "preload.so", 'setenv("ANOTHER_VARIABLE", "1", 1);')
    ran = subprocess.run(
        [path, "--version"], env={**os.environ, "LD_PRELOAD": str(preload)}, capture_output=True, text=True, timeout=60)
    assert ran.returncode == DONE and ran.stdout.startswith(path.name.removesuffix("-cli") + " "), ran.stderr


@pytest.fixture
def planted() -> Iterator[pathlib.Path]:
    """A folder that others can read, with a libcurl that says that it was loaded."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        library(folder, "libcurl.so.4", 'fputs("PLANTED", stderr);')
        yield folder


def test_the_name_that_a_caller_gives_the_program_leads_to_no_library(planted: pathlib.Path) -> None:
    words = ["provision", "http://127.0.0.1:1", "--config", str(planted / "config.json")]
    ran = subprocess.run(
        [planted / "msdk", *words], executable=PROGRAM, cwd="/", capture_output=True, text=True, timeout=60)
    assert ran.returncode == FAILED and "PLANTED" not in ran.stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a program other rights")
def test_a_program_with_other_rights_ignores_its_callers_libraries(planted: pathlib.Path) -> None:
    command = planted / "msdk"
    shutil.copy(PROGRAM, command)
    command.chmod(0o4755)
    ran = subprocess.run(
        [command, "provision", "http://127.0.0.1:1", "--config", "/nonexistent/config.json"], user=65534, cwd="/",
        env={"MSDK_CURL_LIB": str(planted / "libcurl.so.4"), "HOME": "/"}, capture_output=True, text=True, timeout=60)
    assert ran.returncode == FAILED and "PLANTED" in ran.stderr  # the file beside the program, which its owner put there
    (planted / "libcurl.so.4").rename(planted / "other.so")
    ran = subprocess.run(
        [command, "provision", "http://127.0.0.1:1", "--config", "/nonexistent/config.json"], user=65534, cwd="/",
        env={"MSDK_CURL_LIB": str(planted / "other.so"), "HOME": "/"}, capture_output=True, text=True, timeout=60)
    assert ran.returncode == FAILED and "PLANTED" not in ran.stderr


# Names, ended connections, and connections of other versions


def test_messages_that_came_before_the_end_of_a_connection_are_shown(alice: User) -> None:
    with Peer() as faber:
        alice.done("connect", json.dumps(faber.invitation()), "--yes", "--no-wait", "--as", "faber")
        request, _ = faber.receive("connections/1.0/request")
        faber.send(faber.response(request), request, faber.key)
        alice.done("inbox")
        faber.send(message("basicmessage/1.0/message", content="pay by Friday"), request, faber.key)
        faber.send(message("did-rotate/1.0/hangup"), request, faber.key)
        alice.done("offers")
        assert [each["state"] for each in alice.done("connections")] == ["ended"]
        shown = [each for each in alice.done("inbox") if each.get("kind") == "message"]
        assert [(each["content"], each["proven"]) for each in shown] == [("pay by Friday", True)]
        assert alice.done("inbox") == []


def test_the_users_name_for_a_connection_stays_private(tmp_path: pathlib.Path, agency: Agency) -> None:
    carol = User(tmp_path / "Carol")
    carol.done("provision", agency.endpoint)
    with Peer() as landlord:
        carol.done("connect", json.dumps(landlord.invitation()), "--yes", "--no-wait", "--as", "that awful landlord")
        request, _ = landlord.receive("connections/1.0/request")
        assert request["label"] == "msdk"
    link = carol.done("invite", "--as", "the other one", "--no-wait")[0]["url"]
    invitation = json.loads(base64.urlsafe_b64decode(link.partition("oob=")[2] + "=="))
    assert invitation["label"] == "msdk"


def test_a_connection_that_cannot_be_read_is_named(alice: User, faber: User) -> None:
    connected(alice, faber)
    alice.done("wallet", "add", "connection", "newer", '{"version":"9.0"}', "--config", str(alice.config))
    for command in ("connections", "inbox"):
        ran = alice.msdk(command)
        assert ran.status == DONE and '"newer"' in ran.complaint, command
    assert [each["name"] for each in alice.done("connections")] == ["faber"]


def test_a_connection_of_evernyms_own_protocol_hides_no_message(alice: User, faber: User, tmp_path: pathlib.Path, agency: Agency) -> None:
    connected(alice, faber)
    with Alice(tmp_path / "program") as inviter:
        inviter.provision(agency.provisioning(protocol_type="2.0"))
        invitation = inviter.invite("alice", "c_i")
        text = invitation if isinstance(invitation, str) else json.dumps(invitation)
        alice.done("connect", text, "--yes", "--no-wait", "--as", "old")
        faber.done("send", "alice", "important")
        inviter.ask("update", "alice")
        ran = alice.msdk("inbox")
        assert ran.status == DONE and "faber: important\n" in ran.output, ran.complaint


@pytest.mark.parametrize("label", ["b\u043eb", "\u0432\u043e\u0432", "b\u01c0b", "\u0133b", "b\u0131b", "b\u00aab", "\u021bob"])
def test_a_proposed_name_looks_like_no_other(alice: User, label: str) -> None:
    with Peer() as bob, Peer() as other:
        for peer, said in ((bob, "bob"), (other, label)):
            alice.done("connect", json.dumps({**peer.invitation(), "label": said}), "--yes", "--no-wait")
    assert sorted(each["name"] for each in alice.done("connections")) == ["bob", "peer"]


def test_a_proposed_name_is_no_option(alice: User) -> None:
    with Peer() as mallory:
        alice.done("connect", json.dumps({**mallory.invitation(), "label": "--Help"}), "--yes", "--no-wait")
    assert [each["name"] for each in alice.done("connections")] == ["help"]
    for alias in ("", " \u200b", "-x"):
        assert "begins with no hyphen" in alice.msdk("invite", "--as", alias, "--no-wait").complaint


def test_commands_at_the_same_time_get_a_name_each(alice: User) -> None:
    with contextlib.ExitStack() as stack:
        running = [stack.enter_context(alice.running("invite", "--no-wait")) for _ in range(4)]
        assert [each.process.wait(60) for each in running] == [DONE] * 4
    assert len({each["name"] for each in alice.done("connections")}) == 4


def test_an_invitation_that_led_to_a_connection_is_told(alice: User, faber: User) -> None:
    url = faber.done("invite", "--as", "alice", "--no-wait")[0]["url"]
    alice.done("connect", url, "--yes", "--no-wait", "--as", "first")
    for user in (faber, alice, faber):
        user.done("inbox")
    again = alice.on_terminal(["connect", url], [("Connect? [y/N] ", "n\n")])
    assert 'connected by this invitation already: "first"' in again.output


def test_no_message_goes_to_a_peer_that_has_not_answered(alice: User) -> None:
    alice.done("invite", "--as", "guest", "--no-wait")
    refused = alice.msdk("send", "guest", "hello")
    assert refused.status == FAILED and '"guest" waits for the other side: `msdk inbox` goes on with it.' in refused.complaint


def test_nothing_is_said_in_a_sentence(alice: User) -> None:
    assert alice.msdk("inbox").output == "No message is unread.\n"
    assert alice.msdk("connections").output == "The wallet has no connection.\n"
    assert "is no invitation" in alice.msdk("connect", "hello").complaint
    assert alice.msdk("help").output == alice.msdk("--help").output


def test_a_connection_is_forgotten_after_the_command_that_sends_its_request(alice: User, faber: User, gate: Gate) -> None:
    """The user forgets the connection meanwhile, and gives its name to another one."""
    invitation = through(gate, faber.done("invite", "--as", "alice", "--no-wait")[0]["url"])
    gate.seconds = 4
    with alice.running("connect", invitation, "--yes", "--no-wait", "--as", "bank") as connecting:
        wait_until("the connection", lambda: bool(alice.done("connections")), timeout=20)
        alice.done("forget", "bank")
        alice.done("invite", "--as", "bank", "--no-wait")
        (bank,) = alice.done("connections")
        assert connecting.process.wait(60) == DONE
    assert alice.done("connections") == [bank]


def test_a_connection_that_is_forgotten_meanwhile_hides_no_message(alice: User, faber: User, gate: Gate) -> None:
    connected(alice, faber)
    invitation = through(gate, faber.done("invite", "--as", "again", "--no-wait")[0]["url"])
    gate.losses = 1
    assert alice.msdk("connect", invitation, "--yes", "--no-wait", "--as", "bank").status == FAILED
    faber.done("send", "alice", "important")
    gate.seconds = 4
    with alice.running("inbox") as looking:  # it sends the request again
        time.sleep(1.5)
        alice.done("forget", "bank")
        assert [each["name"] for each in alice.done("connections")] == ["faber"]
        looking.process.wait(60)
        assert looking.process.stdout and "faber: important\n" in looking.process.stdout.read()


def test_a_long_address_hides_nothing_at_the_question(alice: User) -> None:
    with Peer() as mallory:
        long = {**mallory.invitation(), "serviceEndpoint": "http://mallory.example/" + "\u3164" * 936 + "https://bank.example/"}
        shown = alice.on_terminal(["connect", json.dumps(long)], [("Connect? [y/N] ", "n\n")], size=(24, 80)).output
    assert len(shown.splitlines()) < 16 and "mallory.example" in shown and "invites you" in shown


def test_the_key_of_a_wallet_that_is_made_is_not_lost(tmp_path: pathlib.Path, agency: Agency, gate: Gate) -> None:
    user = User(tmp_path / "home")
    gate.target, gate.losses = agency.endpoint, 1
    words = ["provision", gate.endpoint]
    assert user.msdk(*words).status == FAILED and gate.losses == 0
    request = pathlib.Path(str(user.config) + ".request")
    before = request.read_text()
    for options, keys in (([], {"MSDK_WALLET_KEY": "mine"}), (["--wallet", "other"], {})):
        refused = user.msdk(*words, *options, **keys)
        assert refused.status == FAILED and "has the key of the wallet" in refused.complaint
        assert request.read_text() == before
    assert user.msdk(*words).status == DONE and not request.exists()
