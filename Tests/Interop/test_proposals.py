"""Proposals of credentials and proofs, from either side: of ACA-Py, and of another program with the library."""

from __future__ import annotations

import json
import pathlib
from collections.abc import Callable
from typing import Any

import pytest

from alice import Alice, AliceError, wait_until
from holder import ACCEPTED, DIALECTS, STORED, VALUES, Faber, Holder, Prover
from holder import REQUESTED as ASKED
from issuing import DID, FAILED, ISSUED, OFFERED, REJECTED, REQUESTED, Registrar, Taking
from matrix import FORMATS
from prover import Prover as PaulTheProver
from test_issuing import taker
from verifying import Checker

EVERYWHERE = pytest.mark.parametrize("peer, version", DIALECTS)
OTHER = {**VALUES, "degree": "Physics"}
PLANNED, OFFER_ARRIVED, PROPOSED = 1, 3, 10


@pytest.fixture
def holder(request: pytest.FixtureRequest, alice: Alice, publisher: Callable[[str], Faber]) -> Holder:
    """Alice beside the peer of the test's cell."""
    cell = getattr(request.node, "callspec", None)
    return Holder(alice, publisher(cell.params["peer"] if cell else "0.12"))


def propose(holder: Holder, peer: str, version: int) -> None:
    holder.connect()
    form = {"version": f"{version}.0", "format": FORMATS[peer]}
    holder.alice.ask("propose", "degree", "faber", VALUES, holder.definition, form)
    assert holder.alice.ask("credential", "degree", "state") == PROPOSED


def wait(alice: Alice, state: int) -> None:
    wait_until(f"state {state}", lambda: alice.ask("credential", "degree", "update_state") == state, 30)


@pytest.mark.parametrize("peer, version", [each for each in DIALECTS if each[1] == 2])
@pytest.mark.exchange("issue-credential", "propose to ACA-Py, propose again, and hold")
def test_acapy_offers_what_alice_proposes(holder: Holder, peer: str, version: int) -> None:
    propose(holder, peer, version)
    alice, faber = holder.alice, holder.faber
    first = faber.wait_for_credential_proposal(holder.connection, version)
    faber.answer_proposal(first)
    offer = alice.ask("credential", "degree", "offered", 30)
    assert (offer["attributes"], offer["cred_def_id"]) == (VALUES, holder.definition)
    faber.forget(first)
    alice.ask("counter", "degree", "faber", OTHER, holder.definition)
    second = faber.wait_for_credential_proposal(holder.connection, version)
    faber.answer_proposal(second)
    again = alice.ask("credential", "degree", "offered", 30)
    assert (again["attributes"], again["thread_id"]) == (OTHER, offer["thread_id"])
    alice.ask("credential", "degree", "accept", {"connection": "faber"})
    wait(alice, STORED)
    assert alice.ask("credential", "degree", "info")["attributes"] == OTHER
    faber.wait_for_issue(second)


@pytest.mark.parametrize("peer, version", [("0.12", 1)])
@pytest.mark.exchange("issue-credential", "propose to ACA-Py, which offers on another thread")
def test_acapy_offers_on_a_thread_of_its_own_in_version_1(holder: Holder, peer: str, version: int) -> None:
    """The offer does not say which proposal it answers: it is a new one, for the program."""
    propose(holder, peer, version)
    holder.faber.answer_proposal(holder.faber.wait_for_credential_proposal(holder.connection, version))
    offer = holder.alice.receive("faber", "credential-offer")
    assert all(value in offer["text"] for value in VALUES.values())
    assert holder.alice.ask("credential", "degree", "update_state") == PROPOSED


@EVERYWHERE
@pytest.mark.exchange("issue-credential", "propose to ACA-Py, which refuses")
def test_acapy_refuses_what_alice_proposes(holder: Holder, peer: str, version: int) -> None:
    propose(holder, peer, version)
    holder.faber.refuse(holder.faber.wait_for_credential_proposal(holder.connection, version), "not for you")
    wait(holder.alice, FAILED)
    assert "not for you" in str(holder.alice.ask("credential", "degree", "problem_report"))


def received(bob: Alice, tina: Any, definition: str, version: int) -> tuple[Any, Any]:
    """Tina connects with Bob and proposes a credential, which he takes: her record of the exchange, and what he has read."""
    connection = tina.accept(bob.invite("tina", "oob", "didexchange/1.0", goal_code="issue", goal="issue"))
    wait_until("a request", lambda: bob.ask("update", "tina") >= 3, 30)
    bob.complete("tina")
    sent = tina.propose(connection, definition, VALUES, version)
    message = bob.receive("tina", "credential-proposal")
    read = bob.ask("take_proposal", "degree", message)
    bob.ask("mark_read", message)
    return sent, read


@EVERYWHERE
@pytest.mark.exchange("issue-credential", "ACA-Py proposes, and is offered other values")
def test_acapy_holds_what_it_is_offered(bob: Alice, tmp_path: pathlib.Path, peer: str, version: int) -> None:
    registrar = Registrar(bob, tmp_path / "issuer", institution_did=DID)
    definition = registrar.define()
    with taker(peer, tmp_path, registrar) as tina:
        _, proposed = received(bob, tina, definition, version)
        assert (proposed["attributes"], proposed["filter"]["cred_def_id"]) == (VALUES, definition)
        assert proposed["comment"] == "please" and registrar.state("degree") == PROPOSED
        bob.ask("plan", "degree", "degree", OTHER)
        assert registrar.state("degree") == PLANNED
        bob.ask("issue", "degree", "offer", {"connection": "tina"})
        assert registrar.state("degree") == OFFERED
        registrar.issue("degree")
        registrar.finish("degree")
        (held,) = tina.credentials()
        assert held["attrs"] == OTHER


@EVERYWHERE
@pytest.mark.exchange("present-proof", "propose to ACA-Py instead of its request, and prove that")
def test_acapy_asks_for_what_alice_proposes_instead(
    alice: Alice, publisher: Callable[[str], Faber], peer: str, version: int
) -> None:
    prover = Prover(alice, publisher(peer))
    first = prover.faber.request_proof(prover.connection, prover.everything, version)
    message = alice.receive("faber", "presentation-request")
    alice.ask("take_request", "proof", "faber", message["uid"])
    alice.ask("mark_read", message)
    preview = {"attributes": [{"name": "name", "cred_def_id": prover.definition}], "predicates": []}
    alice.ask("proof", "proof", "decline", {"connection": "faber"}, None, json.dumps(preview))
    second = prover.faber.wait_for_proposal(prover.connection, version)
    prover.faber.forget_proof(first)
    prover.faber.accept_proposal(second)
    wait_until("the request", lambda: alice.ask("proof", "proof", "update_state") == ASKED, 20)
    assert len(alice.ask("choose_first", "proof", {})) == 1
    alice.ask("proof", "proof", "send", {"connection": "faber"})
    assert prover.faber.wait_for_proof(second)
    wait_until("the ack", lambda: alice.ask("proof", "proof", "update_state") == ACCEPTED, 20)


@EVERYWHERE
@pytest.mark.exchange("present-proof", "ACA-Py proposes, and proves what it is asked")
def test_acapy_proves_what_it_proposes(
    bob: Alice, publisher: Callable[[str], Faber], tmp_path: pathlib.Path, peer: str, version: int
) -> None:
    faber = publisher(peer)
    with PaulTheProver("Paul", tmp_path / "paul", faber.agent) as paul:
        paul.take(faber.definition, VALUES)
        checker = Checker(bob, faber)
        invitation = paul.invite("oob", handshake=("didexchange/1.0",))
        bob.accept("paul", invitation["invitation"])
        bob.complete("paul")
        paul.propose(paul.wait_for_state(invitation, "active"), faber.definition, version)
        message = bob.receive("paul", "propose-presentation")
        assert f"/present-proof/{version}.0/" in message["text"]
        bob.ask("make", "verifier", "check", "from_proposal", [json.loads(message["text"])])
        bob.ask("mark_read", message)
        bob.ask("step", "verifier", "check", "send", {"connection": "paul"})
        assert bob.ask("verdict", "check", 30)["reasons"] == []
        (shown,) = bob.ask("shown", "check")["revealed"].values()
        assert shown == {"name": VALUES["name"]}
        paul.wait_until("the ack", lambda: {"done", "presentation_acked"} & set(paul.presentations(version)))


@EVERYWHERE
@pytest.mark.exchange("issue-credential", "withdraw the offer to ACA-Py")
def test_acapy_learns_of_a_withdrawn_offer(bob: Alice, tmp_path: pathlib.Path, peer: str, version: int) -> None:
    """After its request: ACA-Py would write its request's state over a report that comes before."""
    registrar = Registrar(bob, tmp_path / "issuer", institution_did=DID)
    definition = registrar.define()
    with taker(peer, tmp_path, registrar) as tina:
        proposed, _ = received(bob, tina, definition, version)
        bob.ask("plan", "degree", "degree", VALUES)
        bob.ask("issue", "degree", "offer", {"connection": "tina"})
        registrar.wait("degree", REQUESTED)
        bob.ask("issue", "degree", "decline", {"connection": "tina"}, "a mistake")
        tina.wait_for_refusal(proposed)
        assert registrar.state("degree") == REJECTED and tina.credentials() == []


# Two programs with the library


@pytest.mark.parametrize("version", ["1.0", "2.0"])
def test_two_programs_bargain_until_they_agree(taking: Taking, version: str) -> None:
    """Both are killed between the steps."""
    registrar, alice, rita = taking.registrar, taking.alice, taking.registrar.rita
    definition = registrar.define(revocable=True)
    alice.ask("propose", "degree", "issuer", {**VALUES, "degree": "Doctor of everything"}, definition, {"version": version})
    message = rita.receive("alice", "credential-proposal")
    rita.ask("take_proposal", "alice", message)
    rita.ask("mark_read", message)
    for values in (VALUES, OTHER):
        rita.ask("plan", "alice", "degree", values)
        rita.ask("restore", "alice", rita.ask("issue", "alice", "serialize"))
        rita.ask("issue", "alice", "offer", {"connection": "alice"})
        offer = alice.ask("credential", "degree", "offered", 30)
        assert offer["attributes"] == values
        if values is VALUES:
            alice.ask("counter", "degree", "issuer", {"degree": "Physics"})
            registrar.wait("alice", PROPOSED)
            assert rita.ask("issue", "alice", "proposal")["attributes"] == {"degree": "Physics"}
    alice.ask("credential", "degree", "accept", {"connection": "issuer"})
    registrar.issue("alice")
    wait(alice, STORED)
    assert alice.ask("credential", "degree", "info")["attributes"] == OTHER
    registrar.finish("alice")
    assert registrar.place("alice") == 1


def test_either_side_ends_it(taking: Taking) -> None:
    registrar, alice, rita = taking.registrar, taking.alice, taking.registrar.rita
    definition = registrar.define()
    alice.ask("propose", "degree", "issuer", VALUES, definition, {})
    message = rita.receive("alice", "credential-proposal")
    rita.ask("take_proposal", "first", message)
    rita.ask("mark_read", message)
    rita.ask("issue", "first", "decline", {"connection": "alice"}, "not for you")
    assert registrar.state("first") == REJECTED
    wait(alice, FAILED)
    registrar.offer("alice", credential="second")
    offer = alice.receive("issuer", "credential-offer")
    alice.ask("take_offer", "degree", "issuer", offer["uid"])
    alice.ask("counter", "degree", "issuer", OTHER)
    registrar.wait("second", PROPOSED)
    alice.ask("credential", "degree", "decline", {"connection": "issuer"}, "too late")
    registrar.wait("second", REJECTED)
    alice.ask("mark_read", offer)
    registrar.offer("alice", credential="third")
    offer = alice.receive("issuer", "credential-offer")
    alice.ask("take_offer", "degree", "issuer", offer["uid"])
    alice.ask("credential", "degree", "accept", {"connection": "issuer"})
    rita.ask("issue", "third", "decline", {"connection": "alice"}, "a mistake")
    assert registrar.state("third") == REJECTED
    wait(alice, FAILED)
    assert "a mistake" in str(alice.ask("credential", "degree", "problem_report"))


def test_a_holder_that_forgets_its_proposal_repeats_it(taking: Taking) -> None:
    """The issuer has answered it already, and must not answer it again: the next offer would cross the request for this one."""
    registrar, alice, rita = taking.registrar, taking.alice, taking.registrar.rita
    definition = registrar.define()
    registrar.offer("alice")
    message = alice.receive("issuer", "credential-offer")
    alice.ask("take_offer", "degree", "issuer", message["uid"])
    offered = alice.ask("credential", "degree", "serialize")
    alice.ask("counter", "degree", "issuer", OTHER, definition)
    registrar.wait("alice", PROPOSED)
    rita.ask("plan", "alice", "degree", OTHER)
    rita.ask("issue", "alice", "offer", {"connection": "alice"})
    alice.ask("make", "holder", "degree", "deserialize", [offered])
    alice.ask("counter", "degree", "issuer", OTHER, definition)
    assert registrar.update("alice") == OFFERED
    assert alice.ask("credential", "degree", "offered", 30)["attributes"] == OTHER
    alice.ask("credential", "degree", "accept", {"connection": "issuer"})
    registrar.issue("alice")
    wait(alice, STORED)
    registrar.finish("alice")


def test_no_offer_is_made_once_the_credential_is_issued(taking: Taking) -> None:
    """The issuer goes on with an older state, and the holder with an older one too."""
    registrar, alice, rita = taking.registrar, taking.alice, taking.registrar.rita
    registrar.define(revocable=True)
    registrar.offer("alice")
    offered = rita.ask("issue", "alice", "serialize")
    message = alice.receive("issuer", "credential-offer")
    alice.ask("take_offer", "degree", "issuer", message["uid"])
    kept: Any = alice.ask("credential", "degree", "serialize")
    alice.ask("credential", "degree", "accept", {"connection": "issuer"})
    registrar.issue("alice")
    wait(alice, STORED)
    rita.ask("restore", "alice", offered)
    older = int(taking.call("vcx_credential_deserialize", kept))
    connection = int(alice.ask("handle", "issuer"))
    taking.call("msdk_credential_propose_instead", older, connection, '{"attributes":{"degree":"Physics"}}', None)
    registrar.wait("alice", REQUESTED)  # the first message that it finds again
    rita.ask("issue", "alice", "issue")
    assert (registrar.state("alice"), registrar.place("alice")) == (ISSUED, 1)
    with pytest.raises(AliceError) as refused:
        rita.ask("plan", "alice", "degree", OTHER)
    assert refused.value.code == 1081


@pytest.mark.parametrize("version", ["1.0", "2.0"])
def test_an_offer_in_an_invitation_is_answered_with_a_proposal(registrar: Registrar, alice: Alice, version: str) -> None:
    """The invitation has no handshake. The holder accepts it, so that it has a mailbox for the next offer."""
    rita = registrar.rita
    definition = registrar.define()
    taking = Taking(alice, registrar)
    rita.ask("make", "issuer", "degree", "create", [{"definition": "degree"}, VALUES, "Degree"], {"version": version})
    invitation = registrar.attach("nobody", rita.ask("issue", "degree", "offer_message"))
    rita.ask("issue", "degree", "offer", {"connection": "nobody"})
    alice.ask("create", "issuer", invitation)
    alice.ask("connect", "issuer")
    message = taking.call("vcx_extract_attached_message", json.dumps(invitation))
    alice.ask("make", "holder", "degree", "from_offer", [json.loads(message)])
    for values in (OTHER, {**OTHER, "age": "29"}):
        alice.ask("counter", "degree", "issuer", values, definition)
        registrar.wait("degree", PROPOSED)
        rita.ask("plan", "degree", "degree", values)
        rita.ask("issue", "degree", "offer", {"connection": "nobody"})
        assert alice.ask("credential", "degree", "offered", 30)["attributes"] == values
    alice.ask("credential", "degree", "accept", {"connection": "issuer"})
    registrar.issue("degree")
    wait(alice, STORED)
    registrar.finish("degree")
