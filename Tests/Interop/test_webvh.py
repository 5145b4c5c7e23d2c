"""Credentials whose public objects lie on the issuer's own web server, under a DID of did:webvh. The method's library for
Python made them; msdk holds, proves and verifies."""

from __future__ import annotations

import base64
import json
import pathlib
from collections.abc import Iterator
from typing import Any

import pytest

from alice import Alice, AliceError, wait_until
from envelope import JSON
from holder import STORED, VALUES, library
from peer import Peer, message
from process import PeerError
from verifying import Checker
from webvh import WebVHIssuer, python

REGISTRIES = {"anoncreds_registries": [{"type": "webvh"}]}


class Publisher:
    """A scripted agent that issues credentials over a connection, with objects of did:webvh."""

    settings = REGISTRIES

    def __init__(self, issuer: WebVHIssuer, peer: Peer, alice: Alice) -> None:
        self.issuer, self.peer, self.alice = issuer, peer, alice
        self.ids = issuer.ask("define", sorted(VALUES))
        config = json.loads(alice.config) if isinstance(alice.config, str) else alice.config
        alice.config = {**config, "anoncreds_library_path": library("libanoncreds.so"), **REGISTRIES}
        alice.restart()
        alice.accept("faber", peer.invitation())
        self.connection, _ = peer.receive("connections/1.0/request")
        peer.send(peer.response(self.connection), self.connection, peer.invitation_key)
        alice.complete("faber")
        peer.receive_confirmation()

    @property
    def definition(self) -> str:
        return str(self.ids["definition"])

    def offer(self) -> JSON:
        """Sends an offer."""
        attributes = [{"name": name, "value": value} for name, value in VALUES.items()]
        preview = {"@type": "https://didcomm.org/issue-credential/1.0/credential-preview", "attributes": attributes}
        attached = attachment("libindy-cred-offer-0", self.issuer.ask("offer"))
        content: JSON = {"credential_preview": preview, "offers~attach": [attached]}
        offer = message("issue-credential/1.0/offer-credential", None, **content)
        self.peer.send(offer, self.connection, self.peer.key)
        return offer

    def issue(self, offer: JSON) -> None:
        """Issues what is requested next."""
        request, _ = self.peer.receive("issue-credential/1.0/request-credential")
        wanted = json.loads(base64.b64decode(request["requests~attach"][0]["data"]["base64"]))
        attached = attachment("libindy-cred-0", self.issuer.ask("issue", wanted, VALUES))
        content: JSON = {"credentials~attach": [attached]}
        credential = message("issue-credential/1.0/issue-credential", offer["@id"], **content)
        self.peer.send(credential, self.connection, self.peer.key)

    def give(self) -> int:
        """A credential in Alice's wallet."""
        offer = self.offer()
        received = self.alice.receive("faber", "credential-offer")
        connection = self.alice.ask("handle", "faber")
        credential, _ = self.alice.ask("vcx", "vcx_credential_create_with_msgid", "degree", connection, received["uid"])
        self.alice.ask("mark_read", received)
        self.alice.ask("vcx", "vcx_credential_send_request", credential, connection, 0)
        self.issue(offer)
        wait_until(
            "the credential", lambda: self.alice.ask("vcx", "vcx_credential_update_state", credential) == STORED, 30
        )
        return int(credential)


def attachment(id: str, content: Any) -> JSON:
    data = {"base64": base64.b64encode(json.dumps(content).encode()).decode()}
    return {"@id": id, "mime-type": "application/json", "data": data}


@pytest.fixture
def publisher(alice: Alice, tmp_path: pathlib.Path) -> Iterator[Publisher]:
    try:
        python()
    except PeerError as error:
        pytest.skip(error.what)
    with WebVHIssuer(tmp_path) as issuer, Peer() as peer:
        yield Publisher(issuer, peer, alice)


@pytest.fixture
def checker(alice: Alice, bob: Alice, publisher: Publisher) -> Checker:
    """Bob, who verifies what Alice proves."""
    made = Checker(bob, publisher)  # type: ignore[arg-type]
    bob.accept("alice", alice.invite("bob", "oob"))
    both = (alice, "bob"), (bob, "alice")
    wait_until("both to be connected", lambda: [who.ask("update", peer) for who, peer in both] == [4, 4], 20)
    return made


def answer(alice: Alice) -> None:
    """Proves what Bob asks for, with the first credentials that fit."""
    received = alice.receive("bob", "presentation-request")
    proof = alice.ask("vcx", "vcx_disclosed_proof_create_with_request", "proof", received["text"])
    alice.ask("mark_read", received)
    found = json.loads(alice.ask("vcx", "vcx_disclosed_proof_retrieve_credentials", proof))
    items = {**found["attributes"], **found["predicates"]}
    chosen = {name: {"credential": item["credentials"][0]} for name, item in items.items()}
    alice.ask("vcx", "vcx_disclosed_proof_generate_proof", proof, json.dumps({"attrs": chosen}), "{}")
    alice.ask("vcx", "vcx_disclosed_proof_send_proof", proof, alice.ask("handle", "bob"))


def test_a_credential_is_proved_until_it_is_revoked(alice: Alice, publisher: Publisher, checker: Checker) -> None:
    credential = publisher.give()
    stored = json.loads(alice.ask("vcx", "vcx_credential_get_info", credential))
    assert stored["cred_def_id"] == publisher.definition
    proof = checker.ask_for_now("alice", publisher.definition)
    answer(alice)
    assert checker.wait(proof), checker.reasons(proof)
    assert not alice.ask("vcx", "msdk_credential_is_revoked", credential)

    publisher.issuer.ask("revoke", 1)
    wait_until("the revocation", lambda: alice.ask("vcx", "msdk_credential_is_revoked", credential), 20)
    checker.ask_for_now("alice", publisher.definition)
    with pytest.raises(AliceError, match="credential is revoked"):
        answer(alice)


def test_a_server_that_takes_a_version_back_is_noticed(alice: Alice, publisher: Publisher) -> None:
    """By another process with the same wallet."""
    text = alice.ask("vcx", "vcx_credential_serialize", publisher.give())

    def is_revoked() -> bool:
        alice.restart()
        credential = alice.ask("vcx", "vcx_credential_deserialize", text)
        return bool(alice.ask("vcx", "msdk_credential_is_revoked", credential))

    publisher.issuer.ask("update")
    assert not is_revoked()
    publisher.issuer.ask("shorten")
    with pytest.raises(AliceError, match="has become shorter"):
        is_revoked()
