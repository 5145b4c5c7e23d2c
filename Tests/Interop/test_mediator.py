"""Mediators as the Cloud Agent: ACA-Py without a pickup protocol, and with messagepickup 2.0."""

from __future__ import annotations

import contextlib
import pathlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from acapy import Agent, python
from alice import COMPLETED, Alice, AliceError
from mediator import Mediator
from process import PeerError

KINDS = {
    "0.12, implicit pickup": ("0.12", False),
    "0.12, pickup 2.0": ("0.12", True),
    "1.7, implicit pickup": ("1.7", False),
    "1.7, pickup 2.0": ("1.7", True),
}

Mediators = Callable[[str, bool], Mediator]


@pytest.fixture(scope="module")
def mediators(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mediators]:
    """A mediator of a version, with or without messagepickup 2.0; skips where ACA-Py is not installed."""
    running: dict[tuple[str, bool], Mediator] = {}
    with contextlib.ExitStack() as stack:

        def get(version: str, pickup: bool) -> Mediator:
            if (version, pickup) not in running:
                try:
                    python(version)
                except PeerError as error:
                    pytest.skip(error.what)
                mediator = Mediator("Mediator", tmp_path_factory.mktemp("mediator"), version, pickup)
                running[version, pickup] = stack.enter_context(mediator)
            return running[version, pickup]

        yield get


@pytest.fixture(params=KINDS.values(), ids=list(KINDS))
def mediator(request: pytest.FixtureRequest, mediators: Mediators) -> Mediator:
    """Each kind of mediator."""
    return mediators(*request.param)


@pytest.fixture
def alice(mediator: Mediator, tmp_path: pathlib.Path) -> Iterator[Alice]:
    """A process with the library, whose Cloud Agent is the mediator."""
    with Alice(tmp_path) as alice:
        alice.provision(mediator.provisioning())
        yield alice


@pytest.fixture
def bob(mediator: Mediator, tmp_path: pathlib.Path) -> Iterator[Alice]:
    """Another client of the same mediator."""
    with Alice(tmp_path / "bob") as bob:
        bob.provision(mediator.provisioning())
        yield bob


def connected(faber: Agent, alice: Alice) -> str:
    """Connects Alice with Faber, who invites; returns the connection's id at Faber."""
    made = faber.invite()
    alice.accept("faber", made["invitation"])
    alice.complete("faber")
    return faber.wait_for_state(made, "active")


def test_messages_go_both_ways(faber: Agent, alice: Alice) -> None:
    connection = connected(faber, alice)
    alice.ask("send", "faber", "to Faber")
    assert faber.wait_for_message(connection) == "to Faber"
    faber.send_message(connection, "to Alice")
    message = alice.receive("faber", "message")
    assert "to Alice" in message["text"]
    alice.ask("mark_read", message)
    assert alice.unread("faber", "message") == 0


@pytest.mark.parametrize("kind", ["c_i", "oob"])
def test_an_inviter_gets_a_connection(faber: Agent, alice: Alice, kind: str) -> None:
    theirs = faber.accept(alice.invite("faber", kind))
    alice.complete("faber")
    faber.wait_until_active(theirs)


def test_clients_of_one_mediator_connect(alice: Alice, bob: Alice) -> None:
    bob.accept("alice", alice.invite("bob", "oob"))
    for _ in range(20):
        if alice.ask("update", "bob") == bob.ask("update", "alice") == COMPLETED:
            break
    assert (alice.ask("state", "bob"), bob.ask("state", "alice")) == (COMPLETED, COMPLETED)
    bob.ask("send", "alice", "from Bob")
    assert "from Bob" in alice.receive("bob", "message")["text"]


def test_many_messages_arrive_once_each(faber: Agent, alice: Alice) -> None:
    connection = connected(faber, alice)
    texts = [f"message {number}" for number in range(30)]
    for text in texts:
        faber.send_message(connection, text)
    got: list[Any] = []

    def collect() -> bool:
        got[:] = [m for m in alice.ask("download", "faber", "MS-103") if m["kind"] == "message"]
        return len(got) >= len(texts)

    faber.wait_until("all messages", collect)
    assert sorted(text for text in texts for m in got if f'"{text}"' in m["text"]) == sorted(texts)
    assert len(got) == len(texts)


def test_messages_that_wait_survive_a_restart_of_the_client(faber: Agent, alice: Alice) -> None:
    connection = connected(faber, alice)
    state = alice.ask("serialize", "faber")
    faber.send_message(connection, "before")
    alice.receive("faber", "message")
    alice.kill()
    faber.send_message(connection, "meanwhile")
    alice.start()
    alice.ask("init", alice.config)
    alice.ask("deserialize", "faber", state)
    faber.wait_until("both messages", lambda: alice.unread("faber", "message") == 2)


def test_provisioning_again_gives_the_same_place(mediator: Mediator, tmp_path: pathlib.Path) -> None:
    with Alice(tmp_path) as alice:
        asked = mediator.provisioning()
        alice.provision(asked)
        first = alice.config
        alice.stop()
        alice.start()
        alice.provision(asked)
        assert alice.config == first


def test_a_deleted_connection_leaves_the_list_of_keys(faber: Agent, mediator: Mediator, alice: Alice) -> None:
    before = mediator.keys()
    connected(faber, alice)
    assert len(mediator.keys()) == len(before) + 1
    alice.ask("do", "faber", "delete")
    assert mediator.keys() == before


def test_push_without_a_protocol_for_it_is_an_error(alice: Alice) -> None:
    with pytest.raises(AliceError) as caught:
        alice.ask("hear_by", "phone", "FCM:token", 1)
    assert caught.value.code == 1103
