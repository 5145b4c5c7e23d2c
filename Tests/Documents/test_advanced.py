"""A ledger that is connected later, a holder who begins a proof, and agents made in advance."""

from __future__ import annotations

import pytest

from alice import wait_until
from app import JSON, App, content_of, text_of
from envelope import forward, pack
from holding import VALUES, Holder
from meeting import COMPLETED, invite
from peer import Peer, post
from proving import ACCEPTED, REQUEST_RECEIVED, Prover
from samples import ARIES, PROOF_DATA, proof_request

CHAPTER = "Advanced"
PROPOSAL_SENT = 2
VERIFIED = 1
PROPOSAL: JSON = {
    "@type": f"{ARIES}present-proof/1.0/propose-presentation",
    "@id": "c4ac2d5a-0f8a-4f7f-9e62-5d1d3c9f7b20",
    "comment": "Diploma",
    "presentation_proposal": {
        "@type": f"{ARIES}present-proof/1.0/presentation-preview",
        "attributes": [{"name": "Degree", "value": "Computer Science"}],
        "predicates": [],
    },
}


@pytest.mark.parametrize("more", [{}, {"pool_name": "pool"}], ids=["genesis_path", "genesis_path and pool_name"])
def test_a_ledger_may_be_named_after_the_start(app: App, genesis: str, more: JSON) -> None:
    assert app.config.get("genesis_path") is None
    app.vcx("init_pool", {"genesis_path": genesis, **more})


def test_holder_1_a_credential_gives_the_proposal(holder: Holder) -> None:
    text = holder.app.vcx("credential_serialize", holder.stored())
    again = holder.app.vcx("credential_deserialize", text)
    proposal = holder.app.given("credential_get_presentation_proposal_msg", again)
    assert proposal["@type"].endswith("present-proof/1.0/propose-presentation")
    assert {each["name"] for each in proposal["presentation_proposal"]["attributes"]} == set(VALUES)


def test_holder_1_the_proposal_is_attached_to_an_invitation_without_a_handshake(app: App) -> None:
    handle = app.vcx("connection_create_outofband", "id", "present-credential", "Present Credential", False, PROPOSAL)
    invitation = app.given("connection_connect", handle, "{}")
    assert not invitation.get("handshake_protocols")
    assert PROPOSAL.items() <= app.given("extract_attached_message", invitation).items()
    assert app.given("connection_serialize", handle)["data"]["state"] == COMPLETED


def test_holder_2_the_verifier_takes_up_the_invitation_and_reads_the_proposal(app: App, faber: App) -> None:
    _, invitation = invite(app, PROPOSAL, handshake=False)
    handle = faber.vcx("connection_create_with_outofband_invitation", "id", invitation)
    faber.vcx("connection_connect", handle, "{}")
    assert faber.vcx("connection_get_state", handle) == COMPLETED
    assert PROPOSAL.items() <= faber.given("extract_attached_message", invitation).items()


def test_holder_1_a_proposal_is_sent_over_a_connection(prover: Prover) -> None:
    """The verifier asks for what was proposed."""
    app = prover.app
    preview = {"attributes": [{"name": "name", "cred_def_id": prover.definition}], "predicates": []}
    proof = app.vcx("disclosed_proof_create_proposal", "proof", preview, "Diploma")
    app.vcx("disclosed_proof_send_proposal", proof, prover.connection)
    assert app.vcx("disclosed_proof_get_state", proof) == PROPOSAL_SENT
    # The verifier's invitation was of version 1.1: it is taken for an agent that speaks 2.0.
    asked = prover.faber.wait_for_proposal(prover.theirs, 2)
    prover.faber.accept_proposal(asked)
    prover.await_state(proof, REQUEST_RECEIVED)
    prover.choose(proof, {})
    prover.send(proof)
    assert prover.faber.wait_for_proof(asked)
    prover.await_state(proof, ACCEPTED)


def test_holder_2_the_verifier_asks_for_the_proof(app: App, faber: App) -> None:
    _, invitation = invite(app, PROPOSAL, handshake=False)
    handle = faber.vcx("connection_create_with_outofband_invitation", "id", invitation)
    faber.vcx("connection_connect", handle, "{}")
    proof = faber.vcx("proof_create_with_proposal", "id", PROPOSAL, "name")
    faber.vcx("proof_send_request", proof, handle)
    assert faber.vcx("proof_get_request_msg", proof) and faber.vcx("proof_serialize", proof)


def test_holder_3_the_holder_shares_the_proof(app: App, peer: Peer) -> None:
    """The verifier's request names the service that the proof goes to."""
    ours, invitation = invite(app, PROPOSAL, handshake=False)
    service = {"recipientKeys": [peer.key.verkey], "routingKeys": [], "serviceEndpoint": peer.endpoint}
    asked = {**proof_request({**PROOF_DATA, "requested_predicates": {}}), "~service": service}
    send_to(app.given("extract_attached_message", invitation)["~service"], asked, peer)
    request = app.await_pending(ours, "presentation-request")
    proof = app.vcx("disclosed_proof_create_with_request", "id", text_of(request))
    app.vcx("disclosed_proof_generate_proof", proof, {}, {"attribute_1": "12345", "attribute_2": "Alice"})
    app.vcx("disclosed_proof_send_proof", proof, 0)
    presentation, _ = peer.receive("present-proof/1.0/presentation")
    assert presentation["~thread"]["thid"] == asked["@id"]
    assert app.vcx("disclosed_proof_get_state", proof) == ACCEPTED


def send_to(service: JSON, message: JSON, sender: Peer) -> None:
    """Sends a message to the service that an attached message names for the answer."""
    recipient = service["recipientKeys"][0]
    post(service["serviceEndpoint"], forward(pack(message, [recipient], sender.key), recipient, service["routingKeys"]))


def test_holder_4_the_verifier_checks_the_proof(app: App, faber: App) -> None:
    ours, invitation = invite(app, PROPOSAL, handshake=False)
    handle = faber.vcx("connection_create_with_outofband_invitation", "id", invitation)
    faber.vcx("connection_connect", handle, "{}")
    verifier = faber.vcx("proof_create_with_proposal", "id", faber.given("extract_attached_message", invitation), "name")
    faber.vcx("proof_send_request", verifier, handle)
    request = app.await_pending(ours, "presentation-request")
    proof = app.vcx("disclosed_proof_create_with_request", "id", text_of(request))
    app.vcx("disclosed_proof_generate_proof", proof, {}, {"attribute_0": "Computer Science"})
    app.vcx("disclosed_proof_send_proof", proof, 0)
    again = faber.vcx("proof_deserialize", faber.vcx("proof_serialize", verifier))
    wait_until("the proof", lambda: faber.vcx("proof_update_state", again) == ACCEPTED, 20)
    state, message = faber.vcx("get_proof_msg", again)
    assert state == VERIFIED and "presentations~attach" in message


def test_holder_the_message_reaches_the_holder_over_the_invitation(app: App, faber: App) -> None:
    """The way that the proof request takes."""
    ours, invitation = invite(app, PROPOSAL, handshake=False)
    handle = faber.vcx("connection_create_with_outofband_invitation", "id", invitation)
    faber.vcx("connection_connect", handle, "{}")
    faber.vcx("connection_send_message", handle, "asked", {"msg_type": "text", "msg_title": "asked"})
    assert content_of(app.await_pending(ours, "message"))["content"] == "asked"


def test_agents_1_an_agent_is_made_in_advance(app: App) -> None:
    assert set(app.given("create_pairwise_agent")) == {"pw_did", "pw_vk", "agent_did", "agent_vk"}


def test_agents_3_a_connection_uses_the_agent_that_was_made(app: App, peer: Peer) -> None:
    made = app.given("create_pairwise_agent")
    app.restart()
    handle = app.vcx("connection_create_with_invite", "peer", peer.invitation())
    app.vcx("connection_connect", handle, {"pairwise_agent_info": made})
    assert app.vcx("connection_get_pw_did", handle) == made["pw_did"]
    assert peer.receive("connections/1.0/request")[0]["connection"]["DID"] == made["pw_did"]


def test_agents_4_the_next_connection_has_another_agent(app: App) -> None:
    first, second = app.given("create_pairwise_agent"), app.given("create_pairwise_agent")
    assert first["pw_did"] != second["pw_did"] and first["agent_did"] != second["agent_did"]
