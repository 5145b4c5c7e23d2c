"""An ACA-Py agent that holds credentials of another one, and proves them as soon as it is asked.

    with Prover("Paul", folder, faber) as paul:
        offer = paul.take(definition, {"name": "Paul", "age": "28"})
        ...
        paul.answer(invitation)
"""

from __future__ import annotations

import pathlib
from collections.abc import Mapping
from typing import Any

import verifier
from acapy import PREFIX, Agent
from issuer import Issuer, Offer


def proposal(form: str, definition: str, version: int) -> dict[str, Any]:
    """The content of a proposal of the name in a credential of a definition. `form` is the format in version 2."""
    if version == 1:
        preview = {"attributes": [{"name": "name", "cred_def_id": definition}], "predicates": []}
        return {"presentation_proposal": {"@type": f"{PREFIX}present-proof/1.0/presentation-preview", **preview}}
    item = {"name": "name", "restrictions": [{"cred_def_id": definition}]}
    content = {"requested_attributes": {"name": item}, "requested_predicates": {}}
    return {"presentation_proposal": {form: {"name": "Check", "version": "1.0", **content}}}


class Prover(Issuer):
    """A holder in the ledger of its issuer."""

    def __init__(self, label: str, folder: pathlib.Path, faber: Issuer) -> None:
        super().__init__(label, folder, faber.version, faber.genesis)
        self.faber = faber

    def start(self, timeout: float = 60) -> Prover:
        self._tails.start()
        Agent.start(self, timeout)
        invitation = self.faber.invite("oob", handshake=("didexchange/1.0",))
        self.accept(invitation["invitation"])
        self._issuers = self.faber.wait_for_state(invitation, "active")
        return self

    def __enter__(self) -> Prover:
        return self.start()

    def _arguments(self, inbound: int, admin: int) -> list[str]:
        arguments = super()._arguments(inbound, admin)
        seed = arguments.index("--seed")
        automatic = ("--auto-respond-credential-offer", "--auto-store-credential", "--auto-respond-presentation-request")
        return [*arguments[:seed], *arguments[seed + 2 :], *automatic]

    def _environment(self) -> dict[str, str]:
        return {**super()._environment(), "FILE_LEDGER": str(self.faber.folder / "ledger.jsonl")}

    def take(self, definition: str, values: Mapping[str, str], version: int = 2) -> Offer:
        """Holds a credential that its issuer offers."""
        offer = self.faber.offer(self._issuers, definition, values, version)
        self.faber.wait_for_issue(offer)
        return offer

    def answer(self, invitation: dict[str, Any]) -> None:
        """Answers the request in an invitation without a handshake."""
        query = {"auto_accept": "true", "use_existing_connection": "false"}
        self.call("POST", "/out-of-band/receive-invitation", invitation, **query)

    def propose(self, connection: str, definition: str, version: int) -> None:
        """Proposes to prove the name in a credential of a definition."""
        body = {"connection_id": connection, "comment": "please", **proposal(self._publishing.form, definition, version)}
        self.call("POST", f"{verifier.PATHS[version]}/send-proposal", body)

    def presentations(self, version: int) -> list[str]:
        """The states of its presentations."""
        path = {1: "/present-proof/records", 2: "/present-proof-2.0/records"}[version]
        return [str(each["state"]) for each in self.call("GET", path)["results"]]
