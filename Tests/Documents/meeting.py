"""Connections that a step begins with: with the scripted peer, or with another program of the library."""

from __future__ import annotations

import dataclasses
from typing import Any

from alice import wait_until
from app import JSON, App
from peer import Peer

COMPLETED = 4


@dataclasses.dataclass(frozen=True)
class Contact:
    """The app's connection with the scripted peer."""

    app: App
    peer: Peer
    handle: int
    did: str
    request: JSON

    def send(self, message: JSON) -> JSON:
        """Sends a message to the app; returns it."""
        self.peer.send(message, self.request, self.peer.key)
        return message


def meet_peer(app: App, peer: Peer, source: str = "peer") -> Contact:
    """Connects the app with the scripted peer by a connections/1.0 invitation."""
    handle = app.vcx("connection_create_with_invite", source, peer.invitation())
    app.vcx("connection_connect", handle, {})
    request = peer.receive("connections/1.0/request")[0]
    peer.send(peer.response(request), request, peer.key)
    while app.vcx("connection_update_state", handle) != COMPLETED:
        pass
    peer.receive_confirmation()
    return Contact(app, peer, handle, app.vcx("connection_get_pw_did", handle), request)


def invite(faber: App, attached: JSON | None = None, handshake: bool = True, public_did: bool = False) -> tuple[int, Any]:
    """Faber's connection, and the out-of-band invitation to it."""
    words = ("issue-vc", "To issue a diploma")
    attachment = None if attached is None else attached
    handle = faber.vcx("connection_create_outofband", "app", *words, handshake, attachment)
    return handle, faber.given("connection_connect", handle, {"use_public_did": public_did})


def complete(app: App, handle: int, faber: App, theirs: int) -> None:
    """Polls on both sides until both are complete."""

    def both() -> bool:
        states = [each.vcx("connection_update_state", connection) for each, connection in ((faber, theirs), (app, handle))]
        return states == [COMPLETED, COMPLETED]

    wait_until("the connection to complete", both, 20)


def meet_faber(app: App, faber: App, source: str = "faber") -> tuple[int, int, JSON]:
    """Connects two programs by an out-of-band invitation that shows a public DID. Returns both handles and it."""
    theirs, invitation = invite(faber, public_did=True)
    handle = app.vcx("connection_create_with_outofband_invitation", source, invitation)
    app.vcx("connection_connect", handle, {})
    complete(app, handle, faber, theirs)
    return handle, theirs, invitation
