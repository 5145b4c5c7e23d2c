"""Credentials: from an offer until the credential is stored, rejected or deleted."""

from __future__ import annotations

import json
from typing import Any

import pytest

from app import App, content_of, text_of
from holding import STORED, VALUES, Holder
from meeting import Contact, meet_peer
from peer import Peer, message
from samples import CREDENTIAL_OFFER, OLDER_CREDENTIAL_OFFER, fresh

CHAPTER = "6 Credentials"
OFFER_RECEIVED, REQUEST_SENT, REJECTED = 3, 2, 9
NO_SUCH_CREDENTIAL = 1053


@pytest.fixture
def contact(app: App, peer: Peer) -> Contact:
    return meet_peer(app, peer)


def offered(contact: Contact) -> int:
    """A credential object of an offer that was downloaded."""
    contact.send(fresh(CREDENTIAL_OFFER))
    offer = text_of(contact.app.await_pending(contact.handle, "credential-offer"))
    return int(contact.app.vcx("credential_create_with_offer", "diploma", offer))


def test_1_an_offer_is_among_the_pending_messages(contact: Contact) -> None:
    sent = contact.send(fresh(CREDENTIAL_OFFER))
    received = contact.app.await_pending(contact.handle, "credential-offer")
    assert content_of(received) == sent
    contact.app.review(received)
    assert contact.app.pending() == []


def test_1_the_offer_holds_the_name_and_the_attributes_to_show(contact: Contact) -> None:
    contact.send(fresh(CREDENTIAL_OFFER))
    offer = content_of(contact.app.await_pending(contact.handle, "credential-offer"))
    assert (offer["comment"], offer["credential_preview"]["attributes"][1]) == ("Diploma", {"name": "GPA", "value": "4.0"})
    assert contact.app.vcx("extract_thread_id", offer) == offer["@id"]


def test_1_the_offer_is_parsed(app: App) -> None:
    parsed = app.given("credential_parse_offer", CREDENTIAL_OFFER)
    assert parsed["attributes"] == CREDENTIAL_OFFER["credential_preview"]["attributes"]
    assert parsed["thid"] == CREDENTIAL_OFFER["@id"]


@pytest.mark.parametrize("offer", [CREDENTIAL_OFFER, OLDER_CREDENTIAL_OFFER], ids=["4.0", "3.0"])
def test_2_a_credential_is_made_of_the_offer(app: App, offer: Any) -> None:
    assert app.vcx("credential_get_state", app.vcx("credential_create_with_offer", "diploma", offer)) == OFFER_RECEIVED


def test_2_a_credential_is_stored_and_restored(contact: Contact) -> None:
    text = contact.app.vcx("credential_serialize", offered(contact))
    again = contact.app.vcx("credential_deserialize", text)
    assert contact.app.vcx("credential_get_state", again) == OFFER_RECEIVED


def test_2_the_offers_of_a_connection_are_listed(contact: Contact) -> None:
    sent = contact.send(fresh(CREDENTIAL_OFFER))
    assert contact.app.given("credential_get_offers", contact.handle) == [sent]


def test_3_the_request_is_sent(holder: Holder) -> None:
    credential = holder.offered()
    holder.request(credential)
    assert holder.app.vcx("credential_get_state", credential) == REQUEST_SENT


def test_3_a_requested_credential_is_stored(holder: Holder) -> None:
    credential = holder.offered()
    holder.request(credential)
    text, connection = (
        holder.app.vcx("credential_serialize", credential), holder.app.vcx("connection_serialize", holder.connection)
    )
    holder.app.restart()
    again = holder.app.vcx("credential_deserialize", text)
    assert holder.app.vcx("credential_get_state", again) == REQUEST_SENT
    assert holder.app.vcx("connection_deserialize", connection)


def test_3_polling_receives_the_credential(holder: Holder) -> None:
    credential = holder.offered()
    holder.request(credential)
    state = -1
    while state != STORED:
        state = holder.app.vcx("credential_update_state", credential)
    assert holder.app.given("credential_get_info", credential)["attrs"] == VALUES


def test_3_the_downloaded_credential_is_received(holder: Holder) -> None:
    credential = holder.offered()
    holder.request(credential)
    received = holder.app.await_pending(holder.connection, "credential")
    assert content_of(received)["@type"].endswith("issue-credential")
    assert holder.app.vcx("credential_update_state_with_message", credential, text_of(received)) == STORED
    holder.app.review(received)


def test_3_an_offer_is_accepted_in_one_call(holder: Holder) -> None:
    offer = holder.receive_offer()
    credential, text = holder.app.vcx("credential_accept_credential_offer", "diploma", offer, holder.connection)
    assert holder.app.vcx("credential_get_state", credential) == REQUEST_SENT
    serialized = json.loads(text)
    assert serialized["version"] == "2.0" and serialized["data"]["holder_sm"]["source_id"] == "diploma"


def test_4_an_offer_is_rejected(contact: Contact) -> None:
    credential = offered(contact)
    contact.app.vcx("credential_reject", credential, contact.handle, "Rejection comment")
    assert contact.app.vcx("credential_get_state", credential) == REJECTED
    assert contact.app.vcx("credential_serialize", credential)
    contact.peer.receive("issue-credential/1.0/problem-report")


def test_only_a_stored_credential_is_deleted(contact: Contact) -> None:
    credential = offered(contact)
    assert contact.app.refusal("delete_credential", credential).code == 1005
    assert contact.app.refusal("credential_get_state", credential).code == 1053


def test_a_stored_credential_is_deleted(holder: Holder) -> None:
    credential = holder.stored()
    holder.app.vcx("delete_credential", credential)
    assert holder.app.refusal("credential_get_state", credential).code == NO_SUCH_CREDENTIAL


def test_definitions_and_schemas_are_fetched_for_later_proofs(holder: Holder) -> None:
    holder.stored()
    holder.app.vcx("fetch_public_entities")


def test_a_credential_with_a_picture_attached_arrives(contact: Contact) -> None:
    """A picture is an attribute whose value is base64 text; that of the documents has some 10 KB."""
    picture = {"name": "Photo", "value": json.dumps({"mime-type": "image/png", "data": {"base64": "iVBORw0K" * 1300}})}
    preview = {**CREDENTIAL_OFFER["credential_preview"], "attributes": [picture]}
    sent = contact.send({**fresh(CREDENTIAL_OFFER), "credential_preview": preview})
    assert content_of(contact.app.await_pending(contact.handle, "credential-offer")) == sent


def test_a_refusal_of_the_issuer_is_told_by_its_kind(contact: Contact) -> None:
    contact.send(message("issue-credential/1.0/problem-report", "thread", description={"en": "no"}))
    contact.app.await_pending(contact.handle, "problem-report")
