"""The pings and queries that this process has handed to the library, which answers a message as often as it gets it."""

from __future__ import annotations

import asyncio
import concurrent.futures
import threading
from typing import Any

from ._serving import STANDARD

Key = tuple[int, str, str]
"""An agent, our DID in the connection, and the id of a message."""

_LIMIT = 4096
"""The number of messages that are remembered. The oldest go first: at worst such a message is answered twice."""

_lock = threading.Lock()
_turns: dict[Key, concurrent.futures.Future[bool]] = {}
"""For each message, whether it is done, once that is known. Loops of several threads may wait for it."""


class Turn:
    """The right to hand over a message within a `with` block. The one who has it sets `is_done` if nobody needs to hand it over
    again."""

    def __init__(self, key: Key) -> None:
        self._key, self.is_done = key, False
        self._outcome: concurrent.futures.Future[bool] = concurrent.futures.Future()
        self._outcome.set_running_or_notify_cancel()  # a cancelled waiter does not cancel the others
        with _lock:
            self._first = _turns.setdefault(key, self._outcome)
            if len(_turns) > _LIMIT:
                del _turns[next(iter(_turns))]

    @property
    def is_ours(self) -> bool:
        return self._first is self._outcome

    async def others(self) -> bool:
        """Waits for the one who has the right. Returns whether the message is done."""
        return await asyncio.wrap_future(self._first)

    def __enter__(self) -> Turn:
        return self

    def __exit__(self, *_: Any) -> None:
        if not self.is_ours:
            return
        with _lock:
            if not self.is_done and _turns.get(self._key) is self._outcome:
                del _turns[self._key]
        self._outcome.set_result(self.is_done)


def forget(agent: int = STANDARD) -> None:
    """Forgets the messages of an agent, which has ended."""
    with _lock:
        for key in [key for key in _turns if key[0] == agent]:
            del _turns[key]
