"""Proofs for ACA-Py: requested, selected, given, verified; declined; proposed; and without a connection."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from alice import Alice, AliceError, wait_until
from test_credentials import OVER, VALUES, VERSIONS, Holder
from verifier import Verifier

PROPOSED, SENT, REQUESTED, ACCEPTED, DECLINED = 1, 2, 3, 4, 9


@pytest.fixture(scope="module")
def verifier(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Verifier, str]]:
    """A verifier that has issued the credentials, and their definition."""
    with Verifier("Faber", tmp_path_factory.mktemp("verifier")) as faber:
        yield faber, faber.define(VALUES)


class Prover(Holder):
    """Alice with a connection to the verifier, and a credential of it."""

    faber: Verifier

    def __init__(self, alice: Alice, faber: Verifier, definition: str) -> None:
        super().__init__(alice, faber, definition)
        self.connect()
        self.offer(2)
        credential = self.receive_offer()
        self.request(credential)
        self.store(credential)

    @property
    def everything(self) -> dict[str, Any]:
        """Two attributes as a group, one on its own, one that needs no credential, and a predicate."""
        here = [{"cred_def_id": self.definition}]
        return {
            "requested_attributes": {
                "name": {"name": "name", "restrictions": here},
                "both": {"names": ["degree", "name"], "restrictions": here},
                "phone": {"name": "phone"},
            },
            "requested_predicates": {
                "adult": {"name": "age", "p_type": ">=", "p_value": 18, "restrictions": here},
            },
        }

    def receive_request(self) -> int:
        """The handle of the requested proof."""
        message = self.alice.receive("faber", "presentation-request")
        handle, _ = self.call("vcx_disclosed_proof_create_with_msgid", "proof", self.handle, message["uid"])
        assert self.state(handle) == REQUESTED
        self.alice.ask("mark_read", message)
        return int(handle)

    def state(self, proof: int) -> int:
        return int(self.call("vcx_disclosed_proof_get_state", proof))

    def generate(self, proof: int, attested: dict[str, str] | None = None) -> None:
        """Answers each item with the first credential that fits."""
        items = json.loads(self.call("vcx_disclosed_proof_retrieve_credentials", proof))
        found = {**items["attributes"], **items["predicates"]}
        attrs = {name: {"credential": item["credentials"][0]} for name, item in found.items() if item["credentials"]}
        attested = {"phone": "123"} if attested is None else attested
        self.call("vcx_disclosed_proof_generate_proof", proof, json.dumps({"attrs": attrs}), json.dumps(attested))

    def send(self, proof: int, connection: int | None = None) -> None:
        self.call("vcx_disclosed_proof_send_proof", proof, self.handle if connection is None else connection)

    def wait(self, proof: int, state: int) -> None:
        wait_until(f"state {state}", lambda: self.call("vcx_disclosed_proof_update_state", proof) == state, 20)

    def restart_with(self, proof: int) -> int:
        """Another process goes on with the proof."""
        text, connection = self.call("vcx_disclosed_proof_serialize", proof), self.alice.ask("serialize", "faber")
        self.alice.kill()
        self.alice.start()
        self.alice.ask("init", self.alice.config)
        self.alice.ask("deserialize", "faber", connection)
        return int(self.call("vcx_disclosed_proof_deserialize", text))


@pytest.fixture
def prover(alice: Alice, verifier: tuple[Verifier, str]) -> Prover:
    return Prover(alice, *verifier)


@pytest.mark.parametrize("version", VERSIONS)
def test_a_proof_is_verified(prover: Prover, version: int) -> None:
    """By the Python package's class, as is the next; the others use the functions of the C API."""
    asked = prover.faber.request_proof(prover.connection, prover.everything, version)
    alice, message = prover.alice, prover.alice.receive("faber", "presentation-request")
    assert alice.ask("take_request", "proof", "faber", message["uid"]) == REQUESTED
    assert alice.ask("choose_first", "proof", {"phone": "123"}) == ["adult", "both", "name"]
    alice.ask("proof", "proof", "send", OVER)
    assert alice.ask("proof", "proof", "state") == SENT
    assert prover.faber.wait_for_proof(asked)
    assert VALUES["name"] in prover.faber.revealed(asked)
    wait_until("the ack", lambda: alice.ask("proof", "proof", "update_state") == ACCEPTED, 20)


@pytest.mark.parametrize("version", VERSIONS)
def test_a_request_is_declined(prover: Prover, version: int) -> None:
    asked = prover.faber.request_proof(prover.connection, prover.everything, version)
    message = prover.alice.receive("faber", "presentation-request")
    prover.alice.ask("take_request", "proof", "faber", message["uid"])
    prover.alice.ask("proof", "proof", "decline", OVER, "not to you")
    assert prover.alice.ask("proof", "proof", "state") == DECLINED
    prover.faber.wait_for_decline(asked)


def test_a_proof_begins_with_a_proposal(prover: Prover) -> None:
    preview = {"attributes": [{"name": "name", "cred_def_id": prover.definition}]}
    proof = int(prover.call("vcx_disclosed_proof_create_proposal", "proof", json.dumps(preview), "my name"))
    assert prover.state(proof) == PROPOSED
    prover.call("vcx_disclosed_proof_send_proposal", proof, prover.handle)
    assert prover.state(proof) == SENT
    # The peer's invitation was of version 1.1, so that it is taken for one that speaks 2.0.
    asked = prover.faber.wait_for_proposal(prover.connection, 2)
    prover.faber.accept_proposal(asked)
    prover.wait(proof, REQUESTED)
    prover.generate(proof, {})
    prover.send(proof)
    assert prover.faber.wait_for_proof(asked)
    prover.wait(proof, ACCEPTED)


def test_a_killed_process_goes_on_between_any_two_steps(prover: Prover) -> None:
    asked = prover.faber.request_proof(prover.connection, prover.everything)
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
    prover.call("vcx_disclosed_proof_generate_proof", proof, '{"attrs":{"no item":{}}}', "{}")
    with pytest.raises(AliceError) as refused:
        prover.send(proof)
    assert refused.value.code == 1027
    prover.faber.wait_for_decline(asked)


@pytest.mark.parametrize("version", VERSIONS)
def test_a_request_without_a_connection_is_answered_at_once(prover: Prover, version: int) -> None:
    asked, invitation = prover.faber.request_proof_without_connection(prover.everything, version)
    message = prover.call("vcx_extract_attached_message", json.dumps(invitation))
    proof = int(prover.call("vcx_disclosed_proof_create_with_request", "proof", message))
    prover.generate(proof)
    prover.send(proof, connection=0)
    assert prover.state(proof) == ACCEPTED
    assert prover.faber.wait_for_proof(asked)
