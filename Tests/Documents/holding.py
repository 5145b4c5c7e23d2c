"""An app that an ACA-Py agent issues credentials to."""

from __future__ import annotations

import os
import pathlib

from agency import ROOT
from alice import wait_until
from app import App, text_of
from issuer import Issuer

VALUES = {"name": "Alice Andersen", "age": "28", "degree": "Maths"}
STORED = 4


class Holder:
    """An app with a connection to the issuer. Its configuration names the issuer's registry."""

    # `connection` is the app's handle, `theirs` the issuer's id of the same connection.

    def __init__(self, app: App, faber: Issuer, definition: str) -> None:
        self.app, self._faber, self._definition = app, faber, definition
        cache = pathlib.Path(os.environ.get("MSDK_CACHE") or ROOT / ".build/environments")
        app.config["anoncreds_library_path"] = str(cache / "credentials" / "libanoncreds.so")
        app.config["anoncreds_registries"] = [{"type": "file", "path": str(faber.registry)}]
        app.restart()
        invitation = faber.invite("oob", handshake=("didexchange/1.0",))
        self.connection = int(
            app.vcx("connection_create_with_outofband_invitation", "faber", invitation["invitation"])
        )
        app.vcx("connection_connect", self.connection, {})
        wait_until("the connection", lambda: app.vcx("connection_update_state", self.connection) == 4, 20)
        self.theirs = faber.wait_for_state(invitation, "active")

    def receive_offer(self) -> str:
        """The offer of the older protocol, which the documents show."""
        self._faber.offer(self.theirs, self._definition, VALUES, version=1)
        return text_of(self.app.await_pending(self.connection, "credential-offer"))

    def offered(self) -> int:
        """A credential that is offered."""
        return int(self.app.vcx("credential_create_with_offer", "diploma", self.receive_offer()))

    def request(self, credential: int) -> None:
        self.app.vcx("credential_send_request", credential, self.connection, 0)

    def stored(self) -> int:
        """A credential that is in the wallet."""
        credential = self.offered()
        self.request(credential)
        wait_until("the credential", lambda: self.app.vcx("credential_update_state", credential) == STORED, 20)
        return credential
