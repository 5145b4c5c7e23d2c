"""An ACA-Py agent in every role of issue-credential and present-proof, which takes no step by itself.

    exchange = bargainer.begin("holder", connection, 2, content)
    bargainer.records("issuer", connection, thread, 2)
    bargainer.act(exchange, "issue")
"""

from __future__ import annotations

import dataclasses
import pathlib
from collections.abc import Mapping
from typing import Any

import issuer
import prover
import verifier
from issuer import Issuer
from process import PeerError

PATHS = {
    **dict.fromkeys(("holder", "issuer"), issuer.PATHS),
    **dict.fromkeys(("prover", "verifier"), verifier.PATHS),
}
KEYS = {
    **dict.fromkeys(("holder", "issuer"), issuer.KEYS),
    **dict.fromkeys(("prover", "verifier"), verifier.KEYS),
}
FIRST = {"holder": "send-proposal", "issuer": "send-offer", "prover": "send-proposal", "verifier": "send-request"}
"""The call that begins an exchange in a role."""


@dataclasses.dataclass(frozen=True)
class Record:
    """An exchange as ACA-Py keeps it. The state is in the words of version 2."""

    role: str
    version: int
    id: str
    thread: str
    state: str
    members: Mapping[str, Any]

    @property
    def path(self) -> str:
        return f"{PATHS[self.role][self.version]}/records/{self.id}"

    @property
    def proposal_id(self) -> str:
        """The id of the peer's proposal, if one has begun the record."""
        names = ("cred_proposal", "pres_proposal", "credential_proposal_dict", "presentation_proposal_dict")
        proposal: Any = next((self.members[name] for name in names if name in self.members), {})
        return str(proposal.get("@id"))


class Bargainer(Issuer):
    """An agent whose ledger is a file that others share. The public DID comes of the seed."""

    def __init__(self, label: str, folder: pathlib.Path, version: str, ledger: pathlib.Path, seed: str) -> None:
        super().__init__(label, folder, version)
        self.ledger, self.seed = ledger, seed

    @property
    def form(self) -> str:
        """The name of the format in the calls of version 2."""
        return self._publishing.form

    def __enter__(self) -> Bargainer:
        self.start()
        return self

    def _arguments(self, inbound: int, admin: int) -> list[str]:
        arguments = [each for each in super()._arguments(inbound, admin) if not each.startswith("--auto-respond")]
        arguments[arguments.index("--seed") + 1] = self.seed
        return arguments

    def _environment(self) -> dict[str, str]:
        return {**super()._environment(), "FILE_LEDGER": str(self.ledger)}

    # Exchanges

    def begin(self, role: str, connection: str, version: int, content: Mapping[str, Any]) -> Record:
        """Sends the first message."""
        more = {} if role == "verifier" else {"auto_remove": False}
        body = {"connection_id": connection, "comment": "please", **more, **content}
        return self._read(role, version, self.call("POST", f"{PATHS[role][version]}/{FIRST[role]}", body))

    def records(self, role: str, connection: str, version: int, thread: str) -> list[Record]:
        """The records of a thread: one, unless the peer has answered with a proposal."""
        query = {"connection_id": connection, "thread_id": thread}
        found = self.call("GET", f"{PATHS[role][version]}/records", **query)["results"]
        return [self._read(role, version, each.get("cred_ex_record", each)) for each in found]

    def read(self, record: Record) -> Record:
        read = self.call("GET", record.path)
        return self._read(record.role, record.version, read.get("cred_ex_record", read))

    def act(self, record: Record, step: str, body: Any = None) -> None:
        """A step of the admin API, such as "send-offer"."""
        self.call("POST", f"{record.path}/{step}", body or {})

    def delete(self, record: Record) -> None:
        self.call("DELETE", record.path)

    def present(self, record: Record) -> None:
        """Proves each requested item with the first credential that fits."""
        chosen: dict[str, Any] = {}
        for each in self.call("GET", f"{record.path}/credentials"):
            for referent in each["presentation_referents"]:
                chosen.setdefault(referent, {"cred_id": each["cred_info"]["referent"], "revealed": True})
        if not chosen:
            raise PeerError(f"{self.label} holds no credential that fits")
        content = {"requested_attributes": chosen, "requested_predicates": {}, "self_attested_attributes": {}}
        self.act(record, "send-presentation", content if record.version == 1 else {self.form: content})

    @staticmethod
    def _read(role: str, version: int, members: Mapping[str, Any]) -> Record:
        state = str(members["state"]).replace("_", "-")
        return Record(role, version, str(members[KEYS[role][version]]), str(members["thread_id"]), state, members)

    # The content of first messages

    def credential(self, role: str, definition: str, values: Mapping[str, str], version: int) -> dict[str, Any]:
        """A credential, offered or proposed."""
        content = self._content(definition, values, version)
        if role == "holder" and version == 1:
            content["credential_proposal"] = content.pop("credential_preview")
        return content

    def proof(self, role: str, definition: str, version: int) -> dict[str, Any]:
        """The name in a credential of a definition, requested or proposed."""
        if role == "prover":
            return prover.proposal(self.form, definition, version)
        item = {"name": "name", "restrictions": [{"cred_def_id": definition}]}
        content = {"name": "Check", "version": "1.0", "requested_attributes": {"name": item}, "requested_predicates": {}}
        return {"proof_request": content} if version == 1 else {"presentation_request": {self.form: content}}
