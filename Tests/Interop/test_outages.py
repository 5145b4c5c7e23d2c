"""Agencies that are away or broken, and processes that die: nothing is lost, nothing is applied twice."""

from __future__ import annotations

import pathlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from acapy import Agent
from agency import Agency
from alice import COMPLETED, REQUESTED, UNREAD, Alice, AliceError
from loopback import Handler, LoopbackServer

INVITED = 2
POST_FAILED = 1010
INVALID_ANSWER = 1020
INVALID_REQUEST = 1029


@pytest.fixture
def own_agency(tmp_path: pathlib.Path) -> Iterator[Agency]:
    """An agency for one test, to be ended and started again."""
    with Agency(tmp_path / "agency") as agency:
        yield agency


@pytest.fixture
def own_alice(own_agency: Agency, tmp_path: pathlib.Path) -> Iterator[Alice]:
    with Alice(tmp_path) as alice:
        alice.provision(own_agency.provisioning())
        yield alice


@pytest.mark.parametrize("end", [Agency.stop, Agency.kill], ids=["stopped", "killed"])
def test_connect_works_when_the_agency_is_back(
    faber: Agent, own_agency: Agency, own_alice: Alice, end: Callable[[Agency], None]
) -> None:
    made = faber.invite()
    own_alice.ask("create", "faber", made["invitation"])
    end(own_agency)
    with pytest.raises(AliceError) as refused:
        own_alice.ask("connect", "faber")
    assert refused.value.code == POST_FAILED
    assert own_alice.ask("state", "faber") == INVITED

    own_agency.start()
    own_alice.ask("connect", "faber")
    own_alice.complete("faber")
    faber.wait_for_state(made, "active")


def test_a_message_survives_the_agencys_death(faber: Agent, own_agency: Agency, own_alice: Alice) -> None:
    made = faber.invite()
    own_alice.accept("faber", made["invitation"])
    own_alice.complete("faber")
    faber.send_message(faber.wait_for_state(made, "active"), "before the power failed")
    own_alice.receive("faber", "message")
    own_agency.kill()
    with pytest.raises(AliceError) as refused:
        own_alice.ask("download", "faber", UNREAD)
    assert refused.value.code == POST_FAILED
    own_agency.start()
    assert "before the power failed" in own_alice.receive("faber", "message")["text"]


# The process dies between download and status update


def stored_request(faber: Agent, alice: Alice) -> dict[str, Any]:
    """Alice has sent a request and stored the connection. Returns Faber's invitation."""
    made = faber.invite()
    alice.accept("faber", made["invitation"])
    alice.ask("add_record", "connection", "faber", alice.ask("serialize", "faber"))
    return made


def come_back(alice: Alice) -> None:
    """A new process restores the connection from the wallet."""
    alice.kill()
    alice.restart()
    alice.ask("deserialize", "faber", alice.ask("get_record", "connection", "faber"))


def test_a_response_that_was_applied_and_not_stored_is_applied_after_the_restart(faber: Agent, alice: Alice) -> None:
    stored_request(faber, alice)
    response = alice.receive("faber", "aries")
    assert alice.ask("update_with", "faber", response["text"]) == COMPLETED
    come_back(alice)
    assert alice.ask("state", "faber") == REQUESTED
    alice.complete("faber")


def test_a_response_that_was_stored_and_not_marked_is_not_applied_again(faber: Agent, alice: Alice) -> None:
    stored_request(faber, alice)
    response = alice.receive("faber", "aries")
    assert alice.ask("update_with", "faber", response["text"]) == COMPLETED
    text = alice.ask("serialize", "faber")
    alice.ask("update_record", "connection", "faber", text)
    come_back(alice)
    assert [m["uid"] for m in alice.ask("download", "faber", UNREAD)] == [response["uid"]]
    assert alice.ask("update_with", "faber", response["text"]) == COMPLETED
    assert alice.ask("serialize", "faber") == text
    alice.ask("mark_read", response)
    assert alice.ask("download", "faber", UNREAD) == []


def test_a_message_that_was_downloaded_and_not_marked_comes_again_until_it_is(faber: Agent, alice: Alice) -> None:
    made = stored_request(faber, alice)
    alice.complete("faber")
    alice.ask("update_record", "connection", "faber", alice.ask("serialize", "faber"))
    faber.send_message(faber.wait_for_state(made, "active"), "once")
    first = alice.receive("faber", "message")
    come_back(alice)
    assert alice.receive("faber", "message")["uid"] == first["uid"]
    alice.ask("mark_read", first)
    come_back(alice)
    assert alice.unread("faber", "message") == 0


# Agencies that answer wrongly

ANSWERS = {
    "500": (500, b"Internal Server Error", {POST_FAILED}),
    "413": (413, b"Payload Too Large", {POST_FAILED}),
    "refused as malformed": (400, b'{"statusCode":"GNR-115","statusMsg":"malformed"}', {INVALID_REQUEST}),
    "nothing": (200, b"", {INVALID_ANSWER}),
    "a web page": (200, b"<!DOCTYPE html><title>Welcome</title>", {INVALID_ANSWER}),
    "half an envelope": (200, b'{"protected":"eyJ', {INVALID_ANSWER}),
    "an empty object": (200, b"{}", {INVALID_ANSWER}),
    "bytes": (200, bytes(range(256)), {INVALID_ANSWER}),
    "deep JSON": (200, b"[" * 100_000, {INVALID_ANSWER}),
}
each_answer = pytest.mark.parametrize(("status", "body", "codes"), ANSWERS.values(), ids=ANSWERS)


@contextmanager
def broken_agency(status: int, body: bytes) -> Iterator[str]:
    """A server that answers every request alike; yields its endpoint."""

    class Broken(Handler):
        def do_POST(self) -> None:
            self.body()
            self.answer(status, body)

    with LoopbackServer(Broken) as server:
        yield server.endpoint


@each_answer
def test_provisioning_at_a_broken_agency_fails_and_can_be_repeated(
    agency: Agency, tmp_path: pathlib.Path, status: int, body: bytes, codes: set[int]
) -> None:
    with broken_agency(status, body) as endpoint, Alice(tmp_path) as alice:
        with pytest.raises(AliceError) as refused:
            alice.provision({**agency.provisioning(), "agency_endpoint": endpoint})
        assert refused.value.code in codes
        alice.provision(agency.provisioning())


@each_answer
def test_a_broken_agency_harms_no_connection(
    faber: Agent, alice: Alice, status: int, body: bytes, codes: set[int]
) -> None:
    made, working = faber.invite(), alice.config
    with broken_agency(status, body) as endpoint:
        alice.config = {**working, "agency_endpoint": endpoint}
        alice.restart()
        alice.ask("create", "faber", made["invitation"])
        with pytest.raises(AliceError) as refused:
            alice.ask("connect", "faber")
        assert refused.value.code in codes
        assert alice.ask("state", "faber") == INVITED
        text = alice.ask("serialize", "faber")
    alice.config = working
    alice.restart()
    alice.ask("deserialize", "faber", text)
    alice.ask("connect", "faber")
    alice.complete("faber")
