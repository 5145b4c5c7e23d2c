"""An ACA-Py agent that issues credentials, over a ledger in a file.

    with Issuer("Faber", folder) as faber:
        definition = faber.define({"name", "age"})
        offer = faber.offer(connection, definition, {"name": "Alice", "age": "28"})
        ...
        faber.wait_for_issue(offer)
"""

from __future__ import annotations

import dataclasses
import pathlib
from collections.abc import Iterable, Mapping
from typing import Any

from acapy import Agent

SEED = "000000000000000000000000Issuer01"
"""Its public DID comes of this seed."""

PATHS = {1: "/issue-credential", 2: "/issue-credential-2.0"}
KEYS = {1: "credential_exchange_id", 2: "cred_ex_id"}


@dataclasses.dataclass(frozen=True)
class Offer:
    """An exchange of a version of issue-credential, by the issuer's id."""

    version: int
    id: str


class Issuer(Agent):
    """An agent with a public DID, which issues what is asked for."""

    @property
    def registry(self) -> pathlib.Path:
        """The folder in which its schemas and definitions are published."""
        return self.folder / "registry"

    def start(self, timeout: float = 60) -> Issuer:
        super().start(timeout)
        public = self.call("GET", "/wallet/did/public")["result"]
        query = {"did": public["did"], "verkey": public["verkey"], "role": "ENDORSER"}
        self.call("POST", "/ledger/register-nym", **query)
        return self

    def __enter__(self) -> Issuer:
        return self.start()

    def _arguments(self, inbound: int, admin: int) -> list[str]:
        kept = [each for each in super()._arguments(inbound, admin) if each != "--no-ledger"]
        ledger = ("--plugin", "file_ledger", "--genesis-transactions", '{"file":"ledger"}', "--seed", SEED)
        return [*kept, *ledger, "--auto-respond-credential-request"]

    def _environment(self) -> dict[str, str]:
        plugins = str(pathlib.Path(__file__).resolve().parent / "plugins")
        return {
            **super()._environment(),
            "PYTHONPATH": plugins,
            "PYTHONDONTWRITEBYTECODE": "1",
            "FILE_LEDGER": str(self.folder / "ledger.jsonl"),
        }

    # Issuing

    def define(self, attributes: Iterable[str]) -> str:
        """Publishes a schema and a credential definition; returns the definition's id. Takes seconds: it makes keys."""
        names = {"schema_name": "degree", "schema_version": "1.0", "attributes": sorted(attributes)}
        schema = self.call("POST", "/schemas", names)["schema_id"]
        body = {"schema_id": schema, "tag": "default", "support_revocation": False}
        return str(self.call("POST", "/credential-definitions", body)["credential_definition_id"])

    def offer(self, connection: str, definition: str, values: Mapping[str, str], version: int = 2) -> Offer:
        """Offers a credential over a connection."""
        body: dict[str, Any] = {"connection_id": connection, "comment": "for you", "auto_remove": False}
        made = self.call("POST", f"{PATHS[version]}/send-offer", body | self._content(definition, values, version))
        return Offer(version, str(made[KEYS[version]]))

    def offer_without_connection(self, definition: str, values: Mapping[str, str], version: int = 2) -> tuple[Offer, Any]:
        """Makes an invitation with the offer of a credential. Returns both."""
        body = {"comment": "for you", "auto_remove": False, **self._content(definition, values, version)}
        made = self.call("POST", f"{PATHS[version]}/create-offer", body)
        offer = Offer(version, str(made[KEYS[version]]))
        attachments = {"attachments": [{"id": offer.id, "type": "credential-offer"}]}
        invitation = self.call("POST", "/out-of-band/create-invitation", attachments, auto_accept="true")
        return offer, invitation["invitation"]

    @staticmethod
    def _content(definition: str, values: Mapping[str, str], version: int) -> dict[str, Any]:
        preview = {
            "@type": f"issue-credential/{version}.0/credential-preview",
            "attributes": [{"name": name, "value": value} for name, value in values.items()],
        }
        if version == 1:
            return {"cred_def_id": definition, "credential_preview": preview}
        return {"filter": {"indy": {"cred_def_id": definition}}, "credential_preview": preview}

    def state(self, offer: Offer) -> str:
        record = self.call("GET", f"{PATHS[offer.version]}/records/{offer.id}")
        return str(record.get("cred_ex_record", record)["state"])

    def wait_for_issue(self, offer: Offer) -> None:
        """Waits until the holder has acknowledged the credential."""
        self.wait_until("the holder's ack", lambda: self.state(offer) in ("done", "credential_acked"))

    def wait_for_refusal(self, offer: Offer) -> None:
        """Waits until the holder has declined the offer or refused the credential."""
        self.wait_until("the holder's refusal", lambda: self.state(offer) == "abandoned")
