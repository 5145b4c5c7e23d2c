"""The unread messages of one peer, without the ones that the library handles itself."""

from __future__ import annotations

import re
from collections.abc import Awaitable
from typing import Any, Callable

from .messages import UNNAMED, Message, download
from .state import MessageStatus

_ANSWERED = (UNNAMED, "revocation")
"""The kinds of messages that the library may answer or apply, and that the program gets too."""
_TAKEN = re.compile(r"/(connections|didexchange|discover-features)/|/trust_ping/[\d.]+/ping$")
"""The types of messages that the library answers or applies, and that mean nothing to the program."""


class Inbox:
    """The messages of a connection that the program has not seen yet.

    `mailbox` is our DID in the connection. `update` lets the library take one of its own messages; `describe` gives the
    peer's keys.
    """

    def __init__(
        self, mailbox: str, update: Callable[[], Awaitable[Any]], describe: Callable[[], Awaitable[dict[str, Any]]]
    ) -> None:
        self._mailbox, self._update, self._describe = mailbox, update, describe
        self._seen: set[str] = set()

    async def next(self) -> list[Message]:
        """The messages that the peer has sent since the last call."""
        unread = await download(MessageStatus.RECEIVED, pairwise_dids=[self._mailbox])
        fresh = [each for each in unread if each.uid not in self._seen]
        if not fresh:
            return []
        if any(each.kind in _ANSWERED or _is_taken(each) for each in fresh):
            for _ in fresh:
                await self._update()
        self._seen.update(each.uid for each in fresh)
        peer = (await self._describe())["their"] or {}
        keys = peer.get("recipientKeys", ())
        return [each for each in fresh if each.sender_verkey in keys and not _is_taken(each)]


def _is_taken(message: Message) -> bool:
    return _TAKEN.search(str(message.content.get("@type"))) is not None
