"""New messages, as the library tells of them: one subscription for everything in this process that waits for some."""

from __future__ import annotations

import asyncio
import collections
import json
import threading
from typing import Any, Optional

from ._calls import kept
from ._library import library
from ._table import CALLBACKS

_HANDLE = 0x6D73646B
"""The command handle of the subscription, which no other call uses: see `_calls`."""
_SUBSCRIBED = 1044
"""The error of a command handle that has a subscription."""

_lock = threading.Lock()
_waiting: set[Arrivals] = set()
_is_subscribed = False


def forget() -> None:
    """Notes that the library is shut down, which has ended the subscription."""
    global _is_subscribed
    _is_subscribed = False


def _subscribe() -> Optional[Exception]:
    """Subscribes, unless it is done. Returns the reason why the library tells of no messages; None if it does."""
    global _is_subscribed
    if _is_subscribed:
        return None
    try:
        code = library().function("msdk_messages_subscribe")(_HANDLE, _callback)
    except (AttributeError, RuntimeError) as error:  # an older library, or the end of the interpreter
        return error
    _is_subscribed = code in (0, _SUBSCRIBED)
    return None if _is_subscribed else library().error(code)


class Arrivals:
    """The messages that arrive within a `with` block, each as the library tells it.

    `mailbox` is our DID in a connection whose messages alone are wanted. The subscription begins with the first block and
    lasts until `shutdown`.
    """

    def __init__(self, mailbox: Optional[str] = None) -> None:
        self._mailbox = mailbox
        self._loop = asyncio.get_running_loop()
        self._has_come = asyncio.Event()
        self._messages: collections.deque[dict[str, Any]] = collections.deque()
        self.refusal: Optional[Exception] = None
        """The reason why the library tells of no messages; None if it does."""

    def __enter__(self) -> Arrivals:
        with _lock:
            _waiting.add(self)
        self.refusal = _subscribe()
        return self

    def __exit__(self, *raised: Any) -> None:
        with _lock:
            _waiting.discard(self)

    async def wait(self, seconds: Optional[float]) -> None:
        """Returns when a message has come since the last call, at most after so many seconds."""
        try:
            await asyncio.wait_for(self._has_come.wait(), seconds)
        except asyncio.TimeoutError:
            pass
        self._has_come.clear()

    def take(self) -> list[dict[str, Any]]:
        """The messages that have come since the last call."""
        messages = list(self._messages)
        self._messages.clear()
        return messages

    def tell(self, message: dict[str, Any]) -> bool:
        """Notes a message, on a thread of the library. Returns false if the loop of the waiting task is closed."""
        if self._mailbox not in (None, message["pairwiseDID"]):
            return True
        try:
            self._loop.call_soon_threadsafe(self._note, message)
        except RuntimeError:
            return False
        return True

    def _note(self, message: dict[str, Any]) -> None:
        self._messages.append(message)
        self._has_come.set()


def _receive(_handle: int, _code: int, text: bytes) -> None:
    """Runs on a thread of the library, for one message at a time."""
    message = json.loads(text)
    with _lock:
        for each in [each for each in _waiting if not each.tell(message)]:
            _waiting.discard(each)


_callback = kept(CALLBACKS["vcx_string_cb"](_receive))
