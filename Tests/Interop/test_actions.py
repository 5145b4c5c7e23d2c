"""Actions of a connection besides its handshake, with a real ACA-Py."""

from __future__ import annotations

import json
from typing import Any

import pytest

from acapy import Agent
from alice import COMPLETED, Alice, AliceError, wait_until
from peer import message
from process import PeerError


def connected_to_faber(faber: Agent, alice: Alice) -> str:
    made = faber.invite()
    alice.accept("faber", made["invitation"])
    alice.complete("faber")
    return faber.wait_for_state(made, "active")


def test_a_known_inviter_consents_to_reuse(faber: Agent, alice: Alice) -> None:
    first = faber.invite("oob", did_method="did:peer:4")["invitation"]
    alice.accept("faber", first)
    alice.complete("faber")
    second = faber.invite("oob", did_method="did:peer:4")["invitation"]
    assert alice.ask("existing", first, ["faber"]) == [0, "invitation"]
    assert alice.ask("existing", second, ["faber"]) == [0, "inviter"]
    assert alice.ask("existing", faber.invite()["invitation"], ["faber"]) == [None, "none"]

    alice.ask("do", "faber", "send_reuse", second)
    consent = alice.receive("faber", "handshake-reuse-accepted")
    assert alice.ask("update", "faber") == COMPLETED
    assert alice.unread("faber", "handshake-reuse-accepted") == 1, "update_state leaves it for the application"
    assert json.loads(consent["text"])["~thread"]["pthid"] == second["@id"]


def test_an_inviter_that_hangs_up_ends_the_connection(faber: Agent, alice: Alice) -> None:
    """ACA-Py forgets the connection before it sends the hangup, and finds the way to Alice in a cache, which may have
    lost it. Then it fails, and another connection is tried."""
    for attempt in range(3):
        made = faber.invite("oob", handshake=["didexchange/1.1"])
        alice.accept("faber", made["invitation"])
        alice.complete("faber")
        connection = faber.wait_for_state(made, "active")
        faber.send_message(connection, "goodbye")
        alice.receive("faber", "message")
        try:
            faber.call("POST", f"/did-rotate/{connection}/hangup")
            break
        except PeerError as error:
            assert attempt < 2 and "500" in str(error), "the hangup was sent in none of three attempts"
    wait_until("the end of the connection", lambda: alice.ask("update", "faber") == 0, 20)
    assert alice.ask("do", "faber", "problem_report")["@type"].endswith("/did-rotate/1.0/hangup")


def test_features_are_asked_for_and_told(faber: Agent, alice: Alice) -> None:
    connection = connected_to_faber(faber, alice)
    alice.ask("do", "faber", "send_discovery_features", "https://didcomm.org/basicmessage/*", "what can you do?")

    def disclosed() -> Any:
        alice.ask("update", "faber")
        return alice.ask("do", "faber", "info")["their"].get("protocols")

    protocols = wait_until("the peer's protocols", disclosed, 20)
    assert "https://didcomm.org/basicmessage/1.0" in [each["pid"] for each in protocols]

    for version, asked, found in (
        ("discover-features", {"query": "https://didcomm.org/trust_ping/*"}, "disclose"),
        ("discover-features-2.0", {"query_protocol": "https://didcomm.org/trust_ping/*"}, "disclosures"),
    ):
        path = "query" if version == "discover-features" else "queries"
        faber.call("GET", f"/{version}/{path}", connection_id=connection, **asked)

        def told() -> bool:
            alice.ask("update", "faber")
            records = faber.call("GET", f"/{version}/records", connection_id=connection)["results"]
            return "https://didcomm.org/trust_ping/1.0" in json.dumps([record.get(found) for record in records])

        wait_until(f"Faber to know our protocols by {version}", told, 20)


def test_both_sides_know_each_other(faber: Agent, alice: Alice) -> None:
    connection = connected_to_faber(faber, alice)
    theirs = faber.call("GET", f"/connections/{connection}")
    assert alice.ask("do", "faber", "their_pw_did") == theirs["my_did"]
    info = alice.ask("do", "faber", "info")
    assert (info["my"]["did"], info["their"]["did"]) == (theirs["their_did"], theirs["my_did"])
    assert alice.ask("do", "faber", "problem_report") is None


def test_a_pairwise_agent_made_in_advance_is_used(faber: Agent, alice: Alice) -> None:
    made = faber.invite()
    info = alice.ask("library", "create_pairwise_agent")
    alice.ask("create", "faber", made["invitation"])
    alice.ask("connect", "faber", {"pairwise_agent_info": info})
    alice.complete("faber")
    connection = faber.wait_for_state(made, "active")
    assert faber.call("GET", f"/connections/{connection}")["their_did"] == info["pw_did"]


def test_peers_see_the_name_as_it_was_changed(faber: Agent, alice: Alice) -> None:
    alice.ask("library", "update_institution_info", "Alicia", "http://logo.example/a.png")
    connection = connected_to_faber(faber, alice)
    assert faber.call("GET", f"/connections/{connection}")["their_label"] == "Alicia"


def test_one_message_is_downloaded_by_its_id(faber: Agent, alice: Alice) -> None:
    connection = connected_to_faber(faber, alice)
    faber.send_message(connection, "one of many")
    listed = alice.receive("faber", "message")
    downloaded = alice.ask("library", "messages.get", listed["uid"])
    assert downloaded == listed
    assert alice.ask("library", "extract_thread_id", downloaded["text"]) == json.loads(downloaded["text"])["@id"]
    alice.ask("mark_read", downloaded)
    assert alice.unread("faber", "message") == 0


def test_a_message_attached_to_an_invitation_is_read(faber: Agent, alice: Alice) -> None:
    attached = {"@type": "https://didcomm.org/present-proof/1.0/request-presentation", "@id": "1"}
    invitation = faber.invite("oob")["invitation"]
    invitation["requests~attach"] = [{"@id": "a", "data": {"json": attached}}]
    assert json.loads(alice.ask("library", "extract_attached_message", invitation)) == attached


def test_a_deleted_connection_is_gone_and_can_be_deleted_again(faber: Agent, alice: Alice) -> None:
    connection = connected_to_faber(faber, alice)
    text = alice.ask("serialize", "faber")
    did = alice.ask("pw_did", "faber")
    alice.ask("do", "faber", "delete")
    with pytest.raises(AliceError) as refused:
        alice.ask("update", "faber")
    assert refused.value.code == 1003

    faber.send_message(connection, "too late")
    alice.ask("deserialize", "faber", text)
    alice.ask("do", "faber", "delete")
    assert did not in json.dumps(alice.ask("library", "messages.download", None))
