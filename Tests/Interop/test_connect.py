"""The main job with a real ACA-Py: connect, ping, write, and come back in another process."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from acapy import Agent
from alice import COMPLETED, Alice

FORMS = {
    "connections 1.0": {"kind": "c_i"},
    "out-of-band 1.0": {"kind": "oob", "version": "1.0"},
    "out-of-band 1.1": {"kind": "oob", "version": "1.1"},
    "connections 1.0 for many": {"kind": "c_i", "multi_use": True},
}
each_form = pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)


def connected(faber: Agent, alice: Alice) -> str:
    """Connects Alice with Faber; returns the connection's id at Faber."""
    made = faber.invite()
    alice.accept("faber", made["invitation"])
    alice.complete("faber")
    return faber.wait_for_state(made, "active")


@each_form
def test_an_invitation_becomes_a_connection_on_both_sides(faber: Agent, alice: Alice, form: dict[str, Any]) -> None:
    made = faber.invite(**form)
    invitation = alice.ask("resolve", made["invitation_url"])
    assert invitation == made["invitation"]
    alice.accept("faber", invitation)
    assert alice.ask("details", "faber")["@id"] == invitation["@id"]
    alice.complete("faber")
    connection = faber.wait_for_state(made, "active")
    theirs = faber.call("GET", f"/connections/{connection}")
    assert (theirs["their_label"], theirs["their_did"]) == ("Alice", alice.ask("pw_did", "faber"))


def test_pings_are_answered_both_ways(faber: Agent, alice: Alice) -> None:
    connection = connected(faber, alice)
    alice.ask("ping", "faber", "are you there?")
    faber.wait_for_ping("are you there?")
    alice.ask("mark_read", alice.receive("faber", "ping-response"))

    thread = faber.send_ping(connection)
    alice.receive("faber", "ping")
    assert alice.ask("update", "faber") == COMPLETED
    faber.wait_for_ping_response(thread)
    assert alice.unread("faber", "ping") == 0


def test_messages_go_both_ways(faber: Agent, alice: Alice) -> None:
    connection = connected(faber, alice)
    alice.ask("send", "faber", "Grüße, “Faber”")
    assert faber.wait_for_message(connection) == "Grüße, “Faber”"

    faber.send_message(connection, "Grüße zurück")
    message = alice.receive("faber", "message")
    assert '"Grüße zurück"' in message["text"] or "Gr\\u00fc\\u00dfe zur\\u00fcck" in message["text"]
    assert alice.ask("update", "faber") == COMPLETED
    assert alice.unread("faber", "message") == 1, "update_state takes no message from the reader"
    alice.ask("mark_read", message)
    assert alice.unread("faber", "message") == 0


@each_form
@pytest.mark.parametrize("steps", [1, 2, 3], ids=["invited", "requested", "completed"])
def test_a_connection_moves_to_another_process_in_every_state(
    faber: Agent, alice: Alice, form: dict[str, Any], steps: int
) -> None:
    made = faber.invite(**form)
    story: list[Callable[[], Any]] = [
        lambda: alice.ask("create", "faber", made["invitation"]),
        lambda: alice.ask("connect", "faber"),
        lambda: alice.complete("faber"),
    ]
    for step in story[:steps]:
        step()
    text = alice.ask("serialize", "faber")
    alice.ask("add_record", "connection", "faber", text)

    alice.restart()
    assert alice.ask("get_record", "connection", "faber") == text
    alice.ask("deserialize", "faber", text)
    assert alice.ask("state", "faber") == steps + 1
    assert alice.ask("serialize", "faber") == text
    for step in story[steps:]:
        step()
    faber.send_message(faber.wait_for_state(made, "active"), "still there?")
    assert "still there?" in alice.receive("faber", "message")["text"]
