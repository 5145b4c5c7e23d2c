"""Proofs that the library asks for and verifies: of ACA-Py, and of another program with the library."""

from __future__ import annotations

import base64
import contextlib
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from alice import Alice, AliceError, wait_until
from holder import DIALECTS, LEDGERS, VALUES, Faber
from holder import Prover as Holder
from prover import Prover
from verifying import REJECTED, Checker, Scene
from webvh_agents import WebVHProver

EVERYWHERE = pytest.mark.parametrize("peer, version", DIALECTS)


@pytest.fixture(scope="session")
def provers(
    publisher: Callable[[str], Faber], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[str], tuple[Faber, Prover]]]:
    """For each version of ACA-Py an issuer, and an agent that holds a credential of it."""
    made: dict[str, tuple[Faber, Prover]] = {}
    with contextlib.ExitStack() as stack:

        def get(version: str) -> tuple[Faber, Prover]:
            if version not in made:
                faber = publisher(version)
                kind = WebVHProver if version == "webvh" else Prover
                paul = stack.enter_context(kind("Paul", tmp_path_factory.mktemp("paul"), faber.agent))
                paul.take(faber.definition, VALUES)
                made[version] = faber, paul
            return made[version]

        yield get


@pytest.fixture
def scene(request: pytest.FixtureRequest, alice: Alice, provers: Callable[[str], tuple[Faber, Prover]]) -> Scene:
    cell = request.node.callspec.params
    return Scene(alice, *provers(cell["peer"]), cell["version"])


@EVERYWHERE
@pytest.mark.exchange("present-proof", "verify attributes, a group, and a predicate")
def test_a_proof_of_acapy_is_verified(scene: Scene, peer: str, version: int) -> None:
    scene.connect()
    checker = scene.checker
    proof = checker.ask("paul", scene.faber.definition)
    assert checker.wait(proof), checker.reasons(proof)
    shown = checker.content(proof)["requested_proof"]
    assert shown["revealed_attrs"]["attribute_0"]["raw"] == VALUES["name"]
    assert shown["revealed_attr_groups"]["attribute_1"]["values"]["degree"]["raw"] == VALUES["degree"]
    # ACA-Py states the value of an unrestricted item over version 2.0, and reveals it over version 1.0.
    assert "predicate_0" in shown["predicates"]
    assert "attribute_2" in {**shown["revealed_attrs"], **shown["self_attested_attrs"]}
    scene.paul.wait_until("the ack", lambda: {"done", "presentation_acked"} & set(scene.paul.presentations(version)))


@EVERYWHERE
@pytest.mark.exchange("present-proof", "refuse a presentation that was changed or shown before")
def test_a_changed_or_repeated_presentation_is_refused(scene: Scene, peer: str, version: int) -> None:
    scene.connect()
    checker = scene.checker
    first = checker.ask("paul", scene.faber.definition)
    assert checker.wait(first)
    _, message = checker.presentation(first)

    second = checker.ask("paul", scene.faber.definition)
    repeated = {**message, "@id": "repeated", "~thread": {"thid": request_id(checker, second)}}
    assert code_of_refusal(checker, second, repeated) == 1016, "nobody has sent it"

    third = checker.ask("paul", scene.faber.definition)
    genuine = checker.answer("paul", request_id(checker, third))
    changed = with_content(genuine, lambda text: text.replace(VALUES["name"], "Mallory"))
    assert code_of_refusal(checker, third, changed) == 1016, "nobody has sent it"


def code_of_refusal(checker: Checker, proof: int, message: Any) -> int:
    with pytest.raises(AliceError) as refused:
        checker.call("vcx_proof_update_state_with_message", proof, json.dumps(message))
    assert checker.state(proof) == 2
    return refused.value.code


def request_id(checker: Checker, proof: int) -> str:
    return str(json.loads(checker.call("vcx_proof_get_request_msg", proof))["@id"])


def with_content(message: Any, change: Callable[[str], str]) -> Any:
    """The message with a change of what it attaches."""
    attachment = message["presentations~attach"][0]
    text = base64.b64decode(attachment["data"]["base64"]).decode()
    attachment["data"] = {"base64": base64.b64encode(change(text).encode()).decode()}
    return message


@EVERYWHERE
@pytest.mark.exchange("present-proof", "verify without a connection, by invitation")
def test_a_request_in_an_invitation_is_answered(scene: Scene, peer: str, version: int) -> None:
    checker, victor = scene.checker, scene.checker.victor
    proof = checker.create(scene.faber.definition)
    request = checker.call("vcx_proof_get_request_attach", proof)
    victor.ask("invite", "anybody", True, {"handshake": False, "request": json.loads(request)})
    invitation = victor.ask("connect", "anybody")
    checker.call("vcx_proof_set_connection", proof, checker.connection("anybody"))
    scene.paul.answer(invitation)
    assert checker.wait(checker.restored(proof))


@pytest.mark.parametrize("peer, version", LEDGERS)
@pytest.mark.exchange("present-proof", "verify that a credential is valid, until it is revoked")
def test_a_revoked_credential_is_refused(scene: Scene, peer: str, version: int) -> None:
    scene.connect()
    # A definition of its own: the prover could choose a credential that an earlier test has revoked.
    checker, definition = scene.checker, scene.faber.agent.define(VALUES, revocable=True, tag=f"{peer}-{version}")
    issued = scene.paul.take(definition, VALUES)
    proof = checker.ask_for_now("paul", definition)
    assert checker.wait(proof), checker.reasons(proof)
    scene.faber.agent.revoke(issued)
    proof = checker.ask_for_now("paul", definition)
    assert not checker.wait(proof)
    # Some provers decline, others send a proof that cannot be right.
    assert checker.state(proof) == REJECTED or checker.reasons(proof) == ["proof"]


@pytest.fixture
def pair(alice: Alice, bob: Alice, publisher: Callable[[str], Faber]) -> tuple[Holder, Checker]:
    """Alice, who holds a credential, and Bob, who verifies, each with the library."""
    holder = Holder(alice, publisher("0.12"))
    checker = Checker(bob, publisher("0.12"))
    bob.accept("alice", alice.invite("bob", "oob"))
    both = (alice, "bob"), (bob, "alice")
    wait_until("both to be connected", lambda: [who.ask("update", peer) for who, peer in both] == [4, 4], 20)
    return holder, checker


def test_two_programs_with_the_library_ask_and_prove(pair: tuple[Holder, Checker]) -> None:
    holder, checker = pair
    proof = checker.ask("alice", holder.definition)
    theirs = receive_request(holder)
    holder.generate(theirs, {})
    holder.send(theirs, holder.alice.ask("handle", "bob"))
    assert checker.wait(checker.restored(proof))
    holder.wait(theirs, 4)


def receive_request(holder: Holder) -> int:
    message = holder.alice.receive("bob", "presentation-request")
    made = holder.call("vcx_disclosed_proof_create_with_request", "proof", message["text"])
    holder.alice.ask("mark_read", message)
    return int(made)


def test_a_proposal_is_asked_for_and_proved(pair: tuple[Holder, Checker]) -> None:
    holder, checker = pair
    connection = holder.alice.ask("handle", "bob")
    preview = {"attributes": [{"name": "name", "cred_def_id": holder.definition}]}
    theirs = holder.call("vcx_disclosed_proof_create_proposal", "proof", json.dumps(preview), "my name")
    holder.call("vcx_disclosed_proof_send_proposal", theirs, connection)
    message = checker.victor.receive("alice", "propose-presentation")
    proof = checker.call("vcx_proof_create_with_proposal", "check", message["text"], "Check")
    assert json.loads(checker.call("vcx_get_proof_proposal", proof))
    checker.call("vcx_proof_send_request", proof, checker.connection("alice"))
    holder.wait(theirs, 3)
    holder.generate(theirs, {})
    holder.send(theirs, connection)
    assert checker.wait(proof)


def test_a_prover_may_decline(pair: tuple[Holder, Checker]) -> None:
    holder, checker = pair
    proof = checker.ask("alice", holder.definition)
    theirs = receive_request(holder)
    connection = holder.alice.ask("handle", "bob")
    holder.call("vcx_disclosed_proof_decline_presentation_request", theirs, connection, "not to you", None)
    assert not checker.wait(proof) and checker.state(proof) == REJECTED
    assert json.loads(checker.call("vcx_proof_get_problem_report", proof))["comment"] == "not to you"
    with pytest.raises(AliceError) as refused:
        checker.presentation(proof)
    assert refused.value.code == 1081


def test_the_package_asks_and_explains(pair: tuple[Holder, Checker]) -> None:
    """By the Python package's class."""
    holder, checker = pair
    victor = checker.victor
    here = [{"cred_def_id": holder.definition}]
    victor.ask("request_proof", "check", "alice", [{"names": "name", "restrictions": here}, {"names": "phone"}])
    theirs = receive_request(holder)
    holder.generate(theirs, {"attribute_1": "123"})
    holder.send(theirs, holder.alice.ask("handle", "bob"))
    verdict = victor.ask("verdict", "check", 20)
    assert verdict["reasons"] == [] and [each["code"] for each in verdict["warnings"]] == ["self-attested"]
    shown = victor.ask("shown", "check")
    assert shown["revealed"] == {"attribute_0": {"name": VALUES["name"]}}
    assert shown["self_attested"] == {"attribute_1": "123"}
