"""Connections with other agents."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import logging
import time
from collections.abc import AsyncIterator, Iterable
from typing import Any, Optional

from ._arrivals import Arrivals
from ._calls import call
from ._checked import checked
from ._held import Held, JSONObject, name_in, object_in, text_of_json
from ._inbox import Inbox
from ._renamed import warn
from ._waiting import INTERVAL, pause, reach
from .errors import LedgerError, MalformedError, NetworkError, UnsupportedError, error_of
from .messages import HandedMessage, Message, spelled, text_of_content, text_of_message
from .state import Same, State


_log = logging.getLogger("msdk.connection")


@dataclasses.dataclass(frozen=True)
class Existing:
    """A stored connection that matches an invitation: its index in the given list, and the part that both share.

    `index` is None if none matches. `unreadable` lists the indexes of connections that could not be read.
    """

    index: Optional[int]
    same: Same
    unreadable: tuple[int, ...] = ()


@checked
class Connection(Held):
    """A connection with another agent, from its invitation on.

    Made by one of the class methods. Release it with `release`, by leaving a `with` block, or by forgetting it.
    Calls on one connection are done one at a time, in the order they were made.
    """

    _kind = "connection"
    _unknown_handle = 1003
    _release_function = "vcx_connection_release"
    _kept_type = "connection"

    @classmethod
    async def accept(cls, invitation: JSONObject, source_id: Optional[str] = None) -> Connection:
        """Takes up an invitation: connections/1.0 (RFC 0160), or out-of-band (RFC 0434) in version 1.0 or 1.1.

        `invitation` is the invitation, or its URL: of a QR code, or a short link that leads to the invitation; or the
        public DID of an inviter. Blanks, quotes and ends of lines around a URL, and ends of lines in it, do no harm.
        Nothing is sent yet; `connect` sends the request, and can be repeated after a failure. The state is INVITED, or
        COMPLETED for an out-of-band invitation without a handshake. `source_id` is a name of the program's choosing,
        which the library keeps with the connection; a random one if it is not given.
        """
        return await cls._invited("msdk_connection_accept", source_id, invitation)

    @classmethod
    async def create(
        cls,
        source_id: str,
        *,
        goal_code: Optional[str] = None,
        goal: Optional[str] = None,
        handshake: bool = True,
        request: Optional[JSONObject] = None,
    ) -> Connection:
        """The inviter's side, with an out-of-band invitation (RFC 0434), which `connect` makes and returns.

        `goal` is for the invitee's user. `request` is a message to attach. Without a handshake the invitation asks for
        nothing but its answer.
        """
        return await cls._inviting(source_id, goal_code, goal, handshake, request)

    @classmethod
    async def create_older(cls, source_id: str) -> Connection:
        """The inviter's side, with an invitation of connections/1.0 (RFC 0160), which `connect` makes and returns.

        With `protocol_type` 1.0 or 2.0 in the configuration, the invitation is one of Evernym's own protocol.
        """
        return cls(await call("vcx_connection_create", source_id, unclaimed=cls._release), source_id)

    @classmethod
    async def at_public_did(cls, source_id: str) -> Connection:
        """The inviter's side, with the next peer that asks for a connection at this agent's public DID.

        Call `agent.publish_public_did` once before. Create, connect and store an object for each peer that is awaited.
        """
        return cls(await call("msdk_public_did_listen", source_id, unclaimed=cls._release), source_id)

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
        """The older name of `create`. It goes with the next version."""
        warn("Connection.create_outofband", "Connection.create", through=1)
        return await cls._inviting(source_id, goal_code, goal, handshake, request)

    @classmethod
    async def create_with_invite(cls, source_id: str, invitation: JSONObject) -> Connection:
        """The older name of `accept`, for connections/1.0 invitations only. It goes with the next version."""
        warn("Connection.create_with_invite", "Connection.accept", through=1)
        return await cls._invited("vcx_connection_create_with_invite", source_id, invitation)

    @classmethod
    async def create_with_outofband_invitation(cls, source_id: str, invitation: JSONObject) -> Connection:
        """The older name of `accept`, for out-of-band invitations only. It goes with the next version."""
        warn("Connection.create_with_outofband_invitation", "Connection.accept", through=1)
        return await cls._invited("vcx_connection_create_with_outofband_invitation", source_id, invitation)

    @classmethod
    async def _invited(cls, function: str, source_id: Optional[str], invitation: JSONObject) -> Connection:
        return cls(await call(function, source_id, text_of_json(invitation), unclaimed=cls._release), source_id)

    @classmethod
    async def _inviting(
        cls, source_id: str, goal_code: Optional[str], goal: Optional[str], handshake: bool, request: Optional[JSONObject]
    ) -> Connection:
        name = "vcx_connection_create_outofband"
        attached = None if request is None else text_of_json(request)
        handle = await call(name, source_id, goal_code, goal, handshake, attached, unclaimed=cls._release)
        return cls(handle, source_id)

    @classmethod
    async def accept_connection_invite(
        cls, source_id: str, invitation: JSONObject, options: Optional[JSONObject] = None
    ) -> tuple[Connection, str]:
        """Takes up a connections/1.0 invitation and connects. Returns the connection, and its text as of `serialize`."""
        name = "vcx_connection_accept_connection_invite"
        arguments = (source_id, text_of_json(invitation), None if options is None else text_of_json(options))
        handle, text = await call(name, *arguments, unclaimed=cls._release_first)
        return cls(handle, source_id), text

    @classmethod
    async def deserialize(cls, data: str) -> Connection:
        """Restores a connection from the text of `serialize`, in this process or another with the same wallet."""
        return cls(await call("vcx_connection_deserialize", data, unclaimed=cls._release), name_in(data))

    @staticmethod
    async def find_existing(invitation: JSONObject, connections: Iterable[str]) -> Existing:
        """Finds the serialized connection of the same invitation, or else of the same inviter.

        Over a connection of the same inviter, `send_reuse` replaces another handshake. Needs no network.
        """
        name = "msdk_connection_find_existing"
        found = json.loads(await call(name, text_of_json(invitation), json.dumps(list(connections))))
        return Existing(found["index"], Same(found["same"]), tuple(found.get("unreadable", ())))

    async def connect(self, options: Optional[JSONObject] = None) -> dict[str, Any]:
        """Makes a key and a mailbox for this connection, and sends an invitee's request, or makes an inviter's invitation.

        `options` may name the `handshake_protocol`: "connections/1.0", "didexchange/1.0" or "didexchange/1.1".
        Returns the invitation, which is empty if the connection has none. When it fails, the connection is as before and
        `connect` can be called again.
        """
        details = await call("vcx_connection_connect", self._handle, None if options is None else text_of_json(options))
        return (object_in(details) if details else None) or {}

    async def completed(self, timeout: Optional[float] = None, interval: float = INTERVAL) -> None:
        """Waits until the connection is completed. Calls `connect` first if the program has not.

        Raises `EndedError` if the handshake fails, and `asyncio.TimeoutError` after `timeout` seconds: the connection
        stays as it is then, and `completed` may be called again. An error of the network, of a ledger or of a message is
        logged, and the wait goes on while the invitation is open: any stranger may have caused it.
        """
        if await self.state() is State.COMPLETED:
            return
        if not await self.pw_did():
            await self.connect()
        ways = (self._next_state, self.problem_report)
        await reach("connection", State.COMPLETED, _OVER, *ways, timeout, interval)

    async def _next_state(self) -> State:
        try:
            return await self.update_state()
        except (NetworkError, LedgerError, MalformedError, UnsupportedError) as error:
            state = await self.state()
            if state is not State.INVITED:
                raise
            _log.warning("the wait for a guest goes on: %s", error)
            return state

    async def next(self, *kinds: str, timeout: Optional[float] = None, interval: float = INTERVAL) -> Message:
        """The first unread message of the peer, of these kinds or of any. Waits for it if there is none yet.

            offer = await connection.next("credential-offer", timeout=60)

        Raises `asyncio.TimeoutError` after `timeout` seconds; None waits for ever. The message stays unread, and comes again
        in the next call, until the program marks it as read with `messages.mark_read`. Raises `UnsupportedError` where
        `messages` does.
        """
        async for message in self.messages(*kinds, timeout=timeout, interval=interval):
            return message
        raise asyncio.TimeoutError(f"no {' or '.join(kinds) or 'message'} has come in {timeout} s")

    async def messages(
        self, *kinds: str, timeout: Optional[float] = None, interval: float = INTERVAL
    ) -> AsyncIterator[Message]:
        """The unread messages of the peer, of these kinds or of all, and then each new one as it comes.

        `Message` lists the kinds.

            async for message in connection.messages("message", timeout=60):
                print(message.content.get("content"))
                await msdk.messages.mark_read(message)

        Ends when no message has come for `timeout` seconds; None waits for ever. A message that the program does not
        mark as read comes again in the next loop, also after a crash. Leaves out messages that the peer's keys did not
        send, and the pings, queries and messages of the handshake that the library handles itself. A handshake that is
        under way goes on meanwhile, and the peer's messages come once it is over.

        Raises `UnsupportedError` over a connection of Evernym's older protocol, which does not tell the peer's keys, before it
        waits. Its messages come with `messages.download` and `messages.listen`.
        """
        await self.info()  # refused if the connection will never tell the peer's keys
        mailbox, last = await self.pw_did(), time.monotonic()
        if not mailbox:
            raise error_of(1112, json.dumps({"cause": "the connection has no mailbox before `connect` or `completed`"}))
        wanted = set(map(spelled, kinds))
        with Arrivals(mailbox) as arrivals:
            inbox = Inbox(mailbox, self, arrivals)
            while timeout is None or time.monotonic() - last < timeout:
                for message in await inbox.next():
                    if not wanted or message.kind in wanted:
                        yield message
                        last = time.monotonic()
                rest = interval if timeout is None else last + timeout - time.monotonic()
                await pause(arrivals, min(interval, max(rest, 0)))

    async def update_state(self) -> State:
        """Looks into the mailbox, applies at most one message to the connection, and returns the state after it."""
        return State(await call("vcx_connection_update_state", self._handle))

    async def update_state_with_message(self, message: HandedMessage) -> State:
        """Applies a downloaded message, from the sender that its envelope in the mailbox proves. Mark it as read then."""
        return State(await call("vcx_connection_update_state_with_message", self._handle, text_of_message(message)))

    async def state(self) -> State:
        """The state now. Sends no request."""
        state = State(await call("vcx_connection_get_state", self._handle))
        if state is State.FAILED:  # the library also gives this for a handle that it does not know, and here an error
            await self.pw_did()
        return state

    async def invite_details(self, abbreviated: bool = False) -> Optional[dict[str, Any]]:
        """The invitation this connection began with; `abbreviated` matters to invitations of the older Evernym form."""
        return object_in(await call("vcx_connection_invite_details", self._handle, abbreviated))

    async def pw_did(self) -> str:
        """Our DID in this connection, which messages in the mailbox name; empty before `connect`."""
        did: Optional[str] = await call("vcx_connection_get_pw_did", self._handle)
        return did or ""

    async def thread_id(self) -> str:
        """The id of the handshake's thread; before the request it is the id of the invitation."""
        thread: str = await call("msdk_connection_get_thread_id", self._handle)
        return thread

    async def serialize(self) -> str:
        """The whole connection as JSON text, to be stored and restored with `deserialize`. It holds no private key."""
        data: str = await call("vcx_connection_serialize", self._handle)
        return data

    async def send_ping(self, comment: Optional[str] = None) -> None:
        """Sends a trust ping (RFC 0048); the answer comes as a message of kind "ping-response"."""
        await call("vcx_connection_send_ping", self._handle, comment)

    async def send_message(self, message: JSONObject, *, kind: str = "message", title: str = "message") -> str:
        """Sends an Aries message, or text that is not JSON as a basic message (RFC 0095). Returns the message's id.

        Over a connection of the older Evernym form every text is sent as it is, and `kind` names its kind to the peer.
        """
        options = json.dumps({"msg_type": kind, "msg_title": title})
        identifier: Optional[str] = await call("vcx_connection_send_message", self._handle, text_of_json(message), options)
        return identifier or ""

    async def redirect(self, existing: Connection) -> None:
        """Answers an invitation of the older Evernym form with a connection that its author has already."""
        await call("vcx_connection_redirect", self._handle, existing._handle)

    async def redirect_details(self) -> Optional[dict[str, Any]]:
        """The connection to use in place of this one, if the invitee has said so; `theirDID` is the invitee's."""
        return object_in(await call("vcx_connection_get_redirect_details", self._handle))

    async def send_reuse(self, invitation: JSONObject) -> None:
        """Tells the author of a new out-of-band invitation that this connection serves for it too.

        The peer's consent comes as a message of kind "handshake-reuse-accepted", whose thread has the invitation's id
        for `pthid`. When something is attached to the invitation, answer that over this connection instead.
        """
        await call("vcx_connection_send_reuse", self._handle, text_of_json(invitation))

    async def send_discovery_features(self, query: Optional[str] = None, comment: Optional[str] = None) -> None:
        """Asks which protocols the peer speaks (RFC 0031); "*" in the query stands for any characters.

        `update_state` applies the answer, and `info` shows it.
        """
        await call("vcx_connection_send_discovery_features", self._handle, query, comment)

    async def send_answer(self, question: HandedMessage, answer: JSONObject) -> None:
        """Answers a structured question, as it came, with one of its responses: {"text": …}, and signs where asked.

        Refuses a question that came from a stranger or over another connection, as far as this process has downloaded it or
        the connection's mailbox holds it.
        """
        await call("vcx_connection_send_answer", self._handle, text_of_content(question), text_of_json(answer))

    async def send_invite_action(self, goal_code: str, ack_on: Iterable[str] = ()) -> dict[str, Any]:
        """Asks the peer to act; `ack_on` of "ACCEPT" and "OUTCOME" asks for word of it. Returns the message sent."""
        data = json.dumps({"goal_code": goal_code, "ack_on": list(ack_on)})
        message: dict[str, Any] = json.loads(await call("vcx_connection_send_invite_action", self._handle, data))
        return message

    async def sign_data(self, data: bytes) -> bytes:
        """The Ed25519 signature over `data` with our key in this connection."""
        signature: bytes = await call("vcx_connection_sign_data", self._handle, data)
        return signature

    async def verify_signature(self, data: bytes, signature: bytes) -> bool:
        """Whether the peer's key in this connection made the signature over `data`."""
        is_good: bool = await call("vcx_connection_verify_signature", self._handle, data, signature)
        return is_good

    async def info(self) -> dict[str, Any]:
        """Both sides as far as they are known: DIDs, keys, endpoints, protocols."""
        info: dict[str, Any] = json.loads(await call("vcx_connection_info", self._handle))
        return info

    async def their_pw_did(self) -> str:
        """The peer's DID in this connection; before it is known, the id of a connection invitation."""
        did: Optional[str] = await call("vcx_connection_get_their_pw_did", self._handle)
        return did or ""

    async def problem_report(self) -> Optional[dict[str, Any]]:
        """The report that ended the connection, if one did."""
        return object_in(await call("vcx_connection_get_problem_report", self._handle))

    async def delete(self) -> None:
        """Removes the mailbox at the Cloud Agent, and releases the connection whether that succeeds or not.

        After a failure, restore the connection from its text and delete it again.
        """
        try:
            await call("vcx_connection_delete_connection", self._handle)
        finally:
            self.release()


_OVER = (
    *(State.FAILED, State.UNFULFILLED, State.EXPIRED, State.REVOKED, State.REDIRECTED, State.REJECTED),
)
"""The states from which a connection is never completed."""
