"""Proofs: from a request until the proof is shared or the request is declined."""

from __future__ import annotations

import json
from typing import Any

import pytest

from app import JSON, App, content_of, text_of
from holding import VALUES
from meeting import Contact, meet_peer
from peer import Peer
from proving import ACCEPTED, ATTESTED, PROOF_SENT, REJECTED, REQUEST_RECEIVED, Prover, found
from samples import CREDENTIAL_INFO, OLDER_PROOF_REQUEST, PROOF_DATA, PROOF_REQUEST, SELECTED, fresh, proof_request

CHAPTER = "7 Proofs"
NO_SUCH_CREDENTIAL, ALREADY_SENT, INCOMPATIBLE = 1027, 1081, 1111
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
# Requests of these forms for a credential of the issuer, and how many credentials serve.
HELD: dict[str, tuple[JSON, int]] = {
    "of one attribute": ({"name": "Name"}, 1),
    "of its issuer": ({"name": "name", "restrictions": {"issuer_did": ISSUER}}, 1),
    "of one of several issuers": ({"name": "name", "restrictions": {"issuer_did": {"$in": [ISSUER, ANOTHER]}}}, 1),
    "of another issuer": ({"name": "name", "restrictions": {"issuer_did": ANOTHER}}, 0),
    "of several attributes of one credential": ({"names": ["name", "degree"]}, 1),
    "of several attributes that no credential has together": ({"names": ["name", "phone"]}, 0),
}
PREDICATES: dict[str, JSON] = {
    **{type: {"name": "Age", "p_type": type, "p_value": 30} for type in ("<=", "<", ">", ">=")},
    "restricted to an issuer": {"name": "Age", "p_type": ">=", "p_value": 30, "restrictions": {"issuer_did": ISSUER}},
}


@pytest.fixture
def contact(app: App, peer: Peer) -> Contact:
    return meet_peer(app, peer)


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


def test_2_a_proof_is_made_of_a_message_by_its_uid(contact: Contact) -> None:
    sent = contact.send(fresh(PROOF_REQUEST))
    uid = contact.app.await_pending(contact.handle, "presentation-request")["uid"]
    proof, request = contact.app.vcx("disclosed_proof_create_with_msgid", "proof", contact.handle, uid)
    assert contact.app.vcx("disclosed_proof_get_state", proof) == REQUEST_RECEIVED
    assert json.loads(request) == sent


def test_2_a_proof_is_stored_and_restored(contact: Contact) -> None:
    text = contact.app.vcx("disclosed_proof_serialize", asked(contact))
    contact.app.restart()
    again = contact.app.vcx("disclosed_proof_deserialize", text)
    assert contact.app.vcx("disclosed_proof_get_state", again) == REQUEST_RECEIVED


def test_2_the_requests_of_a_connection_are_listed(contact: Contact) -> None:
    sent = contact.send(fresh(PROOF_REQUEST))
    assert contact.app.given("disclosed_proof_get_requests", contact.handle) == [sent]


def test_3_the_credentials_that_can_serve_are_found(prover: Prover) -> None:
    _, proof = prover.asked()
    items = found(prover.app, proof)
    serving = {item: [each["requested_attributes"] for each in items[item]["credentials"]] for item in items}
    assert serving == {
        "attribute_1": [{"name": VALUES["name"]}],
        "attribute_2": [{"name": VALUES["name"], "degree": VALUES["degree"]}],
        "attribute_3": [],
        "predicate_1": [{"age": VALUES["age"]}],
    }
    info = items["attribute_1"]["credentials"][0]["cred_info"]
    assert set(info) == set(CREDENTIAL_INFO) and info["attrs"] == VALUES


def test_3_the_items_without_a_credential_are_told(app: App) -> None:
    items = found(app, app.vcx("disclosed_proof_create_with_request", "proof", PROOF_REQUEST))
    assert {item: each["missing"] for item, each in items.items()} == {
        "attribute_1": False, "attribute_2": False, "predicate_1": True,
    }
    assert items["attribute_1"]["self_attest_allowed"] and items["attribute_2"]["self_attest_allowed"]


def test_3_the_credentials_are_found_in_the_form_of_3_0(prover: Prover) -> None:
    _, proof = prover.asked()
    prover.app.config["protocol_type"] = "3.0"
    proof = prover.restored(proof)
    items = prover.app.given("disclosed_proof_retrieve_credentials", proof)["attrs"]
    assert {item: len(items[item]) for item in items} == {
        "attribute_1": 1, "attribute_2": 1, "attribute_3": 0, "predicate_1": 1,
    }
    assert items["predicate_1"][0]["cred_info"]["attrs"] == VALUES


@pytest.mark.parametrize("case", HELD)
def test_3_a_credential_is_found_for_a_request(prover: Prover, case: str) -> None:
    _, serves = HELD[case]
    request = json.dumps(HELD[case][0]).replace(ISSUER, prover.definition.split(":")[0])
    data = {**PROOF_DATA, "requested_attributes": {"attribute_1": json.loads(request)}, "requested_predicates": {}}
    proof = prover.app.vcx("disclosed_proof_create_with_request", "proof", proof_request(data))
    assert len(found(prover.app, proof)["attribute_1"]["credentials"]) == serves


def test_3_credentials_are_chosen_and_the_rest_is_self_attested(prover: Prover) -> None:
    _, proof = prover.asked()
    prover.choose(proof)
    assert prover.app.vcx("disclosed_proof_get_state", proof) == REQUEST_RECEIVED
    shown = prover.app.given("extract_attached_message", prover.app.vcx("disclosed_proof_get_proof_msg", proof))
    assert shown["requested_proof"]["self_attested_attrs"] == ATTESTED
    assert shown["requested_proof"]["revealed_attrs"]["attribute_1"]["raw"] == VALUES["name"]
    assert set(shown["requested_proof"]["predicates"]) == {"predicate_1"}


def test_3_all_attributes_may_be_self_attested(contact: Contact) -> None:
    data = {**PROOF_DATA, "requested_predicates": {}}
    proof = asked(contact, proof_request(data))
    attested = {"attribute_1": "12345", "attribute_2": "Alice"}
    contact.app.vcx("disclosed_proof_generate_proof", proof, {}, attested)
    contact.app.vcx("disclosed_proof_send_proof", proof, contact.handle)
    presentation, _ = contact.peer.receive("present-proof/1.0/presentation")
    shown = contact.app.given("extract_attached_message", presentation)
    assert shown["requested_proof"]["self_attested_attrs"] == attested


def test_3_a_choice_of_a_credential_that_is_not_there_is_told_when_the_proof_is_shared(contact: Contact) -> None:
    """The documents' selection, whose credential nobody holds."""
    proof = asked(contact)
    contact.app.vcx("disclosed_proof_generate_proof", proof, SELECTED, {})
    assert contact.app.refusal("disclosed_proof_send_proof", proof, contact.handle).code == NO_SUCH_CREDENTIAL
    report, _ = contact.peer.receive("present-proof/1.0/problem-report")
    assert contact.app.given("disclosed_proof_get_problem_report", proof)["@id"] == report["@id"]


def test_4_the_proof_is_generated_and_shared(prover: Prover) -> None:
    request, proof = prover.shared()
    assert prover.app.vcx("disclosed_proof_get_state", proof) == PROOF_SENT
    assert prover.faber.wait_for_proof(request), "verified"
    revealed = prover.faber.revealed(request)
    assert VALUES["name"] in revealed and ATTESTED["attribute_3"] in revealed


def test_4_polling_receives_the_acknowledgement(prover: Prover) -> None:
    request, proof = prover.shared()
    assert prover.faber.wait_for_proof(request)
    prover.await_state(proof, ACCEPTED)
    assert prover.app.given("disclosed_proof_get_problem_report", proof) is None


def test_4_the_downloaded_acknowledgement_is_received(prover: Prover) -> None:
    request, proof = prover.shared()
    assert prover.faber.wait_for_proof(request)
    received = prover.await_acknowledgement()
    assert prover.app.vcx("disclosed_proof_update_state_with_message", proof, text_of(received)) == ACCEPTED
    prover.app.review(received)


def test_4_a_shared_proof_is_stored(prover: Prover) -> None:
    request, proof = prover.shared()
    proof = prover.restored(proof)
    assert prover.app.vcx("disclosed_proof_get_state", proof) == PROOF_SENT
    assert prover.faber.wait_for_proof(request)
    prover.await_state(proof, ACCEPTED)


def test_4_a_generated_proof_is_stored_and_shared_later(prover: Prover) -> None:
    request, proof = prover.asked()
    prover.choose(proof)
    prover.send(prover.restored(proof))
    assert prover.faber.wait_for_proof(request)


def test_5_the_request_is_declined(prover: Prover) -> None:
    request, proof = prover.asked()
    prover.app.vcx("disclosed_proof_decline_presentation_request", proof, prover.connection, "Rejection reason", None)
    assert prover.app.vcx("disclosed_proof_get_state", proof) == REJECTED
    prover.faber.wait_for_decline(request)


def test_5_the_reason_reaches_the_verifier(contact: Contact) -> None:
    proof = asked(contact)
    contact.app.vcx("disclosed_proof_decline_presentation_request", proof, contact.handle, "Rejection reason", None)
    report, _ = contact.peer.receive("present-proof/1.0/problem-report")
    assert "Rejection reason" in json.dumps(report)


def test_5_another_presentation_is_proposed_instead(contact: Contact) -> None:
    preview = {"attributes": [{"name": "Number"}], "predicates": []}
    proof = asked(contact)
    contact.app.vcx("disclosed_proof_decline_presentation_request", proof, contact.handle, None, preview)
    proposal, _ = contact.peer.receive("present-proof/1.0/propose-presentation")
    assert proposal["presentation_proposal"]["attributes"][0]["name"] == "Number"


@pytest.mark.parametrize("given", [(None, None), ("Rejection reason", {"attributes": [], "predicates": []})], ids=["none", "both"])
def test_5_declining_takes_one_of_a_reason_and_a_proposal(app: App, given: tuple[Any, Any]) -> None:
    proof = app.vcx("disclosed_proof_create_with_request", "proof", PROOF_REQUEST)
    assert app.refusal("disclosed_proof_decline_presentation_request", proof, 0, *given).code == INCOMPATIBLE


def test_5_the_request_is_rejected_without_a_reason(prover: Prover) -> None:
    request, proof = prover.asked()
    prover.app.vcx("disclosed_proof_reject_proof", proof, prover.connection)
    prover.faber.wait_for_decline(request)
    assert prover.app.vcx("disclosed_proof_get_state", prover.restored(proof)) == REJECTED


def test_5_a_shared_proof_is_not_declined(prover: Prover) -> None:
    _, proof = prover.shared()
    assert prover.app.refusal("disclosed_proof_reject_proof", proof, prover.connection).code == ALREADY_SENT


@pytest.mark.parametrize("case", ATTRIBUTES)
def test_a_request_for_attributes(app: App, case: str) -> None:
    assert parsed(app, {"attribute_1": ATTRIBUTES[case]}, {})["requested_attributes"] == {"attribute_1": ATTRIBUTES[case]}


def test_a_request_for_attributes_of_different_credentials(app: App) -> None:
    attributes = {"attribute_1": {"name": "Name"}, "attribute_2": {"name": "Surname"}}
    assert parsed(app, attributes, {})["requested_attributes"] == attributes


@pytest.mark.parametrize("case", PREDICATES)
def test_a_request_for_predicates(app: App, case: str) -> None:
    assert parsed(app, {}, {"predicate_1": PREDICATES[case]})["requested_predicates"] == {"predicate_1": PREDICATES[case]}
