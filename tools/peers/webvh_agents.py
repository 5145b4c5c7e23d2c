"""ACA-Py agents whose public objects lie under DIDs of did:webvh, by the plugin `webvh_registry`.

    with WebVHVerifier("Faber", folder) as faber:
        definition = faber.define({"name", "age"}, revocable=True)
"""

from __future__ import annotations

import pathlib
from typing import Any

from acapy import Agent
from issuer import Issuer
from prover import Prover
from taker import Taker
from verifier import Verifier
from web_store import WebStore

VERSION = "1.7"
READING = {"type": "webvh"}
"""The registry of a configuration that reads such objects."""


def location(server: WebStore, path: str = "issuers:1") -> str:
    """A place for a DID on a server. Its host ends with `.localhost`: the library for Python accepts only names of two
    parts."""
    port = server.endpoint.rsplit(":", 1)[1]
    return f"issuer.localhost%3A{port}:{path}"


class WebVH(Issuer):
    """An agent without a ledger. As a base it comes before the agent's role."""

    def _arguments(self, inbound: int, admin: int) -> list[str]:
        arguments = super()._arguments(inbound, admin)
        if "--seed" in arguments:  # of a public DID on a ledger
            seed = arguments.index("--seed")
            del arguments[seed : seed + 2]
        return arguments

    @property
    def _ledger(self) -> tuple[str, ...]:
        return ("--no-ledger", "--plugin", "webvh_registry")

    def _environment(self) -> dict[str, str]:
        found = super()._environment()
        return {**found, "PYTHONPATH": f"{found['PYTHONPATH']}:{pathlib.Path(__file__).resolve().parent}"}


class WebVHVerifier(WebVH, Verifier):
    """An issuer and verifier with a DID, and a web server for its files."""

    def __init__(self, label: str, folder: pathlib.Path) -> None:
        super().__init__(label, folder, VERSION)
        self._web = WebStore(folder / "web", "nobody writes over HTTP")

    @property
    def published_at(self) -> dict[str, Any]:
        return READING

    def start(self, timeout: float = 60) -> WebVHVerifier:
        (self.folder / "web").mkdir(parents=True)
        self._web.start()
        self._tails.start()
        Agent.start(self, timeout)
        self.did = (self.folder / "web" / "did").read_text()
        return self

    def stop(self) -> None:
        super().stop()
        self._web.stop()

    def __enter__(self) -> WebVHVerifier:
        return self.start()

    def _environment(self) -> dict[str, str]:
        place = {"WEBVH_LOCATION": location(self._web), "WEBVH_FOLDER": str(self.folder / "web")}
        return {**super()._environment(), **place}


class WebVHProver(WebVH, Prover):
    """A holder of credentials of such an issuer."""


class WebVHTaker(WebVH, Taker):
    """A holder of credentials that a program with msdk issues."""

    def learn(self) -> None:
        """It reads the issuer's server."""
        self.folder.mkdir(parents=True, exist_ok=True)
