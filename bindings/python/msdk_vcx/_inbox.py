"""The unread messages of one peer, without the ones that the library handles itself."""

from __future__ import annotations

import logging
import re
from typing import TYPE_CHECKING

from .errors import VcxError
from .messages import UNNAMED, Message, download, update_status
from .state import MessageStatus, State

if TYPE_CHECKING:
    from .connection import Connection

_ANSWERED = (UNNAMED, "revocation")
"""The kinds of messages that the library may answer or apply, and that the program gets too."""
_TAKEN = re.compile(r"/(connections|didexchange|discover-features)/|/trust_ping/[\d.]+/ping$")
"""The types of messages that the library answers or applies, and that mean nothing to the program."""
_HANDSHAKE = re.compile(r"/(connections|didexchange)/")
"""The types of messages that complete a connection."""

_log = logging.getLogger("msdk.inbox")


class Inbox:
    """The messages of a connection that the program has not seen yet. `mailbox` is our DID in the connection."""

    def __init__(self, mailbox: str, connection: Connection) -> None:
        self._mailbox, self._connection = mailbox, connection
        self._seen: set[str] = set()

    async def next(self) -> list[Message]:
        """The messages that the peer has sent since the last call."""
        unread = await download(MessageStatus.RECEIVED, pairwise_dids=[self._mailbox])
        fresh = [each for each in unread if each.uid not in self._seen]
        if not fresh:
            return []
        for each in fresh:
            # A message whose answer could not be sent is for the next call.
            if not (each.kind in _ANSWERED or _is(_TAKEN, each)) or await self._is_applied(each):
                self._seen.add(each.uid)
        peer = (await self._connection.info())["their"] or {}
        keys = peer.get("recipientKeys", ())
        return [each for each in fresh if each.sender_verkey in keys and not _is(_TAKEN, each)]

    async def _is_applied(self, message: Message) -> bool:
        """Has the library handle this message, and no other one: the program may wait for the one behind it."""
        status = MessageStatus.REVIEWED
        try:
            if _is(_HANDSHAKE, message) and await self._connection.state() is not State.COMPLETED:
                # The library keeps the message, in case the program ends before it has stored the connection.
                await self._connection.update_state()
                return True
            await self._connection.update_state_with_message(message)
        except VcxError as error:
            _log.warning("message %s is not applied: %s", message.uid, error)
            if error.code == _UNREACHED:
                return False
            if error.code in _GONE:
                raise
            status = MessageStatus.REJECTED
        if _is(_TAKEN, message):
            await update_status([message], status)
        return True


_UNREACHED = 1010
"""The error of an answer that could not be sent."""
_GONE = (1003, 1004)
"""The errors of a released connection, and of a library that is not initialised."""


def _is(types: re.Pattern[str], message: Message) -> bool:
    return types.search(str(message.content.get("@type"))) is not None
