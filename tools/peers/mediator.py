"""Runs ACA-Py as a mediator: it passes the messages of others on to clients that fetch them.

    with Mediator("Mediator", folder, "0.12") as mediator:
        alice.provision(mediator.provisioning())
"""

from __future__ import annotations

import json
import pathlib
from collections.abc import Sequence
from typing import Any

from acapy import Agent
from process import free_ports

PLUGINS = pathlib.Path(__file__).resolve().parent / "plugins"


class Mediator(Agent):
    """A mediator that grants mediation to everybody. With `pickup`, it speaks messagepickup 2.0, by our own plugin. With
    `sockets`, it listens for WebSockets too."""

    def __init__(
        self, label: str, folder: pathlib.Path, version: str = "0.12", pickup: bool = False, sockets: bool = False
    ) -> None:
        super().__init__(label, folder, version)
        self.pickup, self.sockets = pickup, sockets

    def _arguments(self, inbound: int, admin: int) -> list[str]:
        more = ["--open-mediation", "--enable-undelivered-queue"]
        if self.pickup:
            more += ["--plugin", "pickup"]
        if self.sockets:
            (port,) = free_ports(1)
            more += ["--inbound-transport", "ws", "127.0.0.1", str(port)]
            more += ["--endpoint", f"http://127.0.0.1:{inbound}", f"ws://127.0.0.1:{port}"]
        return [*super()._arguments(inbound, admin), *more]

    def _environment(self) -> dict[str, str]:
        return {**super()._environment(), "PYTHONPATH": str(PLUGINS)}

    def __enter__(self) -> Mediator:
        self.start()
        return self

    def invitation(self, kind: str | None = None, handshake: Sequence[str] = ()) -> dict[str, Any]:
        """An invitation for many clients. By default in the form of the version."""
        usual = {"0.12": ("c_i", ["connections/1.0"]), "1.7": ("oob", ["didexchange/1.1", "didexchange/1.0"])}
        form, protocols = usual[self.version]
        made = self.invite(kind or form, handshake=handshake or protocols, multi_use=True)
        return dict(made["invitation"])

    def provisioning(self, **more: Any) -> dict[str, Any]:
        """The mediator's part of a provisioning configuration, with `more` beside it."""
        return {"mediator_invitation": json.dumps(self.invitation()), **more}

    def keys(self) -> set[str]:
        """The keys of all clients, in base58 or as `did:key`."""
        lists = self.call("GET", "/mediation/keylists")["results"]
        return {str(each["recipient_key"]) for each in lists}
