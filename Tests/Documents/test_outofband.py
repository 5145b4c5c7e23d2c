"""The table of out-of-band invitations: with or without a handshake and an attached message, known or not."""

from __future__ import annotations

import base64
import json

import pytest

from app import JSON, App, content_of
from meeting import COMPLETED, complete, invite, meet_faber
from peer import Peer
from samples import ATTACHED_QUESTION, KEY, OUT_OF_BAND_INVITATION, PROOF_REQUEST, attachment, fresh

CHAPTER = "Out-of-Band"
INVITED = 2
UNUSABLE = 1104
ANSWER: JSON = ATTACHED_QUESTION["valid_responses"][0]


def attached(app: App, invitation: JSON) -> JSON:
    return dict(app.given("extract_attached_message", invitation))


def answered(app: App, handle: int, question: JSON, faber: App, theirs: int) -> None:
    """Answers a question over a connection; the answer reaches Faber."""
    app.vcx("connection_send_answer", handle, question, ANSWER)
    answer = content_of(faber.await_pending(theirs, "committed-answer"))
    assert answer["~thread"]["thid"] == question["@id"]
    assert base64.b64decode(answer["response.@sig"]["sig_data"]).decode() == ANSWER["nonce"]


def test_an_invitation_without_handshake_and_attachment_is_refused(app: App) -> None:
    bare = {**OUT_OF_BAND_INVITATION, "handshake_protocols": [], "request~attach": []}
    assert app.refusal("connection_create_with_outofband_invitation", "faber", bare).code == UNUSABLE
    del bare["handshake_protocols"], bare["request~attach"]
    assert app.refusal("connection_create_with_outofband_invitation", "faber", bare).code == UNUSABLE


def test_a_handshake_connects(app: App, faber: App) -> None:
    theirs, invitation = invite(faber)
    handle = app.vcx("connection_create_with_outofband_invitation", "faber", invitation)
    assert app.vcx("connection_get_state", handle) == INVITED
    app.vcx("connection_connect", handle, {})
    complete(app, handle, faber, theirs)


def test_an_attachment_alone_is_answered_at_once(app: App, faber: App) -> None:
    theirs, invitation = invite(faber, fresh(ATTACHED_QUESTION), handshake=False)
    handle = app.vcx("connection_create_with_outofband_invitation", "faber", invitation)
    assert app.vcx("connection_get_state", handle) == COMPLETED
    answered(app, handle, attached(app, invitation), faber, theirs)


def test_an_attached_proof_request_alone_makes_a_proof(app: App, faber: App) -> None:
    _, invitation = invite(faber, PROOF_REQUEST, handshake=False)
    assert app.vcx("connection_create_with_outofband_invitation", "faber", invitation)
    assert app.vcx("disclosed_proof_create_with_request", "proof", attached(app, invitation))


def test_a_handshake_and_an_attachment_connect_and_then_answer(app: App, faber: App) -> None:
    theirs, invitation = invite(faber, fresh(ATTACHED_QUESTION))
    handle = app.vcx("connection_create_with_outofband_invitation", "faber", invitation)
    app.vcx("connection_connect", handle, {})
    complete(app, handle, faber, theirs)
    answered(app, handle, attached(app, invitation), faber, theirs)


def test_a_handshake_with_a_known_inviter_is_a_reuse(app: App, faber: App) -> None:
    handle, theirs, _ = meet_faber(app, faber)
    _, invitation = invite(faber, public_did=True)
    app.vcx("connection_send_reuse", handle, invitation)
    faber.vcx("connection_update_state", theirs)
    assert content_of(app.await_pending(handle, "handshake-reuse-accepted"))["~thread"]["pthid"] == invitation["@id"]


def test_an_attachment_of_a_known_inviter_is_answered_over_the_connection(app: App, faber: App) -> None:
    handle, theirs, _ = meet_faber(app, faber)
    _, invitation = invite(faber, fresh(ATTACHED_QUESTION), handshake=False, public_did=True)
    answered(app, handle, attached(app, invitation), faber, theirs)


def test_a_handshake_and_an_attachment_of_a_known_inviter_are_a_reuse_and_an_answer(app: App, faber: App) -> None:
    handle, theirs, _ = meet_faber(app, faber)
    _, invitation = invite(faber, fresh(ATTACHED_QUESTION), public_did=True)
    app.vcx("connection_send_reuse", handle, invitation)
    faber.vcx("connection_update_state", theirs)
    app.review(app.await_pending(handle, "handshake-reuse-accepted"))
    answered(app, handle, attached(app, invitation), faber, theirs)


@pytest.mark.parametrize("form", ["json", "base64", "json as text"])
def test_the_attached_message_is_extracted_from_each_form(app: App, form: str) -> None:
    by_json = [{"@id": "request-0", "mime-type": "application/json", "data": {"json": ATTACHED_QUESTION}}]
    by_text = [{**by_json[0], "data": {"json": json.dumps(ATTACHED_QUESTION)}}]
    forms = {"json": by_json, "base64": attachment("request-0", ATTACHED_QUESTION), "json as text": by_text}
    assert attached(app, {**OUT_OF_BAND_INVITATION, "request~attach": forms[form]}) == ATTACHED_QUESTION


def test_a_connection_is_known_by_the_key_of_its_service(app: App) -> None:
    handle = app.vcx("connection_create_with_outofband_invitation", "faber", OUT_OF_BAND_INVITATION)
    assert app.given("connection_invite_details", handle, False)["service"][0]["recipientKeys"][0] == KEY


def test_the_request_for_the_sample_reaches_its_service(app: App, peer: Peer) -> None:
    """The sample's service with the endpoint and the key of a peer: the request reaches it."""
    service = {**OUT_OF_BAND_INVITATION["service"][0], "serviceEndpoint": peer.endpoint, "routingKeys": []}
    service["recipientKeys"] = [peer.invitation_key.verkey]
    handle = app.vcx("connection_create_with_outofband_invitation", "peer", {**OUT_OF_BAND_INVITATION, "service": [service]})
    app.vcx("connection_connect", handle, {})
    request, _ = peer.receive("didexchange/1.0/request")
    assert request["~thread"]["pthid"] == OUT_OF_BAND_INVITATION["@id"]
