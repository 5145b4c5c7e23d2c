"""Credentials whose public objects lie on the issuer's own web server, under a DID of did:webvh. The method's library for
Python made them, or reads those of msdk."""

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
from issuing import Taking, WebVHRegistrar
from peer import Peer, message
from process import PeerError
from verifying import Checker
from web_store import WebStore
from webvh import WebVHIssuer, check, python
from webvh_agents import location

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
        kind = "issue-credential/1.0/request-credential"
        request, _ = self.peer.receive(kind, "trust_ping/1.0/ping")
        while not request["@type"].endswith(kind):
            request, _ = self.peer.receive(kind, "trust_ping/1.0/ping")
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
    has_other_library()
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


# An issuer with the library


def test_the_other_library_reads_what_msdk_publishes(alice: Alice, bob: Alice, tmp_path: pathlib.Path) -> None:
    """And msdk does, until the issuer revokes the credential, and ends its DID."""
    has_other_library()
    web = tmp_path / "web"
    with WebStore(web, "nobody writes over HTTP") as server:
        registrar = WebVHRegistrar(bob, web, server)
        taking = Taking(alice, registrar)
        taking.connect("alice")
        definition = taking.take_and_lose("alice")
        assert definition.startswith(f"{registrar.did}/resources/zQm")
        registrar.rita.ask("vcx", "msdk_webvh_update", registrar.did, '{"document": {"alsoKnownAs": ["https://e.org"]}}')
        found = check(registrar.files, registrar.did)
        assert found["document"]["alsoKnownAs"] == ["https://e.org"]
        kinds = {"anonCredsSchema": 1, "anonCredsCredDef": 1, "anonCredsRevocRegDef": 1, "anonCredsStatusList": 2}
        assert found["resources"] == kinds
        assert (found["changed"], found["accepted"]) == (20, 0)

        registrar.rita.ask("vcx", "msdk_webvh_deactivate", registrar.did)
        lines = (registrar.files / "did.jsonl").read_text().splitlines()
        assert json.loads(lines[-1])["parameters"]["deactivated"] and len(lines) == 3
        with pytest.raises(AliceError) as refused:
            registrar.define(name="other")
        assert "deactivated" in refused.value.cause


def test_msdk_publishes_on_a_server_that_takes_files(bob: Alice, tmp_path: pathlib.Path) -> None:
    """The issuer's keys stay in the wallet: another wallet cannot change the DID."""
    has_other_library()
    web, token = tmp_path / "web", "secret-token"
    web.mkdir()
    with WebStore(web, token) as server:
        registry = {"type": "webvh", "url": server.endpoint, "bearer_token": token, "write": True}
        config = json.loads(bob.config) if isinstance(bob.config, str) else bob.config
        bob.config = {**config, "anoncreds_registries": [registry]}
        bob.restart()
        did = bob.ask("create_web_did", location(server, "a:b"))
        version = bob.ask("vcx", "msdk_webvh_update", did, "{}")
        assert version.startswith("2-") and server.written == ["a/b/did.jsonl"] * 2
        assert check(web / "a" / "b", did)["document"]["id"] == did
        with pytest.raises(AliceError) as refused:
            bob.ask("create_web_did", location(server, "a:b"))
        assert refused.value.code == 1008


def has_other_library() -> None:
    try:
        python()
    except PeerError as error:
        pytest.skip(error.what)
