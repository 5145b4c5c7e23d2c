"""Each kind of Cloud Agent: connections in both roles, messages that arrive without polling, credentials and proofs."""

from __future__ import annotations

import contextlib
import json
import pathlib
from collections.abc import Callable, Iterator
from typing import Any, Protocol

import pytest

from acapy import Agent, python
from agency import Agency
from alice import COMPLETED, Alice, wait_until
from credo_mediator import CredoMediator, Rules
from holder import ACCEPTED, DIALECTS, REQUESTED, VALUES, Faber, Prover
from issuing import Registrar, Taking
from mediator import Mediator
from process import PeerError


class CloudAgent(Protocol):
    """A mailbox service that runs."""

    def provisioning(self, **more: Any) -> dict[str, Any]: ...


KINDS: dict[str, Callable[[pathlib.Path], contextlib.AbstractContextManager[Any]]] = {
    "msdk-agency": Agency,
    "ACA-Py 0.12, implicit pickup": lambda folder: Mediator("Mediator", folder, "0.12"),
    "ACA-Py 0.12, pickup 2.0": lambda folder: Mediator("Mediator", folder, "0.12", pickup=True),
    "ACA-Py 1.7, implicit pickup": lambda folder: Mediator("Mediator", folder, "1.7"),
    "ACA-Py 1.7, pickup 2.0": lambda folder: Mediator("Mediator", folder, "1.7", pickup=True),
    "stand-in of Credo, live delivery": lambda _: CredoMediator(Rules(live="delivery")),
    "stand-in of Credo, live envelopes": lambda _: CredoMediator(Rules(live="bare")),
}
HANDSHAKES = {"0.12": "connections/1.0", "1.7": "didexchange/1.1"}

EVERYWHERE = pytest.mark.parametrize("kind", KINDS)
WITH_EACH = pytest.mark.parametrize("peer", HANDSHAKES)
DIALECT = pytest.mark.parametrize(
    "peer, version", [pytest.param(*each, marks=() if each == ("0.12", 2) else pytest.mark.wide) for each in DIALECTS]
)
Record = Callable[[str, Any], None]


@pytest.fixture(scope="session")
def cloud_agents(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], CloudAgent]]:
    """The Cloud Agent of a kind, which all tests share; skips where ACA-Py of its version is not installed."""
    running: dict[str, CloudAgent] = {}
    with contextlib.ExitStack() as stack:

        def get(kind: str) -> CloudAgent:
            if kind not in running:
                try:
                    if kind.startswith("ACA-Py"):
                        python(kind.split()[1].rstrip(","))
                except PeerError as error:
                    pytest.skip(error.what)
                running[kind] = stack.enter_context(KINDS[kind](tmp_path_factory.mktemp("cloud-agent")))
            return running[kind]

        yield get


@pytest.fixture
def cloud_agent(kind: str, cloud_agents: Callable[[str], CloudAgent]) -> CloudAgent:
    return cloud_agents(kind)


@pytest.fixture
def alice(cloud_agent: CloudAgent, tmp_path: pathlib.Path) -> Iterator[Alice]:
    """A client, which listens to its messages."""
    with Alice(tmp_path / "alice") as alice:
        listen(alice, cloud_agent)
        yield alice


@pytest.fixture
def bob(cloud_agent: CloudAgent, tmp_path: pathlib.Path) -> Iterator[Alice]:
    """Another client, which listens too."""
    with Alice(tmp_path / "bob") as bob:
        listen(bob, cloud_agent)
        yield bob


def listen(client: Alice, cloud_agent: CloudAgent) -> None:
    live = cloud_agent.live_clients if isinstance(cloud_agent, CredoMediator) else 0
    client.provision(cloud_agent.provisioning())
    client.listens = True
    client.ask("listen")
    if isinstance(cloud_agent, CredoMediator):
        wait_until("live delivery", lambda: cloud_agent.live_clients > live, 30)


def talk(alice: Alice, faber: Agent, connection: str) -> None:
    """Messages go both ways, and Alice is told of hers once."""
    alice.ask("send", "faber", "to Faber")
    assert faber.wait_for_message(connection) == "to Faber"
    faber.send_message(connection, "to Alice")
    wait_until("the message", lambda: heard(alice), 30)
    assert heard(alice) == ["to Alice"]
    assert json.loads(alice.receive("faber", "message")["text"])["content"] == "to Alice"


def heard(program: Alice) -> list[str]:
    return [json.loads(text)["content"] for text in program.heard()]


@pytest.mark.wide
@EVERYWHERE
@WITH_EACH
def test_an_invitee_connects(
    kind: str, peer: str, alice: Alice, acapy: Callable[[str], Agent], record_property: Record
) -> None:
    record_property("Cloud Agents", (kind, "connect as the invitee, messages", f"ACA-Py {peer}"))
    faber = acapy(peer)
    made = faber.invite("oob", handshake=(HANDSHAKES[peer],))
    alice.accept("faber", made["invitation"])
    alice.complete("faber")
    talk(alice, faber, faber.wait_for_state(made, "active"))


@pytest.mark.wide
@EVERYWHERE
@WITH_EACH
def test_an_inviter_connects(
    kind: str, peer: str, alice: Alice, acapy: Callable[[str], Agent], record_property: Record
) -> None:
    record_property("Cloud Agents", (kind, "connect as the inviter, messages", f"ACA-Py {peer}"))
    faber = acapy(peer)
    connection = faber.accept(alice.invite("faber", "oob", HANDSHAKES[peer]))
    alice.complete("faber")
    faber.wait_until_active(connection)
    talk(alice, faber, connection)


@EVERYWHERE
@DIALECT
def test_a_credential_and_a_proof_of_it(
    kind: str, peer: str, version: int, alice: Alice, publisher: Callable[[str], Faber], record_property: Record
) -> None:
    scene = f"a credential and a proof of it, version {version}.0"
    record_property("Cloud Agents", (kind, scene, f"ACA-Py {peer}"))
    prover = Prover(alice, publisher(peer), version=version)
    asked = prover.faber.request_proof(prover.connection, prover.everything, version)
    message = alice.receive("faber", "presentation-request")
    assert alice.ask("take_request", "proof", "faber", message["uid"]) == REQUESTED
    alice.ask("choose_first", "proof", {"phone": "123"})
    alice.ask("proof", "proof", "send", {"connection": "faber"})
    assert prover.faber.wait_for_proof(asked)
    assert VALUES["name"] in prover.faber.revealed(asked)
    wait_until("the ack", lambda: alice.ask("proof", "proof", "update_state") == ACCEPTED, 20)


@pytest.mark.wide
@EVERYWHERE
def test_two_clients_issue_and_verify(
    kind: str, alice: Alice, bob: Alice, tmp_path: pathlib.Path, record_property: Record
) -> None:
    record_property("Cloud Agents", (kind, "connect, messages, issue, hold, prove, verify", "msdk"))
    registrar = Registrar(bob, tmp_path / "issuer")
    taking = Taking(alice, registrar)
    taking.connect("alice")
    assert (alice.ask("state", "issuer"), bob.ask("state", "alice")) == (COMPLETED, COMPLETED)
    for sender, to, receiver in ((alice, "issuer", bob), (bob, "alice", alice)):
        sender.ask("send", to, "hello")
        wait_until("the message", lambda: heard(receiver), 30)
        assert heard(receiver) == ["hello"]

    definition = registrar.define()
    registrar.offer("alice")
    credential = taking.accept()
    registrar.issue("alice")
    assert taking.store(credential)["attrs"] == VALUES
    registrar.finish("alice")

    bob.ask("request_proof", "check", "alice", [{"names": "name", "restrictions": [{"cred_def_id": definition}]}])
    request = alice.receive("issuer", "presentation-request")
    assert alice.ask("take_request", "proof", "issuer", request["uid"]) == REQUESTED
    alice.ask("choose_first", "proof", {})
    alice.ask("proof", "proof", "send", {"connection": "issuer"})
    assert bob.ask("verdict", "check", 30)["reasons"] == []
    wait_until("the ack", lambda: alice.ask("proof", "proof", "update_state") == ACCEPTED, 20)
