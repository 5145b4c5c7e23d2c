"""An ACA-Py agent that issues credentials and verifies proofs of them.

    with Verifier("Faber", folder) as faber:
        definition = faber.define({"name", "age"})
        ...
        proof = faber.request_proof(connection, {"requested_attributes": …, "requested_predicates": …})
        ...
        assert faber.wait_for_proof(proof)
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from acapy import PREFIX
from issuer import Issuer

PATHS = {1: "/present-proof", 2: "/present-proof-2.0"}
KEYS = {1: "presentation_exchange_id", 2: "pres_ex_id"}


@dataclasses.dataclass(frozen=True)
class Proof:
    """An exchange of a version of present-proof, by the verifier's id."""

    version: int
    id: str


class Verifier(Issuer):
    """An issuer that also asks for proofs. It verifies a presentation as soon as that comes."""

    def __enter__(self) -> Verifier:
        self.start()
        return self

    def _arguments(self, inbound: int, admin: int) -> list[str]:
        return [*super()._arguments(inbound, admin), "--auto-verify-presentation"]

    def request_proof(self, connection: str, request: Mapping[str, Any], version: int = 2) -> Proof:
        """Asks for a proof over a connection. `request` holds the requested attributes and predicates."""
        body = {"connection_id": connection, "comment": "please", **self._request(request, version)}
        return self._proof(self.call("POST", f"{PATHS[version]}/send-request", body), version)

    def request_proof_without_connection(
        self, request: Mapping[str, Any], version: int = 2, handshake: Sequence[str] = ()
    ) -> tuple[Proof, Any]:
        """Asks the agent that is handed the invitation, which is returned, too; it also connects if a handshake is named."""
        body = {"comment": "please", **self._request(request, version)}
        proof = self._proof(self.call("POST", f"{PATHS[version]}/create-request", body), version)
        offered: dict[str, Any] = {"attachments": [{"id": proof.id, "type": "present-proof"}]}
        if handshake:
            offered["handshake_protocols"] = [PREFIX + name for name in handshake]
        return proof, self.call("POST", "/out-of-band/create-invitation", offered, auto_accept="true")["invitation"]

    def wait_for_proposal(self, connection: str, version: int) -> Proof:
        """Waits for a proposal over a connection."""

        def find() -> Proof | None:
            records = self.call("GET", f"{PATHS[version]}/records", connection_id=connection)["results"]
            found = [each for each in records if each["state"].replace("_", "-") == "proposal-received"]
            return self._proof(found[0], version) if found else None

        return self.wait_until("the proposal", find)  # type: ignore[no-any-return]

    def accept_proposal(self, proof: Proof) -> None:
        """Asks for what was proposed."""
        self.call("POST", f"{PATHS[proof.version]}/records/{proof.id}/send-request", {})

    def forget_proof(self, proof: Proof) -> None:
        """Deletes the record of an exchange: ACA-Py makes another one for each proposal, and confuses them."""
        self.call("DELETE", f"{PATHS[proof.version]}/records/{proof.id}")

    def wait_for_proof(self, proof: Proof) -> bool:
        """Waits until a presentation was verified. Returns whether it is true."""

        def find() -> str | None:
            verified = self._proof_record(proof).get("verified")
            return str(verified) if verified is not None else None

        return bool(self.wait_until("the presentation", find) == "true")

    def is_waiting(self, proof: Proof) -> bool:
        """Whether neither a presentation nor a refusal has come."""
        return str(self._proof_record(proof)["state"]).replace("_", "-") == "request-sent"

    def wait_for_decline(self, proof: Proof) -> None:
        """Waits until the prover has declined."""
        self.wait_until("the prover's refusal", lambda: self._proof_record(proof)["state"] == "abandoned")

    def revealed(self, proof: Proof) -> str:
        """The presentation as text."""
        return str(self._proof_record(proof).get("presentation") or self._proof_record(proof).get("by_format"))

    def _proof_record(self, proof: Proof) -> Any:
        return self.call("GET", f"{PATHS[proof.version]}/records/{proof.id}")

    @staticmethod
    def _proof(record: Any, version: int) -> Proof:
        return Proof(version, str(record[KEYS[version]]))

    def _request(self, request: Mapping[str, Any], version: int) -> dict[str, Any]:
        content = {"name": "Check", "version": "1.0", "requested_predicates": {}, **request}
        return {"proof_request": content} if version == 1 else {"presentation_request": {self._publishing.form: content}}
