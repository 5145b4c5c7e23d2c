"""The unread messages of one peer, without the ones that the library handles itself."""

from __future__ import annotations

import logging
import re
from typing import TYPE_CHECKING, Optional

from ._handed import Turn
from ._serving import current_agent
from .errors import VcxError
from .messages import UNNAMED, Message, download, update_status
from .state import MessageStatus, State

if TYPE_CHECKING:
    from ._arrivals import Arrivals
    from .connection import Connection

_ANSWERED = (UNNAMED, "revocation", "handshake-reuse")
"""The kinds of messages that the library may answer or apply, and that the program gets too."""
_ASKED = r"trust_ping/1\.\d+/ping|discover-features/(1\.\d+/query|2\.\d+/queries)"
_ASKING = re.compile(rf"(.*/)?({_ASKED})", re.DOTALL | re.ASCII)
"""The types of pings and queries: they change no object, and the library answers each as often as it gets it."""
_TAKEN = re.compile(
    rf"(.*/)?({_ASKED}"
    r"|connections/1\.\d+/(request|response)"
    r"|didexchange/1\.\d+/(request|response|complete)"
    r"|(connections|didexchange)/\d+\.\d+/(ack|problem[-_]report)"
    r"|discover-features/1\.\d+/disclose"
    r")",
    re.DOTALL | re.ASCII,
)
"""The types of messages that the library answers or applies, and that mean nothing to the program. The library ignores the prefix
of a type, and leaves all other types to the program."""
_UNDER_WAY = (State.INITIALIZED, State.INVITED, State.REQUESTED)
"""The states of a handshake. Until it is over, nothing has proven the peer's key."""
_REFUSED = (1016, 1100, 1108)
"""The errors that are verdicts about the message: it is malformed or not proven to be the peer's, its attachment cannot be
read, or its DID document cannot be used. After any other error the library may apply the same message later."""
_GONE = (1003, 1004)
"""The errors of a released connection, and of a library that is not initialised."""

_log = logging.getLogger("msdk.inbox")


class Inbox:
    """The messages of a connection that the program has not seen yet. `mailbox` is our DID in the connection."""

    def __init__(self, mailbox: str, connection: Connection, arrivals: Arrivals) -> None:
        self._mailbox, self._connection, self._arrivals = mailbox, connection, arrivals
        self._seen: set[str] = set()
        """The messages that need no further look."""
        self._given: set[str] = set()
        """The messages that the program has got. The library may still have to apply some of them."""

    async def next(self) -> list[Message]:
        """The messages that the peer has sent since the last call. None comes before the handshake is over."""
        state = await self._advanced()
        if state in _UNDER_WAY:
            return []
        unread = await download(MessageStatus.RECEIVED, pairwise_dids=[self._mailbox])
        fresh = [each for each in unread if each.uid not in self._seen and not self._is_left(each)]
        if not fresh:
            return []
        for each in fresh:
            # The library leaves all messages that come after the end of the connection as they are.
            if state is State.COMPLETED and (each.kind in _ANSWERED or _is_taken(each)):
                after = await (self._answered(each) if _is_asking(each) else self._applied(each))
                if after is None:
                    continue  # the library gets the message again in the next call
                state = after
            self._seen.add(each.uid)
        peer = (await self._connection.info())["their"] or {}
        keys = peer.get("recipientKeys", ())
        peers = [each for each in fresh if each.sender_verkey in keys and not _is_taken(each)]
        new = [each for each in peers if each.uid not in self._given]
        self._given.update(each.uid for each in new)
        return new

    def _is_left(self, message: Message) -> bool:
        """Whether the library is about to answer this message by itself, as `apply_messages` asks it to."""
        return _is_asking(message) and self._arrivals.will_tell(message.pairwise_did, message.uid)

    async def _advanced(self) -> State:
        """The state of the connection, after the library has looked for the next message of the handshake. The library itself
        marks such messages: it rejects one that it refuses, and leaves unread one that it may apply later."""
        state = await self._connection.state()
        if state not in _UNDER_WAY:
            return state
        try:
            return await self._connection.update_state()
        except VcxError as error:
            if error.code in _GONE:
                raise
            _log.warning("the handshake goes on later: %s", error)
            return await self._connection.state()

    async def _answered(self, message: Message) -> Optional[State]:
        """The same as `_applied`, but only one inbox of this process hands the message over; the others wait for it."""
        with Turn((current_agent(), self._mailbox, message.uid)) as turn:
            if not turn.is_ours:
                return await self._connection.state() if await turn.others() else None
            state = await self._applied(message)
            turn.is_done = state is State.COMPLETED
            return state

    async def _applied(self, message: Message) -> Optional[State]:
        """Has the library handle this message, and no other one: the program may wait for the one behind it. Returns the state of
        the connection after it; None if the library may apply the message later."""
        status = MessageStatus.REVIEWED
        try:
            state = await self._connection.update_state_with_message(message)
        except VcxError as error:
            if error.code in _GONE:
                raise
            _log.warning("message %s is not applied: %s", message.uid, error)
            if error.code not in _REFUSED:
                return None
            state, status = await self._connection.state(), MessageStatus.REJECTED
        # The report that ended the connection stays unread: if this process ends before the program has stored the end, the
        # next one finds the report.
        if _is_taken(message) and state is State.COMPLETED:
            await update_status([message], status)
        return state


def _is_taken(message: Message) -> bool:
    return _TAKEN.fullmatch(str(message.content.get("@type"))) is not None


def _is_asking(message: Message) -> bool:
    return _ASKING.fullmatch(str(message.content.get("@type"))) is not None
