"""Connections with other agents."""

from __future__ import annotations

import json
import weakref
from collections.abc import Mapping
from typing import Any, Optional, Union

from ._calls import call, call_now
from .state import State

JSONObject = Union[str, Mapping[str, Any]]
"""A JSON object: as text, which is passed on untouched, or as a mapping."""


class Connection:
    """A connection with another agent, from its invitation on.

    Made by one of the class methods. Release it with `release`, by leaving a `with` block, or by forgetting it.
    Calls on one connection are done one at a time, in the order they were made.
    """

    def __init__(self, handle: int) -> None:
        self._handle = handle
        self._finalizer = weakref.finalize(self, _release, handle)
        self._finalizer.atexit = False

    @classmethod
    async def create_with_invite(cls, source_id: str, invitation: JSONObject) -> Connection:
        """Takes up a connections/1.0 invitation (RFC 0160). Nothing is sent yet; the state is INVITED."""
        name = "vcx_connection_create_with_invite"
        return cls(await call(name, source_id, _text(invitation), unclaimed=_release))

    @classmethod
    async def create_with_outofband_invitation(cls, source_id: str, invitation: JSONObject) -> Connection:
        """Takes up an out-of-band invitation (RFC 0434), version 1.0 or 1.1. Nothing is sent yet."""
        name = "vcx_connection_create_with_outofband_invitation"
        return cls(await call(name, source_id, _text(invitation), unclaimed=_release))

    @classmethod
    async def create(cls, source_id: str) -> Connection:
        """The inviter's side, with a connections/1.0 invitation, which `connect` makes and returns."""
        return cls(await call("vcx_connection_create", source_id, unclaimed=_release))

    @classmethod
    async def create_outofband(
        cls,
        source_id: str,
        *,
        goal_code: Optional[str] = None,
        goal: Optional[str] = None,
        handshake: bool = True,
        request: Optional[JSONObject] = None,
    ) -> Connection:
        """The inviter's side, with an out-of-band invitation (RFC 0434), which `connect` makes and returns.

        `request` is a message to attach. Without a handshake the invitation asks for nothing but its answer.
        """
        name = "vcx_connection_create_outofband"
        attached = None if request is None else _text(request)
        return cls(await call(name, source_id, goal_code, goal, handshake, attached, unclaimed=_release))

    @classmethod
    async def accept_connection_invite(
        cls, source_id: str, invitation: JSONObject, options: Optional[JSONObject] = None
    ) -> tuple[Connection, str]:
        """Takes up a connections/1.0 invitation and connects. Returns the connection, and its text as of `serialize`."""
        name = "vcx_connection_accept_connection_invite"
        arguments = (source_id, _text(invitation), None if options is None else _text(options))
        handle, text = await call(name, *arguments, unclaimed=lambda made: _release(made[0]))
        return cls(handle), text

    @classmethod
    async def deserialize(cls, data: str) -> Connection:
        """Restores a connection from the text of `serialize`, in this process or another with the same wallet."""
        return cls(await call("vcx_connection_deserialize", data, unclaimed=_release))

    async def connect(self, options: Optional[JSONObject] = None) -> Optional[dict[str, Any]]:
        """Makes a key and a mailbox for this connection, and sends an invitee's request, or makes an inviter's invitation.

        `options` may name the `handshake_protocol`: "connections/1.0", "didexchange/1.0" or "didexchange/1.1".
        Returns the invitation. When it fails, the connection is as before and `connect` can be called again.
        """
        details = await call("vcx_connection_connect", self._handle, None if options is None else _text(options))
        return None if details is None else _object(details)

    async def update_state(self) -> State:
        """Looks into the mailbox, applies at most one message to the connection, and returns the state after it."""
        return State(await call("vcx_connection_update_state", self._handle))

    async def update_state_with_message(self, message: JSONObject) -> State:
        """Applies a message the application has downloaded. Marking it read is then the application's part."""
        return State(await call("vcx_connection_update_state_with_message", self._handle, _text(message)))

    async def state(self) -> State:
        """The state now; nothing is asked over the network."""
        return State(await call("vcx_connection_get_state", self._handle))

    async def invite_details(self, abbreviated: bool = False) -> Optional[dict[str, Any]]:
        """The invitation this connection began with; `abbreviated` matters to invitations of the older Evernym form."""
        return _object(await call("vcx_connection_invite_details", self._handle, abbreviated))

    async def pw_did(self) -> str:
        """Our DID in this connection, which messages in the mailbox name; empty before `connect`."""
        did: Optional[str] = await call("vcx_connection_get_pw_did", self._handle)
        return did or ""

    async def serialize(self) -> str:
        """The whole connection as JSON text, to be stored and restored with `deserialize`. It holds no private key."""
        data: str = await call("vcx_connection_serialize", self._handle)
        return data

    async def send_ping(self, comment: Optional[str] = None) -> None:
        """Sends a trust ping (RFC 0048); the answer comes as a message of kind "ping_response"."""
        await call("vcx_connection_send_ping", self._handle, comment)

    async def send_message(self, message: JSONObject, *, kind: str = "message", title: str = "message") -> str:
        """Sends an Aries message, or text that is not JSON as a basic message (RFC 0095). Returns the message's id.

        `kind` and `title` describe the message to Cloud Agents that tell their user of it.
        """
        options = json.dumps({"msg_type": kind, "msg_title": title})
        identifier: Optional[str] = await call("vcx_connection_send_message", self._handle, _text(message), options)
        return identifier or ""

    def release(self) -> None:
        """Lets go of the connection in this process; what was serialized stays good. Calls after it raise 1003."""
        self._finalizer()

    def __enter__(self) -> Connection:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


def _release(handle: int) -> None:
    call_now("vcx_connection_release", handle)


def _text(value: JSONObject) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _object(text: str) -> Optional[dict[str, Any]]:
    details: Optional[dict[str, Any]] = json.loads(text)
    return details
