"""Actions of a connection besides its handshake: with a real ACA-Py, or with the scripted peer."""

from __future__ import annotations

import base64
import hashlib
import json
from typing import Any

import pytest
from nacl.exceptions import BadSignatureError
from nacl.signing import VerifyKey

from acapy import Agent
from agency import Agency
from alice import COMPLETED, Alice, AliceError, wait_until
from envelope import JSON, b58decode, b64decode
from peer import Peer, message
from process import PeerError

NOT_READY, INVALID_JSON, OTHER_PROTOCOL = 1005, 1016, 1103


def connected_to_faber(faber: Agent, alice: Alice) -> str:
    made = faber.invite()
    alice.accept("faber", made["invitation"])
    alice.complete("faber")
    return faber.wait_for_state(made, "active")


def connected_to_mallory(alice: Alice, mallory: Peer) -> JSON:
    """Returns Alice's request, which says how to reach her."""
    alice.accept("mallory", mallory.invitation())
    request = mallory.receive("connections/1.0/request")[0]
    mallory.send(mallory.response(request), request, mallory.invitation_key)
    alice.complete("mallory")
    mallory.receive_confirmation()
    return request


# With ACA-Py


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


def test_what_is_attached_to_an_invitation_is_read(faber: Agent, alice: Alice) -> None:
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


# With the scripted peer

QUESTION: JSON = {
    "question_text": "Möchten Sie?",
    "question_detail": "…",
    "nonce": "7c1e",
    "signature_required": True,
    "valid_responses": [{"text": "Ja"}, {"text": "Nein"}],
}


def expiring(time: str) -> JSON:
    return {"~timing": {"expires_time": time}}


def verifies(verkey: str, data: bytes, signature: bytes) -> bool:
    try:
        VerifyKey(b58decode(verkey)).verify(data, signature)
    except BadSignatureError:
        return False
    return True


def ask_question(alice: Alice, mallory: Peer, request: JSON, question: JSON, kind: str) -> str:
    """Mallory asks; returns the question as Alice's application sees it."""
    mallory.send(question, request, mallory.key)
    received = alice.receive("mallory", kind)
    assert alice.ask("update", "mallory") == COMPLETED
    assert alice.unread("mallory", kind) == 1, "update_state leaves it for the application"
    assert json.loads(received["text"]) == question
    return str(received["text"])


def test_a_question_is_answered_and_the_answer_signed(alice: Alice, mallory: Peer) -> None:
    request = connected_to_mallory(alice, mallory)
    question = {**message("questionanswer/1.0/question", **QUESTION), **expiring("2999-01-01T00:00:00Z")}
    text = ask_question(alice, mallory, request, question, "question")
    alice.ask("do", "mallory", "send_answer", text, {"text": "Ja"})

    answer, sender = mallory.receive("questionanswer/1.0/answer")
    assert sender is not None
    assert (answer["response"], answer["~thread"]["thid"]) == ("Ja", question["@id"])
    assert answer["~thread"]["received_orders"] == {mallory.key.did: 0}
    field = answer["response~sig"]
    signed = hashlib.sha512("Möchten Sie?Ja7c1e".encode()).digest()
    assert field["signers"] == [sender] and b64decode(field["sig_data"]) == signed
    assert verifies(sender, signed, b64decode(field["signature"]))


def test_a_committed_question_is_answered(alice: Alice, mallory: Peer) -> None:
    request = connected_to_mallory(alice, mallory)
    responses = [{"text": "Yes", "nonce": "n-yes"}, {"text": "No", "nonce": "n-no"}]
    question = message("committedanswer/1.0/question", question_text="Pay?", valid_responses=responses)
    text = ask_question(alice, mallory, request, question, "committed-question")
    alice.ask("do", "mallory", "send_answer", text, {"text": "No"})

    answer, sender = mallory.receive("committedanswer/1.0/answer")
    assert sender is not None
    field = answer["response.@sig"]
    assert base64.b64decode(field["sig_data"]) == b"n-no"
    assert verifies(sender, field["sig_data"].encode(), base64.b64decode(field["signature"]))


def test_an_expired_question_is_answered(alice: Alice, mallory: Peer) -> None:
    request = connected_to_mallory(alice, mallory)
    question = {**message("questionanswer/1.0/question", **QUESTION), **expiring("2020-01-01 00:00:00Z")}
    text = ask_question(alice, mallory, request, question, "question")
    alice.ask("do", "mallory", "send_answer", text, {"text": "Ja"})
    answer, _ = mallory.receive("questionanswer/1.0/answer")
    assert answer["~thread"]["thid"] == question["@id"]


def test_an_invitation_to_act_is_sent(alice: Alice, mallory: Peer) -> None:
    connected_to_mallory(alice, mallory)
    sent = alice.ask("do", "mallory", "send_invite_action", "automotive.inspect.tire", ["ACCEPT"])
    received, _ = mallory.receive("invite-action/0.9/invite")
    assert received == sent and received["~please_ack"] == {"on": ["ACCEPT"]}


def test_signatures_are_made_and_verified(alice: Alice, mallory: Peer) -> None:
    connected_to_mallory(alice, mallory)
    own = alice.ask("do", "mallory", "info")["my"]["recipientKeys"][0]
    assert verifies(own, b"to be signed", bytes.fromhex(alice.ask("sign", "mallory", "to be signed")))
    signature = mallory.key.sign(b"by Mallory").hex()
    assert alice.ask("verify", "mallory", "by Mallory", signature)
    assert not alice.ask("verify", "mallory", "by Molly", signature)


def test_nothing_is_sent_before_the_connection_is_complete(alice: Alice, mallory: Peer) -> None:
    alice.ask("create", "mallory", mallory.invitation())
    question = message("questionanswer/1.0/question", **QUESTION)
    for method, arguments in (
        ("send_reuse", [message("out-of-band/1.1/invitation")]),
        ("send_discovery_features", []),
        ("send_answer", [question, {"text": "Ja"}]),
        ("send_invite_action", ["x"]),
    ):
        with pytest.raises(AliceError) as refused:
            alice.ask("do", "mallory", method, *arguments)
        assert refused.value.code == NOT_READY, method


def test_a_proprietary_invitation_is_shown_and_not_connected(alice: Alice) -> None:
    delegation = {"agentDID": "a", "agentDelegatedKey": "b", "signature": "c"}
    sender = {"name": "Faber", "DID": "XNKZvMcN2Bx3mu6oMiRfds", "agentKeyDlgProof": delegation}
    sender["verKey"] = "4wBqpZM9xaSheZzJSMawUKKwhdpChKbZ5eu5ky4Vigw"
    agency = {"DID": "a", "verKey": "b", "endpoint": "http://agency.example"}
    texts = {"statusCode": "MS-101", "statusMsg": "", "targetName": "", "@type": ""}
    invitation = {"connReqId": "1", "senderDetail": sender, "senderAgencyDetail": agency, **texts}
    alice.ask("create", "faber", invitation)
    assert alice.ask("do", "faber", "invite_details") == invitation
    assert alice.ask("do", "faber", "invite_details", True)["s"]["dp"] == {"d": "a", "k": "b", "s": "c"}
    assert alice.ask("existing", invitation, ["faber"]) == [0, "invitation"]
    with pytest.raises(AliceError, match="proprietary protocol is not supported") as refused:
        alice.ask("connect", "faber")
    assert refused.value.code == OTHER_PROTOCOL


# The library itself


def test_the_agency_is_asked_for_its_health(agency: Agency, alice: Alice) -> None:
    alice.ask("library", "health_check")
    agency.stop()
    try:
        with pytest.raises(AliceError) as refused:
            alice.ask("library", "health_check")
        assert refused.value.code == 1010
    finally:
        agency.start()


def test_the_library_starts_from_a_file_and_in_test_mode(alice: Alice) -> None:
    path = alice.home / "config.json"
    path.write_text(json.dumps(alice.config))
    alice.ask("library", "shutdown")
    alice.ask("library", "init_from_file", str(path))
    alice.ask("library", "health_check")
    alice.ask("library", "shutdown")
    alice.ask("library", "init_from_file", "ENABLE_TEST_MODE")
    alice.ask("add_record", "kept", "1", "in a real wallet")
    assert alice.ask("get_record", "kept", "1") == "in a real wallet"
