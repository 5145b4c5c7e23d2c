"""An ACA-Py agent that takes every credential that it is offered, and reads the registry of a program with msdk.

    with Taker("Tina", folder, "1.7", registry) as tina:
        ...
        tina.learn()
        tina.credentials()
"""

from __future__ import annotations

import pathlib
from typing import Any

import registry_ledger
from acapy import Agent
from issuer import KEYS, PATHS, Issuer, Offer


class Taker(Issuer):
    """A holder. `published` is the folder of the registry."""

    def __init__(self, label: str, folder: pathlib.Path, version: str, published: pathlib.Path) -> None:
        super().__init__(label, folder, version)
        self.published = published

    def start(self, timeout: float = 60) -> Taker:
        self.learn()
        self._tails.start()
        Agent.start(self, timeout)
        return self

    def __enter__(self) -> Taker:
        return self.start()

    def _arguments(self, inbound: int, admin: int) -> list[str]:
        arguments = super()._arguments(inbound, admin)
        seed = arguments.index("--seed")
        automatic = ("--auto-respond-credential-offer", "--auto-store-credential")
        reading = () if self.version == "0.12" else ("--plugin", "folder_registry")
        return [*arguments[:seed], *arguments[seed + 2 :], *automatic, *reading]

    def _environment(self) -> dict[str, str]:
        return {**super()._environment(), "FOLDER_REGISTRY": str(self.published)}

    def learn(self) -> None:
        """Reads what has been published since."""
        self.folder.mkdir(parents=True, exist_ok=True)
        registry_ledger.copy(self.published, self.folder / "ledger.jsonl")

    def take(self, invitation: dict[str, Any]) -> None:
        """Answers the offer in an invitation without a handshake."""
        query = {"auto_accept": "true", "use_existing_connection": "false"}
        self.call("POST", "/out-of-band/receive-invitation", invitation, **query)

    def propose(self, connection: str, definition: str, values: dict[str, str], version: int) -> Offer:
        """Proposes a credential over a connection."""
        content = self._content(definition, values, version)
        if version == 1:
            content["credential_proposal"] = content.pop("credential_preview")
        body = {"connection_id": connection, "comment": "please", "auto_remove": False, **content}
        made = self.call("POST", f"{PATHS[version]}/send-proposal", body)
        return Offer(version, str(made[KEYS[version]]))

    def credentials(self) -> list[Any]:
        """The credentials in its wallet."""
        return list(self.call("GET", "/credentials")["results"])
