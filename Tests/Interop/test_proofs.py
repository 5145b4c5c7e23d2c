"""Proofs for ACA-Py: requested, selected, given, verified; declined; proposed; and without a connection."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from alice import Alice, AliceError, wait_until
from holder import ACCEPTED, DECLINED, DIALECTS, PROPOSED, REQUESTED, SENT, VALUES, Faber, Prover, with_service

OVER = {"connection": "faber"}
EVERYWHERE = pytest.mark.parametrize("peer, version", DIALECTS)


@pytest.fixture
def prover(request: pytest.FixtureRequest, alice: Alice, publisher: Callable[[str], Faber]) -> Prover:
    """Alice beside the peer of the test's cell. A peer whose invitation is of the older kind counts as one that speaks
    present-proof 1.0."""
    cell = getattr(request.node, "callspec", None)
    peer, version = (cell.params["peer"], cell.params["version"]) if cell else ("0.12", 2)
    return Prover(alice, publisher(peer), invited="c_i" if version == 1 else "oob")


@EVERYWHERE
@pytest.mark.exchange("present-proof", "prove an attribute, a group, a predicate, and a self-attested value")
def test_a_proof_is_verified(prover: Prover, peer: str, version: int) -> None:
    """By the Python package's class, as is the next; the others use the functions of the C API."""
    asked = prover.faber.request_proof(prover.connection, prover.everything, version)
    alice, message = prover.alice, prover.alice.receive("faber", "presentation-request")
    assert alice.ask("take_request", "proof", "faber", message["uid"]) == REQUESTED
    assert alice.ask("choose_first", "proof", {"phone": "123"}) == ["adult", "both", "name"]
    alice.ask("proof", "proof", "send", OVER)
    assert alice.ask("proof", "proof", "state") == SENT
    assert prover.faber.wait_for_proof(asked)
    shown = prover.faber.revealed(asked)
    assert all(value in shown for value in (VALUES["name"], VALUES["degree"], "123"))
    wait_until("the ack", lambda: alice.ask("proof", "proof", "update_state") == ACCEPTED, 20)


@EVERYWHERE
@pytest.mark.exchange("present-proof", "decline the request")
def test_a_request_is_declined(prover: Prover, peer: str, version: int) -> None:
    asked = prover.faber.request_proof(prover.connection, prover.everything, version)
    message = prover.alice.receive("faber", "presentation-request")
    prover.alice.ask("take_request", "proof", "faber", message["uid"])
    prover.alice.ask("proof", "proof", "decline", OVER, "not to you")
    assert prover.alice.ask("proof", "proof", "state") == DECLINED
    prover.faber.wait_for_decline(asked)


@EVERYWHERE
@pytest.mark.exchange("present-proof", "prove what Alice proposes")
def test_a_proof_begins_with_a_proposal(prover: Prover, peer: str, version: int) -> None:
    preview = {"attributes": [{"name": "name", "cred_def_id": prover.definition}]}
    proof = int(prover.call("vcx_disclosed_proof_create_proposal", "proof", json.dumps(preview), "my name"))
    assert prover.state(proof) == PROPOSED
    prover.call("vcx_disclosed_proof_send_proposal", proof, prover.handle)
    assert prover.state(proof) == SENT
    asked = prover.faber.wait_for_proposal(prover.connection, version)
    prover.faber.accept_proposal(asked)
    prover.wait(proof, REQUESTED)
    prover.generate(proof, {})
    prover.send(proof)
    assert prover.faber.wait_for_proof(asked)
    prover.wait(proof, ACCEPTED)


@EVERYWHERE
@pytest.mark.exchange("present-proof", "killed between any two steps")
def test_a_killed_process_goes_on_between_any_two_steps(prover: Prover, peer: str, version: int) -> None:
    asked = prover.faber.request_proof(prover.connection, prover.everything, version)
    proof = prover.restart_with(prover.receive_request())
    prover.generate(proof)
    proof = prover.restart_with(proof)
    prover.send(proof)
    proof = prover.restart_with(proof)
    assert prover.faber.wait_for_proof(asked)
    prover.wait(proof, ACCEPTED)


def test_a_failure_to_build_comes_with_sending(prover: Prover) -> None:
    asked = prover.faber.request_proof(prover.connection, prover.everything)
    proof = prover.receive_request()
    generate = ("vcx_disclosed_proof_generate_proof", proof, '{"attrs":{"no item":{}}}', "{}")
    assert prover.alice.ask("cause_within", *generate).startswith("selected credentials: ")
    with pytest.raises(AliceError) as refused:
        prover.send(proof)
    assert refused.value.code == 1027
    prover.faber.wait_for_decline(asked)


@EVERYWHERE
@pytest.mark.exchange("present-proof", "prove without a connection, by invitation")
def test_a_request_without_a_connection_is_answered_at_once(prover: Prover, peer: str, version: int) -> None:
    asked, invitation = prover.faber.request_proof_without_connection(prover.everything, version)
    prove_at_once(prover, prover.call("vcx_extract_attached_message", json.dumps(invitation)))
    assert prover.faber.wait_for_proof(asked)


@EVERYWHERE
@pytest.mark.exchange("present-proof", "prove without a connection, by ~service")
def test_a_request_that_names_its_service_is_answered_at_once(prover: Prover, peer: str, version: int) -> None:
    """In the older shape, the request stands alone and says where the answer goes."""
    asked, invitation = prover.faber.request_proof_without_connection(prover.everything, version)
    prove_at_once(prover, json.dumps(with_service(invitation)))
    assert prover.faber.wait_for_proof(asked)


def prove_at_once(prover: Prover, message: Any) -> None:
    proof = int(prover.call("vcx_disclosed_proof_create_with_request", "proof", message))
    prover.generate(proof)
    prover.send(proof, connection=0)
    assert prover.state(proof) == ACCEPTED
