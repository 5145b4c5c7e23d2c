"""An ACA-Py agent that issues credentials and revokes them, over a ledger in a file or over an Indy ledger.

    with Issuer("Faber", folder) as faber:
        definition = faber.define({"name", "age"})
        offer = faber.offer(connection, definition, {"name": "Alice", "age": "28"})
        ...
        faber.wait_for_issue(offer)
"""

from __future__ import annotations

import dataclasses
import pathlib
import time
from collections.abc import Iterable, Mapping
from typing import Any

import publishing
from acapy import Agent
from tails import Tails

SEED = "000000000000000000000000Issuer01"
"""Its public DID comes of this seed."""

REGISTRY_SIZE = 10
"""The number of credentials in a revocation registry."""

PATHS = {1: "/issue-credential", 2: "/issue-credential-2.0"}
KEYS = {1: "credential_exchange_id", 2: "cred_ex_id"}


@dataclasses.dataclass(frozen=True)
class Offer:
    """An exchange of a version of issue-credential, by the issuer's id."""

    version: int
    id: str


class Issuer(Agent):
    """An agent with a public DID, which issues what is asked for. With `genesis`, it uses that Indy ledger."""

    def __init__(
        self, label: str, folder: pathlib.Path, version: str = "0.12", genesis: pathlib.Path | None = None
    ) -> None:
        super().__init__(label, folder, version)
        self.genesis = genesis
        self.did = ""
        self._publishing = publishing.OF_VERSION[version]
        self._schemas: dict[tuple[str, ...], str] = {}
        self._tails = Tails()

    @property
    def registry(self) -> pathlib.Path:
        """The folder in which its schemas and definitions are published."""
        return self.folder / "registry"

    @property
    def published_at(self) -> dict[str, Any]:
        """The registry of a configuration that reads its objects, unless they are on an Indy ledger."""
        return {"type": "file", "path": str(self.registry)}

    def start(self, timeout: float = 60) -> Issuer:
        self._tails.start()
        super().start(timeout)
        public = self.call("GET", "/wallet/did/public")["result"]
        self.did = public["did"]
        query = {"did": public["did"], "verkey": public["verkey"], "role": "ENDORSER"}
        self.call("POST", "/ledger/register-nym", **query)
        return self

    def stop(self) -> None:
        super().stop()
        self._tails.stop()

    def __enter__(self) -> Issuer:
        return self.start()

    def _arguments(self, inbound: int, admin: int) -> list[str]:
        kept = [each for each in super()._arguments(inbound, admin) if each != "--no-ledger"]
        kept[kept.index("--wallet-type") + 1] = self._publishing.wallet
        revoking = ("--tails-server-base-url", self._tails.url, "--notify-revocation")
        return [*kept, *self._ledger, *revoking, "--seed", SEED, "--auto-respond-credential-request"]

    @property
    def _ledger(self) -> tuple[str, ...]:
        if self.genesis is not None:
            return ("--genesis-file", str(self.genesis))
        return ("--plugin", "file_ledger", "--genesis-transactions", '{"file":"ledger"}')

    def _environment(self) -> dict[str, str]:
        plugins = str(pathlib.Path(__file__).resolve().parent / "plugins")
        return {
            **super()._environment(),
            "PYTHONPATH": plugins,
            "PYTHONDONTWRITEBYTECODE": "1",
            "FILE_LEDGER": str(self.folder / "ledger.jsonl"),
        }

    # Publishing

    def define(self, attributes: Iterable[str], *, revocable: bool = False, tag: str = "default") -> str:
        """Publishes a credential definition, with its schema; returns its id. Takes seconds: it makes keys."""
        names = tuple(sorted(attributes))
        if names not in self._schemas:
            self._schemas[names] = self._publishing.schema(self, self.did, names)
        options = {"support_revocation": revocable, "revocation_registry_size": REGISTRY_SIZE}
        made = self._publishing.definition(self, self.did, self._schemas[names], tag, options)
        if revocable:
            self.wait_until("a revocation registry", lambda: self._publishing.registries(self, made), 60)
        return made

    def revoke(self, offer: Offer, notice: int = 1) -> None:
        """Revokes an issued credential, and notifies its holder in this version of the protocol.

        Returns in a later second, so that nobody takes a state from before for the present one.
        """
        record = self._record(offer)
        issued = record[self._publishing.form] if offer.version == 2 else record
        registry = issued.get("rev_reg_id") or issued["revoc_reg_id"]
        index = issued.get("cred_rev_id") or issued["revocation_id"]
        exchange = record.get("cred_ex_record", record)
        body = {"rev_reg_id": registry, "cred_rev_id": index, "publish": True, "notify": False}
        if connection := exchange.get("connection_id"):
            receiver = {"connection_id": connection, "thread_id": exchange["thread_id"]}
            body |= {"notify": True, "notify_version": f"v{notice}_0", "comment": "withdrawn", **receiver}
        self.call("POST", self._publishing.revoke, body)
        time.sleep(1.1)

    # Issuing

    def offer(self, connection: str, definition: str, values: Mapping[str, str], version: int = 2) -> Offer:
        """Offers a credential over a connection."""
        body: dict[str, Any] = {"connection_id": connection, "comment": "for you", "auto_remove": False}
        made = self.call("POST", f"{PATHS[version]}/send-offer", body | self._content(definition, values, version))
        return Offer(version, str(made[KEYS[version]]))

    def offer_without_connection(
        self, definition: str, values: Mapping[str, str], version: int = 2, public: bool = False
    ) -> tuple[Offer, Any]:
        """Makes an invitation with the offer of a credential; its service is the public DID if that is wanted. Returns both."""
        body = {"comment": "for you", "auto_remove": False, **self._content(definition, values, version)}
        made = self.call("POST", f"{PATHS[version]}/create-offer", body)
        offer = Offer(version, str(made[KEYS[version]]))
        offered = {"attachments": [{"id": offer.id, "type": "credential-offer"}], "use_public_did": public}
        invitation = self.call("POST", "/out-of-band/create-invitation", offered, auto_accept="true")
        return offer, invitation["invitation"]

    def wait_for_credential_proposal(self, connection: str, version: int) -> Offer:
        """Waits until a holder has proposed a credential over a connection."""

        def find() -> Offer | None:
            records = self.call("GET", f"{PATHS[version]}/records", connection_id=connection)["results"]
            found = [each.get("cred_ex_record", each) for each in records]
            proposed = [each for each in found if each["state"].replace("_", "-") == "proposal-received"]
            return Offer(version, str(proposed[0][KEYS[version]])) if proposed else None

        return self.wait_until("the proposal", find)  # type: ignore[no-any-return]

    def answer_proposal(self, offer: Offer) -> None:
        """Offers what a holder has proposed."""
        self.call("POST", f"{PATHS[offer.version]}/records/{offer.id}/send-offer", {})

    def forget(self, offer: Offer) -> None:
        """Deletes the record of an exchange: ACA-Py makes another one for each proposal, and confuses them."""
        self.call("DELETE", f"{PATHS[offer.version]}/records/{offer.id}")

    def refuse(self, offer: Offer, reason: str) -> None:
        """Ends an exchange with a problem report."""
        self.call("POST", f"{PATHS[offer.version]}/records/{offer.id}/problem-report", {"description": reason})

    def _content(self, definition: str, values: Mapping[str, str], version: int) -> dict[str, Any]:
        preview = {
            "@type": f"issue-credential/{version}.0/credential-preview",
            "attributes": [{"name": name, "value": value} for name, value in values.items()],
        }
        if version == 1:
            return {"cred_def_id": definition, "credential_preview": preview}
        return {"filter": {self._publishing.form: {"cred_def_id": definition}}, "credential_preview": preview}

    def state(self, offer: Offer) -> str:
        record = self._record(offer)
        return str(record.get("cred_ex_record", record)["state"])

    def _record(self, offer: Offer) -> Any:
        return self.call("GET", f"{PATHS[offer.version]}/records/{offer.id}")

    def wait_for_issue(self, offer: Offer) -> None:
        """Waits until the holder has acknowledged the credential."""
        self.wait_until("the holder's ack", lambda: self.state(offer) in ("done", "credential_acked"))

    def wait_for_refusal(self, offer: Offer) -> None:
        """Waits until the holder has declined the offer or refused the credential."""
        self.wait_until("the holder's refusal", lambda: self.state(offer) == "abandoned")
