"""Invitations with an attached message: which message it is, and its protocol after the invitation."""

from __future__ import annotations

import json

import pytest

from alice import wait_until
from app import JSON, App, content_of
from holding import Holder
from meeting import COMPLETED, complete, invite
from proving import ACCEPTED, OLDER, Prover
from samples import ATTACHED_QUESTION, CREDENTIAL_OFFER, PROOF_REQUEST, attachment, fresh

CHAPTER = "9 Invitations with attachment"

KINDS = {
    "issue-credential/1.0/offer-credential": CREDENTIAL_OFFER,
    "present-proof/1.0/request-presentation": PROOF_REQUEST,
    "committedanswer/1.0/question": ATTACHED_QUESTION,
}


def connected(app: App, faber: App, message: JSON) -> tuple[int, int, JSON]:
    """A connection by an invitation with a message attached. Returns both handles and the message."""
    theirs, invitation = invite(faber, message)
    handle = app.vcx("connection_create_with_outofband_invitation", "faber", invitation)
    app.vcx("connection_connect", handle, {})
    complete(app, handle, faber, theirs)
    return handle, theirs, app.given("extract_attached_message", invitation)


@pytest.mark.parametrize("kind", KINDS)
def test_1_the_attached_message_is_told_by_its_type(app: App, faber: App, kind: str) -> None:
    _, invitation = invite(faber, KINDS[kind])
    assert app.given("extract_attached_message", invitation)["@type"].endswith(kind)


def test_1_the_items_of_a_proof_request_are_attached_to_it(app: App) -> None:
    asked = app.given("extract_attached_message", PROOF_REQUEST)
    assert asked["requested_attributes"]["attribute_1"] == {"name": "Number"}


def test_1_the_thread_of_the_attached_message_is_its_id(app: App) -> None:
    assert app.vcx("extract_thread_id", CREDENTIAL_OFFER) == CREDENTIAL_OFFER["@id"]


def test_1_the_object_of_an_attached_offer_is_made(app: App) -> None:
    assert app.vcx("credential_create_with_offer", "offer", CREDENTIAL_OFFER)


def test_1_the_object_of_an_attached_proof_request_is_made(app: App) -> None:
    assert app.vcx("disclosed_proof_create_with_request", "proof", PROOF_REQUEST)


def test_2_1_with_a_handshake_the_question_is_answered_over_the_connection(app: App, faber: App) -> None:
    handle, theirs, question = connected(app, faber, fresh(ATTACHED_QUESTION))
    app.vcx("connection_send_answer", handle, question, question["valid_responses"][0])
    assert content_of(faber.await_pending(theirs, "committed-answer"))["~thread"]["thid"] == question["@id"]


def test_2_1_with_a_handshake_the_offer_is_accepted_over_the_connection(app: App, faber: App, holder: Holder) -> None:
    """The attached offer is one that an issuer made."""
    handle, theirs, offer = connected(app, faber, json.loads(holder.receive_offer()))
    credential = app.vcx("credential_create_with_offer", "offer", offer)
    app.vcx("credential_send_request", credential, handle, 0)
    assert content_of(faber.pending(theirs)[0])["@type"].endswith("issue-credential/1.0/request-credential")


def test_2_1_with_a_handshake_the_proof_is_shared_over_the_connection(prover: Prover) -> None:
    """The verifier makes the invitation."""
    app, faber = prover.app, prover.faber
    request, invitation = faber.request_proof_without_connection(prover.wanted, OLDER, ("didexchange/1.0",))
    handle = app.vcx("connection_create_with_outofband_invitation", "verifier", invitation)
    app.vcx("connection_connect", handle, {})
    wait_until("the connection", lambda: app.vcx("connection_update_state", handle) == COMPLETED, 20)
    shared(prover, invitation, handle)
    assert faber.wait_for_proof(request)


def test_2_2_without_a_handshake_the_question_is_answered_to_the_inviter(app: App, faber: App) -> None:
    theirs, invitation = invite(faber, fresh(ATTACHED_QUESTION), handshake=False)
    handle = app.vcx("connection_create_with_outofband_invitation", "faber", invitation)
    assert app.vcx("connection_get_state", handle) == COMPLETED
    question = app.given("extract_attached_message", invitation)
    app.vcx("connection_send_answer", handle, question, question["valid_responses"][1])
    assert content_of(faber.await_pending(theirs, "committed-answer"))["~thread"]["thid"] == question["@id"]


@pytest.mark.parametrize("over", ["the invitation", "a mailbox", "no connection"])
def test_2_2_without_a_handshake_the_proof_is_shared_with_the_inviter(prover: Prover, over: str) -> None:
    """`connect` makes a mailbox for the verifier's answer; without one the answer comes at once."""
    request, invitation = prover.faber.request_proof_without_connection(prover.wanted, OLDER)
    handle = prover.app.vcx("connection_create_with_outofband_invitation", "verifier", invitation)
    assert prover.app.vcx("connection_get_state", handle) == COMPLETED
    if over == "a mailbox":
        prover.app.vcx("connection_connect", handle, {})
    proof = shared(prover, invitation, 0 if over == "no connection" else handle)
    assert prover.faber.wait_for_proof(request)
    prover.await_state(proof, ACCEPTED)


def shared(prover: Prover, invitation: JSON, handle: int) -> int:
    """The proof for the attached request, sent."""
    asked = prover.app.given("extract_attached_message", invitation)
    proof = int(prover.app.vcx("disclosed_proof_create_with_request", "proof", asked))
    prover.choose(proof)
    prover.send(proof, handle)
    return proof


def test_the_app_keeps_the_invitation_with_the_object(app: App) -> None:
    kept = {"invitation": json.dumps({"request~attach": attachment("request-0", ATTACHED_QUESTION)})}
    app.vcx("wallet_add_record", "question", ATTACHED_QUESTION["@id"], kept, {})
    stored = json.loads(app.given("wallet_get_record", "question", ATTACHED_QUESTION["@id"], {})["value"])
    assert app.given("extract_attached_message", stored["invitation"]) == ATTACHED_QUESTION
