"""Credentials and proofs over an Indy ledger, with ACA-Py, and what happens while the ledger is silent."""

from __future__ import annotations

import pathlib
from collections.abc import Iterator

import pytest

from alice import Alice, AliceError, wait_until
from holder import ACCEPTED, OFFERED, REQUESTED as ASKED, VALUES, Faber, Holder, Prover
from one_node_ledger import Ledger
from prover import Prover as PaulTheProver
from test_revocation import ask, is_revoked
from verifier import Verifier
from verifying import SENT, VERIFIED, Checker, Scene


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ledger]:
    with Ledger(tmp_path_factory.mktemp("ledger")) as made:
        yield made


@pytest.fixture(scope="module")
def faber(ledger: Ledger, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Faber]:
    with Verifier("Faber", tmp_path_factory.mktemp("publisher"), genesis=ledger.genesis) as agent:
        yield Faber(agent)


@pytest.mark.parametrize("peer, version", [("0.12", 1), ("0.12", 2)])
@pytest.mark.exchange("present-proof", "prove over an Indy ledger, until it is revoked")
def test_a_credential_is_proved_over_a_ledger_until_it_is_revoked(
    faber: Faber, alice: Alice, peer: str, version: int
) -> None:
    prover = Prover(alice, faber, revocable=True)
    asked, proof = ask(prover, version)
    prover.generate(proof)
    prover.send(proof)
    assert prover.faber.wait_for_proof(asked)
    prover.wait(proof, ACCEPTED)
    prover.faber.revoke(prover.issued, notice=version)
    is_revoked(prover, *ask(prover, version))


@pytest.mark.parametrize("peer, version", [("0.12", 2)])
@pytest.mark.exchange("issue-credential", "issue after the ledger was silent")
def test_while_the_ledger_is_silent_nothing_is_lost(
    faber: Faber, ledger: Ledger, alice: Alice, peer: str, version: int
) -> None:
    """Neither the offer nor the request, and the peer is not told of the fault."""
    holder = Holder(alice, faber, revocable=True)
    holder.connect()
    offer = holder.offer(version)
    credential = holder.receive_offer()
    ledger.fall_silent()
    with pytest.raises(AliceError) as silent:
        holder.request(credential)
    assert silent.value.code == 1036
    ledger.answer()
    assert holder.call("vcx_credential_get_state", credential) == OFFERED
    assert holder.faber.state(offer) == "offer-sent"
    wait_until("the ledger", lambda: is_requested(holder, credential), 30)
    holder.store(credential)
    holder.faber.wait_for_issue(offer)


@pytest.mark.parametrize("peer, version", [("0.12", 2)])
@pytest.mark.exchange("present-proof", "prove after the ledger was silent")
def test_while_the_ledger_is_silent_the_verifier_waits(
    faber: Faber, ledger: Ledger, alice: Alice, peer: str, version: int
) -> None:
    """The state of the registry cannot be read, and the verifier is not told of that."""
    prover = Prover(alice, faber, revocable=True)
    asked, proof = ask(prover, version)
    ledger.fall_silent()
    prover.generate(proof)
    with pytest.raises(AliceError):
        prover.send(proof)
    ledger.answer()
    assert prover.state(proof) == ASKED
    assert prover.faber.is_waiting(asked)
    wait_until("the ledger", lambda: is_sent(prover, proof), 30)
    assert prover.faber.wait_for_proof(asked)


@pytest.mark.parametrize("peer, version", [("0.12", 2)])
@pytest.mark.exchange("present-proof", "verify over an Indy ledger, also after it was silent")
def test_a_proof_is_verified_over_a_ledger_until_the_credential_is_revoked(
    faber: Faber, ledger: Ledger, alice: Alice, tmp_path: pathlib.Path, peer: str, version: int
) -> None:
    """While the ledger is silent, the presentation waits in the mailbox, and the prover is not told of the fault."""
    with PaulTheProver("Paul", tmp_path / "paul", faber.agent) as paul:
        issued = paul.take(faber.revocable, VALUES)
        scene = Scene(alice, faber, paul, version)
        scene.connect()
        checker = scene.checker
        proof = checker.ask("paul", faber.revocable)
        paul.wait_until("the presentation", lambda: "presentation-sent" in paul.presentations(version))
        ledger.fall_silent()
        with pytest.raises(AliceError) as silent:
            wait_until("the presentation", lambda: checker.call("vcx_proof_update_state", proof) != SENT, 20)
        assert silent.value.code in (1031, 1036) and checker.state(proof) == SENT
        ledger.answer()
        wait_until("the ledger", lambda: is_judged(checker, proof), 30)
        assert checker.state(proof) == VERIFIED
        faber.agent.revoke(issued)
        refused = checker.ask_for_now("paul", faber.revocable)
        assert not checker.wait(refused)


def is_judged(checker: Checker, proof: int) -> bool:
    try:
        return bool(checker.call("vcx_proof_update_state", proof) == VERIFIED)
    except AliceError:
        return False


def is_sent(prover: Prover, proof: int) -> bool:
    try:
        prover.generate(proof)
        prover.send(proof)
    except AliceError:
        return False
    return True


def is_requested(holder: Holder, credential: int) -> bool:
    """The library remembers for a moment that the ledger has failed."""
    try:
        holder.request(credential)
    except AliceError:
        return False
    return True
