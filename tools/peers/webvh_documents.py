"""Makes logs of did:webvh and attested resources with the method's library for Python. Runs in the environment of
`webvh.txt`."""

from __future__ import annotations

import json
from typing import Any

import jsoncanon  # type: ignore[import-not-found]
from did_webvh.askar import AskarSigningKey  # type: ignore[import-not-found]
from did_webvh.core.hash_utils import HashInfo  # type: ignore[import-not-found]
from did_webvh.core.proof import di_jcs_sign  # type: ignore[import-not-found]
from did_webvh.core.state import DocumentState  # type: ignore[import-not-found]
from did_webvh.history import update_document_state  # type: ignore[import-not-found]
from did_webvh.provision import provision_did  # type: ignore[import-not-found]

JSON = dict[str, Any]


def key(seed: int | None = None) -> Any:
    """A key pair, from a seed if the results must be the same each time."""
    if seed is None:
        return AskarSigningKey.generate("ed25519")
    return AskarSigningKey.from_secret_bytes("ed25519", seed.to_bytes(32, "big"))


def key_hash(pair: Any) -> str:
    """The hash of a key, for `nextKeyHashes`."""
    return str(HashInfo.from_name("sha2-256").formatted_hash(pair.multikey.encode()))


def digest(content: Any) -> str:
    return "z" + str(HashInfo.from_name("sha2-256").formatted_hash(jsoncanon.canonicalize(content)))


class Controller:
    """The controller of a DID. `location` is the rest of the DID behind the SCID."""

    def __init__(
        self, location: str, pair: Any, parameters: JSON | None = None, document: JSON | None = None,
        time: str = "2025-01-01T00:00:00Z",
    ) -> None:
        self.key = pair
        id = "did:webvh:{SCID}:" + location
        state = provision_did(
            {**described(id, pair), **(document or {})},
            params={"updateKeys": [pair.multikey], **(parameters or {})},
            timestamp=time,
        )
        state.proofs.append(state.create_proof(pair, timestamp=state.timestamp))
        self.states: list[DocumentState] = [state]

    @property
    def did(self) -> str:
        return str(self.states[0].document_id)

    def update(
        self, parameters: JSON | None = None, document: JSON | None = None, pair: Any = None, time: str | None = None
    ) -> None:
        """Adds an entry. The document's members come instead of the former ones."""
        last = self.states[-1]
        changed = {**last.document_copy(), **(document or {})}
        self.states.append(update_document_state(last, pair or self.key, changed, parameters, time))

    @property
    def log(self) -> str:
        return "".join(state.history_json() + "\n" for state in self.states)

    def resource(
        self, content: Any, type: str, name: str, links: list[JSON] | None = None, pair: Any = None,
        time: str | None = None,
    ) -> JSON:
        """A signed resource, whose id ends with the digest of its content."""
        resource: JSON = {
            "@context": ["https://w3id.org/security/data-integrity/v2"],
            "type": ["AttestedResource"],
            "id": f"{self.did}/resources/{digest(content)}",
            "content": content,
            "metadata": {"resourceId": digest(content), "resourceType": type, "resourceName": name},
        }
        if links is not None:
            resource["links"] = links
        proof = di_jcs_sign(resource, pair or self.key, kid=f"{self.did}#key-1", timestamp=time)
        return {**resource, "proof": proof}

    def witness_proof(self, pair: Any, number: int, time: str | None = None) -> JSON:
        """An entry of did-witness.json: the approval of a version."""
        approved = {"versionId": self.states[number - 1].version_id}
        return {**approved, "proof": [di_jcs_sign(approved, pair, timestamp=time)]}


def described(id: str, pair: Any) -> JSON:
    """A document with a key for assertions."""
    method = {"id": f"{id}#key-1", "type": "Multikey", "controller": id, "publicKeyMultibase": pair.multikey}
    return {
        "@context": ["https://www.w3.org/ns/did/v1", "https://w3id.org/security/multikey/v1"],
        "id": id,
        "verificationMethod": [method],
        "assertionMethod": [f"{id}#key-1"],
    }


def sealed(entry: JSON, before: str, number: int, pairs: list[Any]) -> JSON:
    """An entry with its hash and its proofs. Its members may break any rule."""
    bare = {name: value for name, value in entry.items() if name != "proof"}
    hashed = jsoncanon.canonicalize({**bare, "versionId": before})
    version = HashInfo.from_name("sha2-256").formatted_hash(hashed)
    made = {**bare, "versionId": f"{number}-{version}"}
    return {**made, "proof": [di_jcs_sign(made, pair, timestamp="2025-01-01T00:00:00Z") for pair in pairs]}


def copy(value: Any) -> Any:
    return json.loads(json.dumps(value))



