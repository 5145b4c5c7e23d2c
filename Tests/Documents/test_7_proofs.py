"""Proofs: from a request until the proof is shared or the request is declined."""

from __future__ import annotations

import pytest

from app import JSON, App, content_of, text_of
from holding import Holder
from meeting import Contact, meet_peer
from peer import Peer
from samples import CREDENTIAL_INFO, OLDER_PROOF_REQUEST, PROOF_DATA, PROOF_REQUEST, SELECTED, fresh, proof_request

CHAPTER = "7 Proofs"
REQUEST_RECEIVED, PROOF_SENT, REJECTED = 3, 2, 9
ISSUER, ANOTHER = "HXY62bMMt1BMsarhvXm5mx", "6TvVFExu5ufydUKj1dkHVy"
ATTRIBUTES = {
    "one attribute": {"name": "Name"},
    "restricted to an issuer": {"name": "Name", "restrictions": {"issuer_did": ISSUER}},
    "restricted to several issuers": {"name": "Name", "restrictions": {"issuer_did": {"$in": [ISSUER, ANOTHER]}}},
    "restricted to a definition": {"name": "Name", "restrictions": {"cred_def_id": f"{ISSUER}:3:CL:1:1"}},
    "may be self attested": {"name": "Name", "self_attest_allowed": True},
    "must not be self attested": {"name": "Name", "self_attest_allowed": False},
    "several of one credential": {"names": ["Name", "Surname"]},
    "several of one credential of an issuer": {"names": ["Name", "Surname"], "restrictions": {"issuer_did": ISSUER}},
}
HELD: JSON = {
    **PROOF_DATA,
    "requested_attributes": {"attribute_1": {"name": "name"}, "attribute_2": {"name": "degree"}},
    "requested_predicates": {"predicate_1": {"name": "age", "p_type": ">=", "p_value": 20}},
}
PREDICATES: dict[str, JSON] = {
    **{type: {"name": "Age", "p_type": type, "p_value": 30} for type in ("<=", "<", ">", ">=")},
    "restricted to an issuer": {"name": "Age", "p_type": ">=", "p_value": 30, "restrictions": {"issuer_did": ISSUER}},
}


@pytest.fixture
def contact(app: App, peer: Peer) -> Contact:
    return meet_peer(app, peer)


@pytest.fixture
def prover(holder: Holder, peer: Peer) -> Contact:
    """A contact of an app that holds a credential."""
    holder.stored()
    return meet_peer(holder.app, peer)


def asked(contact: Contact, sample: JSON = PROOF_REQUEST) -> int:
    """A proof object of a request that was downloaded."""
    contact.send(fresh(sample))
    request = text_of(contact.app.await_pending(contact.handle, "presentation-request"))
    return int(contact.app.vcx("disclosed_proof_create_with_request", "proof", request))


def parsed(app: App, attributes: JSON, predicates: JSON) -> JSON:
    data = {**PROOF_DATA, "requested_attributes": attributes, "requested_predicates": predicates}
    assert app.vcx("disclosed_proof_create_with_request", "proof", proof_request(data))
    return dict(app.given("disclosed_proof_parse_request", proof_request(data)))


def test_1_a_request_is_among_the_pending_messages(contact: Contact) -> None:
    sent = contact.send(fresh(PROOF_REQUEST))
    received = contact.app.await_pending(contact.handle, "presentation-request")
    assert content_of(received) == sent
    contact.app.review(received)
    assert contact.app.pending() == []


def test_1_the_request_holds_the_items_to_show(contact: Contact) -> None:
    contact.send(fresh(PROOF_REQUEST))
    request = text_of(contact.app.await_pending(contact.handle, "presentation-request"))
    assert contact.app.given("extract_attached_message", request) == PROOF_DATA


@pytest.mark.parametrize("request_", [PROOF_REQUEST, OLDER_PROOF_REQUEST], ids=["4.0", "3.0"])
def test_2_a_proof_is_made_of_the_request(app: App, request_: JSON) -> None:
    proof = app.vcx("disclosed_proof_create_with_request", "proof", request_)
    assert app.vcx("disclosed_proof_get_state", proof) == REQUEST_RECEIVED


def test_2_a_proof_is_stored_and_restored(contact: Contact) -> None:
    text = contact.app.vcx("disclosed_proof_serialize", asked(contact))
    again = contact.app.vcx("disclosed_proof_deserialize", text)
    assert contact.app.vcx("disclosed_proof_get_state", again) == REQUEST_RECEIVED


def test_2_the_requests_of_a_connection_are_listed(contact: Contact) -> None:
    sent = contact.send(fresh(PROOF_REQUEST))
    assert contact.app.given("disclosed_proof_get_requests", contact.handle) == [sent]


def test_3_the_credentials_that_can_serve_are_found(contact: Contact) -> None:
    found = contact.app.given("disclosed_proof_retrieve_credentials", asked(contact))
    assert set(found["attributes"]) == set(PROOF_DATA["requested_attributes"])


def test_3_credentials_are_chosen_and_the_rest_is_self_attested(contact: Contact) -> None:
    chosen = {"attrs": {"attribute_1": {"credential": {"cred_info": CREDENTIAL_INFO, "interval": None}}}}
    contact.app.vcx("disclosed_proof_generate_proof", asked(contact), chosen, {"attribute_2": "Alice"})


def test_3_the_selection_of_the_documents_is_taken(contact: Contact) -> None:
    contact.app.vcx("disclosed_proof_generate_proof", asked(contact), SELECTED, {})


def shared(prover: Contact) -> int:
    """A proof that was generated of the credentials that were found, and shared."""
    proof = asked(prover, proof_request(HELD))
    found = prover.app.given("disclosed_proof_retrieve_credentials", proof)
    items = {**found["attributes"], **found["predicates"]}
    selected = {"attrs": {name: {"credential": item["credentials"][0]} for name, item in items.items()}}
    prover.app.vcx("disclosed_proof_generate_proof", proof, selected, {})
    prover.app.vcx("disclosed_proof_send_proof", proof, prover.handle)
    return proof


def test_4_the_proof_is_generated_and_shared(prover: Contact) -> None:
    proof = shared(prover)
    assert prover.app.vcx("disclosed_proof_get_state", proof) == PROOF_SENT
    prover.peer.receive("present-proof/1.0/presentation")


def test_4_a_shared_proof_is_stored(prover: Contact) -> None:
    text = prover.app.vcx("disclosed_proof_serialize", shared(prover))
    assert prover.app.vcx("disclosed_proof_get_state", prover.app.vcx("disclosed_proof_deserialize", text)) == PROOF_SENT


def test_5_the_request_is_declined(contact: Contact) -> None:
    proof = asked(contact)
    contact.app.vcx("disclosed_proof_decline_presentation_request", proof, contact.handle, "Rejection reason", None)
    assert contact.app.vcx("disclosed_proof_get_state", proof) == REJECTED
    contact.peer.receive("problem-report")


def test_5_the_request_is_rejected_without_a_reason(contact: Contact) -> None:
    proof = asked(contact)
    contact.app.vcx("disclosed_proof_reject_proof", proof, contact.handle)
    assert contact.app.vcx("disclosed_proof_serialize", proof)


@pytest.mark.parametrize("case", ATTRIBUTES)
def test_a_request_for_attributes(app: App, case: str) -> None:
    assert parsed(app, {"attribute_1": ATTRIBUTES[case]}, {})["requested_attributes"] == {"attribute_1": ATTRIBUTES[case]}


def test_a_request_for_attributes_of_different_credentials(app: App) -> None:
    attributes = {"attribute_1": {"name": "Name"}, "attribute_2": {"name": "Surname"}}
    assert parsed(app, attributes, {})["requested_attributes"] == attributes


@pytest.mark.parametrize("case", PREDICATES)
def test_a_request_for_predicates(app: App, case: str) -> None:
    assert parsed(app, {}, {"predicate_1": PREDICATES[case]})["requested_predicates"] == {"predicate_1": PREDICATES[case]}
