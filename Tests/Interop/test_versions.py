"""Exchanges in different versions and formats on one connection: the side that begins one chooses for it alone."""

from __future__ import annotations

import pathlib
from collections.abc import Callable, Iterator

import pytest

from alice import Alice, wait_until
from holder import ACCEPTED, REQUESTED, VALUES, Faber, Holder, Prover
from issuing import DID, Registrar
from matrix import FORMATS
from prover import Prover as PaulTheProver
from test_issuing import taker
from test_proposals import wait
from verifying import Scene

FORMS: dict[str, list[dict[str, str]]] = {
    "0.12": [{"version": "2.0"}, {"version": "1.0"}, {"version": "2.0"}],
    "1.7": [
        {"version": "2.0", "format": "anoncreds"},
        {"version": "2.0", "format": "hlindy"},
        {"version": "2.0", "format": "anoncreds"},
    ],
}
"""The forms in which a version of ACA-Py holds and proves, in the order of the exchanges. ACA-Py 1.7 speaks no version 1.0,
and issues and verifies in its own format only."""

OLDEST = {"0.12": 1, "1.7": 2}

EACH_PEER = pytest.mark.parametrize("peer, version", [("0.12", 2), ("1.7", 2)])


@EACH_PEER
@pytest.mark.exchange("issue-credential", "issue to ACA-Py in versions and formats by turns")
def test_an_issuer_chooses_for_each_credential(bob: Alice, tmp_path: pathlib.Path, peer: str, version: int) -> None:
    registrar = Registrar(bob, tmp_path / "issuer", institution_did=DID)
    registrar.define()
    with taker(peer, tmp_path, registrar) as tina:
        tina.accept(bob.invite("tina", "oob", "didexchange/1.0", goal_code="issue", goal="issue"))
        wait_until("a request", lambda: bob.ask("update", "tina") >= 3, 30)
        bob.complete("tina")
        for number, form in enumerate(FORMS[peer]):
            name = f"degree {number}"
            bob.ask("make", "issuer", name, "create", [{"definition": "degree"}, VALUES, "Degree"], form)
            bob.ask("issue", name, "offer", {"connection": "tina"})
            offer = bob.ask("issue", name, "offer_message")
            assert f"/issue-credential/{form['version']}/" in offer["@type"]
            assert form.get("format", "hlindy") in str(offer.get("formats", "hlindy"))
            registrar.issue(name)
            registrar.finish(name)
        assert len(tina.credentials()) == len(FORMS[peer])


@EACH_PEER
@pytest.mark.exchange("issue-credential", "hold by turns what Alice proposes, and what ACA-Py offers in its oldest version")
def test_a_holder_follows_each_offer(
    alice: Alice, publisher: Callable[[str], Faber], peer: str, version: int
) -> None:
    holder = Holder(alice, publisher(peer))
    holder.connect()
    form = {"version": "2.0", "format": FORMATS[peer]}
    for proposes in (True, False, True):
        if not proposes:
            holder.take(OLDEST[peer])
            continue
        alice.ask("propose", "degree", "faber", VALUES, holder.definition, form)
        proposal = holder.faber.wait_for_credential_proposal(holder.connection, 2)
        holder.faber.answer_proposal(proposal)
        alice.ask("credential", "degree", "offered", 30)
        alice.ask("credential", "degree", "accept", {"connection": "faber"})
        wait(alice, 4)
        holder.faber.wait_for_issue(proposal)
    assert len(holder.held()) == 3


@EACH_PEER
@pytest.mark.exchange("present-proof", "prove by turns what Alice proposes, and what ACA-Py asks in its oldest version")
def test_a_prover_follows_each_request(
    alice: Alice, publisher: Callable[[str], Faber], peer: str, version: int
) -> None:
    prover = Prover(alice, publisher(peer))
    preview = {"attributes": [{"name": "name", "cred_def_id": prover.definition}], "predicates": []}
    form = {"version": "2.0", "format": FORMATS[peer]}
    for proposes in (True, False, True):
        if proposes:
            alice.ask("make", "prover", "proof", "proposing", [preview, "please"], form)
            alice.ask("proof", "proof", "propose", {"connection": "faber"})
            asked = prover.faber.wait_for_proposal(prover.connection, 2)
            prover.faber.accept_proposal(asked)
            wait_until("the request", lambda: alice.ask("proof", "proof", "update_state") == REQUESTED, 20)
        else:
            asked = prover.faber.request_proof(prover.connection, prover.everything, OLDEST[peer])
            message = alice.receive("faber", "presentation-request")
            alice.ask("take_request", "proof", "faber", message["uid"])
            alice.ask("mark_read", message)
        alice.ask("choose_first", "proof", {} if proposes else {"phone": "123"})
        alice.ask("proof", "proof", "send", {"connection": "faber"})
        assert prover.faber.wait_for_proof(asked)
        wait_until("the ack", lambda: alice.ask("proof", "proof", "update_state") == ACCEPTED, 20)


@pytest.fixture
def paul(
    request: pytest.FixtureRequest, publisher: Callable[[str], Faber], tmp_path: pathlib.Path
) -> Iterator[PaulTheProver]:
    """An ACA-Py agent that holds a credential."""
    faber = publisher(request.node.callspec.params["peer"])
    with PaulTheProver("Paul", tmp_path / "paul", faber.agent) as paul:
        paul.take(faber.definition, VALUES)
        yield paul


@EACH_PEER
@pytest.mark.exchange("present-proof", "verify what ACA-Py proves in versions and formats by turns")
def test_a_verifier_chooses_for_each_request(
    bob: Alice, publisher: Callable[[str], Faber], paul: PaulTheProver, peer: str, version: int
) -> None:
    faber = publisher(peer)
    scene = Scene(bob, faber, paul, version)
    scene.connect()
    restrictions = [{"cred_def_id": faber.definition}]
    for number, form in enumerate(FORMS[peer]):
        name = f"check {number}"
        bob.ask("want", name, {"name": {"names": "name", "restrictions": restrictions}}, form)
        bob.ask("step", "verifier", name, "send", {"connection": "paul"})
        assert bob.ask("verdict", name, 30)["reasons"] == []
        assert bob.ask("shown", name)["revealed"] == {"name": {"name": VALUES["name"]}}
        message = bob.ask("tell", "verifier", name, "message")
        assert f"/present-proof/{form['version']}/" in message["@type"]
        assert form.get("format", "hlindy") in str(message.get("formats", "hlindy"))
