"""Alice as holder and prover: connected with an ACA-Py agent that issues credentials and asks for proofs of them."""

from __future__ import annotations

import base64
import functools
import json
import os
import pathlib
from typing import Any

from acapy import PREFIX
from alice import Alice, wait_until
from envelope import b58decode, b58encode
from issuer import Offer
from process import PeerError
from verifier import Verifier

VALUES = {"name": "Alice Andersen", "age": "28", "degree": "Maths"}
REQUEST_SENT, OFFERED, STORED, REJECTED = 2, 3, 4, 9
PROPOSED, SENT, REQUESTED, ACCEPTED, DECLINED = 1, 2, 3, 4, 9

DIALECTS = [("0.12", 1), ("0.12", 2), ("1.7", 2)]
"""The versions of ACA-Py, each with the versions of issue-credential and present-proof that it speaks."""

LEDGERS = [*DIALECTS, ("webvh", 2)]
"""The same, and ACA-Py 1.7 with objects under DIDs of did:webvh."""


def library(name: str) -> str:
    """One of the libraries that `scripts/setup credentials` installs."""
    cache = pathlib.Path(os.environ.get("MSDK_CACHE") or pathlib.Path(__file__).parents[2] / ".build/environments")
    return str(cache / "credentials" / name)


def with_service(invitation: Any) -> Any:
    """The message that is attached to an invitation, in the older shape: it names its service itself, with bare keys."""
    message, service = invitation["requests~attach"][0]["data"]["json"], invitation["services"][0]
    multibase = (key.removeprefix("did:key:z").split("#")[0] for key in service["recipientKeys"])
    keys = [b58encode(b58decode(key)[2:]) for key in multibase]
    decorator = {"recipientKeys": keys, "routingKeys": [], "serviceEndpoint": service["serviceEndpoint"]}
    return {**message, "~service": decorator}


class Faber:
    """An agent and its definitions, each made when a test first needs it."""

    def __init__(self, agent: Verifier) -> None:
        self.agent = agent

    @property
    def settings(self) -> dict[str, Any]:
        """The members of a configuration with which a wallet reads what the agent publishes."""
        if self.agent.genesis is not None:
            return {"genesis_path": str(self.agent.genesis), "indy_vdr_library_path": library("libindy_vdr.so")}
        return {"anoncreds_registries": [self.agent.published_at]}

    @functools.cached_property
    def definition(self) -> str:
        return self.agent.define(VALUES)

    @functools.cached_property
    def revocable(self) -> str:
        return self.agent.define(VALUES, revocable=True, tag="revocable")


class Holder:
    """Alice with a connection to the issuer, and the credentials that she is offered over it."""

    def __init__(self, alice: Alice, faber: Faber, revocable: bool = False) -> None:
        self.alice, self.faber, self._definitions, self._revocable = alice, faber.agent, faber, revocable
        alice.config = json.loads(alice.config) if isinstance(alice.config, str) else alice.config
        alice.config |= {"anoncreds_library_path": library("libanoncreds.so"), **faber.settings}
        alice.restart()

    @property
    def definition(self) -> str:
        return self._definitions.revocable if self._revocable else self._definitions.definition

    def connect(self, kind: str = "oob") -> None:
        """Over an invitation of this kind: with "oob" by DID Exchange, with "c_i" by connections/1.0."""
        handshake = "didexchange/1.0" if kind == "oob" else "connections/1.0"
        invitation = self.faber.invite(kind, handshake=(handshake,))
        self.alice.accept("faber", invitation["invitation"])
        try:
            self.alice.complete("faber")
        except PeerError as error:
            raise PeerError(error.what, self.faber.log) from None
        self.connection = self.faber.wait_for_state(invitation, "active")

    def offer(self, version: int) -> Offer:
        return self.faber.offer(self.connection, self.definition, VALUES, version)

    def call(self, function: str, *arguments: Any) -> Any:
        return self.alice.ask("vcx", function, *arguments)

    @property
    def handle(self) -> int:
        return int(self.alice.ask("handle", "faber"))

    def receive_offer(self) -> int:
        """The handle of the offered credential."""
        message = self.alice.receive("faber", "credential-offer")
        handle, _ = self.call("vcx_credential_create_with_msgid", "degree", self.handle, message["uid"])
        assert self.call("vcx_credential_get_state", handle) == OFFERED
        self.alice.ask("mark_read", message)
        return int(handle)

    def request(self, credential: int, connection: int | None = None) -> None:
        self.call("vcx_credential_send_request", credential, self.handle if connection is None else connection, 0)

    def update(self, credential: int) -> int:
        return int(self.call("vcx_credential_update_state", credential))

    def store(self, credential: int) -> None:
        wait_until("the credential", lambda: self.update(credential) == STORED, 20)

    def take(self, version: int = 2) -> tuple[Offer, int]:
        """A credential from the offer until it is stored: its exchange, and its handle."""
        offer = self.offer(version)
        credential = self.receive_offer()
        self.request(credential)
        self.store(credential)
        self.faber.wait_for_issue(offer)
        return offer, credential

    def restart(self, credential: int) -> int:
        """Another process goes on with the credential."""
        text, connection = self.call("vcx_credential_serialize", credential), self.alice.ask("serialize", "faber")
        self._begin_again(connection)
        return int(self.call("vcx_credential_deserialize", text))

    def _begin_again(self, connection: Any) -> None:
        self.alice.kill()
        self.alice.start()
        self.alice.ask("init", self.alice.config)
        self.alice.ask("deserialize", "faber", connection)

    def stored(self, credential: int) -> Any:
        return json.loads(self.call("vcx_credential_get_info", credential))

    def held(self) -> list[Any]:
        """All credentials in the wallet: those with a name."""
        item = {"requested_attributes": {"name": {"name": "name"}}, "requested_predicates": {}}
        content = {"nonce": "1", "name": "all", "version": "1.0", **item}
        attached = {"@id": "0", "data": {"base64": base64.b64encode(json.dumps(content).encode()).decode()}}
        kind = PREFIX + "present-proof/1.0/request-presentation"
        request = {"@type": kind, "@id": "all", "request_presentations~attach": [attached]}
        proof = self.call("vcx_disclosed_proof_create_with_request", "all", json.dumps(request))
        found = json.loads(self.call("vcx_disclosed_proof_retrieve_credentials", proof))
        self.call("vcx_disclosed_proof_release", proof)
        return list(found["attributes"]["name"]["credentials"])


class Prover(Holder):
    """Alice with a connection to the verifier, and a credential of it, which can be revoked if a test says so."""

    def __init__(
        self, alice: Alice, faber: Faber, revocable: bool = False, invited: str = "oob", version: int = 2
    ) -> None:
        super().__init__(alice, faber, revocable)
        self.connect(invited)
        self.issued, self.credential = self.take(version)

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

    def found(self, proof: int) -> dict[str, Any]:
        """The credentials that fit each item of the request."""
        items = json.loads(self.call("vcx_disclosed_proof_retrieve_credentials", proof))
        return {name: item["credentials"] for name, item in {**items["attributes"], **items["predicates"]}.items()}

    def generate(self, proof: int, attested: dict[str, str] | None = None, present_revoked: bool = False) -> None:
        """Answers each item with the first credential that fits."""
        options = {"present_revoked": True} if present_revoked else {}
        attrs = {name: {"credential": fitting[0], **options} for name, fitting in self.found(proof).items() if fitting}
        attested = {"phone": "123"} if attested is None else attested
        self.call("vcx_disclosed_proof_generate_proof", proof, json.dumps({"attrs": attrs}), json.dumps(attested))

    def send(self, proof: int, connection: int | None = None) -> None:
        self.call("vcx_disclosed_proof_send_proof", proof, self.handle if connection is None else connection)

    def wait(self, proof: int, state: int) -> None:
        wait_until(f"state {state}", lambda: self.call("vcx_disclosed_proof_update_state", proof) == state, 20)

    def restart_with(self, proof: int) -> int:
        """Another process goes on with the proof."""
        text, connection = self.call("vcx_disclosed_proof_serialize", proof), self.alice.ask("serialize", "faber")
        self._begin_again(connection)
        return int(self.call("vcx_disclosed_proof_deserialize", text))
