"""A stand-in of Credo's mediator as the Cloud Agent, with each of its rules on and off."""

from __future__ import annotations

import pathlib
from collections.abc import Iterator
from typing import Any

import pytest

from acapy import Agent
from alice import Alice, AliceError
from credo_mediator import CredoMediator, Rules

VARIANTS = {
    "as it is": {},
    "without marks": {"marks_as_sending": False},
    "never deletes": {"deletes": False},
    "discloses nothing": {"discloses": False},
    "older prefix": {"older_prefix": True},
    "keys in base58": {"did_keys": False},
    "base64": {"encoding": "base64"},
    "base64url": {"encoding": "base64url"},
    "pickup 1.0 only": {"pickup": ("1.0",)},
    "drops nothing": {"queues_only_for_queue_endpoint": False, "second_request_spoils": False},
}


@pytest.fixture
def mediator() -> Iterator[CredoMediator]:
    with CredoMediator() as mediator:
        yield mediator


def meet(faber: Agent, alice: Alice) -> str:
    """Connects Alice with Faber, who invites; returns the connection's id at Faber."""
    made = faber.invite()
    alice.accept("faber", made["invitation"])
    alice.complete("faber")
    return faber.wait_for_state(made, "active")


@pytest.mark.parametrize("changes", VARIANTS.values(), ids=VARIANTS)
def test_each_message_arrives_once(faber: Agent, tmp_path: pathlib.Path, changes: dict[str, Any]) -> None:
    with CredoMediator(Rules(**changes)) as mediator, Alice(tmp_path) as alice:
        alice.provision(mediator.provisioning())
        connection = meet(faber, alice)
        texts = [f"message {number}" for number in range(12)]
        for text in texts:
            faber.send_message(connection, text)
        faber.wait_until("all messages", lambda: alice.unread("faber", "message") >= len(texts))
        got = [m["text"] for m in alice.ask("download", "faber", "MS-103") if m["kind"] == "message"]
        assert [sum(f'"{text}"' in each for each in got) for text in texts] == [1] * len(texts)
        assert mediator.received.count("mediate-request") == 1
        if mediator.rules.deletes:
            assert mediator.waiting == 0


@pytest.mark.parametrize("lost", ["request", "mediate-request", "ack"])
def test_provisioning_is_repeated_after_a_lost_answer(
    mediator: CredoMediator, faber: Agent, tmp_path: pathlib.Path, lost: str
) -> None:
    seen: list[str] = []

    def first(name: str) -> bool:
        seen.append(name)
        return name == lost and seen.count(name) == 1

    mediator.before = first
    asked = mediator.provisioning()
    with Alice(tmp_path) as alice:
        for _ in range(3):
            try:
                alice.provision(asked)
                break
            except AliceError as error:
                assert error.code == 1020
        assert max(client.requests for client in mediator.clients.values()) == 1
        connection = meet(faber, alice)
        faber.send_message(connection, "to Alice")
        assert "to Alice" in alice.receive("faber", "message")["text"]


def test_a_refusal_says_so(tmp_path: pathlib.Path) -> None:
    with CredoMediator(Rules(grants=False)) as mediator, Alice(tmp_path) as alice:
        with pytest.raises(AliceError, match="denies mediation") as caught:
            alice.provision(mediator.provisioning())
        assert caught.value.code == 1010


def test_an_unreachable_mediator_is_named(mediator: CredoMediator, tmp_path: pathlib.Path) -> None:
    asked = mediator.provisioning()
    mediator.stop()
    with Alice(tmp_path) as alice, pytest.raises(AliceError, match="127.0.0.1") as caught:
        alice.provision(asked)
    assert caught.value.code == 1010


def test_a_client_that_dies_between_delivery_and_disk_gets_its_messages(
    mediator: CredoMediator, faber: Agent, tmp_path: pathlib.Path
) -> None:
    with Alice(tmp_path) as alice:
        alice.provision(mediator.provisioning())
        connection, state = meet(faber, alice), alice.ask("serialize", "faber")
        faber.send_message(connection, "to Alice")
        faber.wait_until("the message at the mediator", lambda: mediator.waiting)
        for client in mediator.clients.values():  # as if a delivery had been lost with its reader
            client.sending = {name for name, _ in client.queue}
        alice.restart()
        alice.ask("deserialize", "faber", state)
        assert "to Alice" in alice.receive("faber", "message")["text"]
