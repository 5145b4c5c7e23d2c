"""New messages, as the library tells of them: for each agent one subscription for everything that waits for some."""

from __future__ import annotations

import asyncio
import collections
import contextlib
import json
import threading
import weakref
from collections.abc import Iterable
from typing import Any, Optional

from ._calls import cross, kept
from ._library import library
from ._serving import STANDARD, current_agent
from ._table import CALLBACKS
from .errors import VcxError

_HANDLE = 0x6D73646B
"""The command handle of the subscriptions. The handle of an agent beside the one of `init` is added to it."""
_UNREAD = "MS-103"
"""The status of a message that nothing has read or applied."""
_SUBSCRIBED = 1044
"""The error of a command handle that has a subscription."""

_lock = threading.Lock()
_waiting: weakref.WeakSet[Arrivals] = weakref.WeakSet()
_subscribed: set[int] = set()
"""The agents with a subscription."""
_given: dict[int, set[tuple[str, str]]] = {}
"""For each agent whose configuration has `apply_messages`: the messages that the library has told of and left unread, each by
our DID in the connection and its id."""


def begin(config: str, agent: int = STANDARD) -> None:
    """Notes the beginning of an agent with this configuration, which the library has read."""
    if str(json.loads(config).get("apply_messages")).lower() == "true":
        _given[agent] = set()


def note_read(messages: Iterable[tuple[str, str]]) -> None:
    """Notes that messages of the current agent are not unread any more."""
    _given.get(current_agent(), set()).difference_update(messages)


def forget(agent: int = STANDARD) -> None:
    """Notes the end of an agent, which has ended its subscription: nobody waits for its messages any more."""
    _subscribed.discard(agent)
    _given.pop(agent, None)
    with _lock:
        ended = [each for each in _waiting if each.agent == agent]
    for each in ended:
        each.end()


def _subscribe() -> Optional[Exception]:
    """Subscribes for the current agent, unless it is done. Returns the reason why the library tells of no messages; None
    if it does."""
    agent = current_agent()
    if agent in _subscribed:
        return None
    try:
        code = cross(library().function("msdk_messages_subscribe"), _HANDLE + agent, _callback)
    except (AttributeError, RuntimeError, VcxError) as error:  # an older library, the end of the interpreter, a closed agent
        return error
    if code not in (0, _SUBSCRIBED):
        return library().error(code)
    _subscribed.add(agent)
    return None


class Arrivals:
    """The messages that arrive within a `with` block, each as the library tells it.

    `mailbox` is our DID in a connection whose messages alone are wanted. The messages are those of the current agent. Its
    subscription begins with the first block and lasts until the agent ends.
    """

    def __init__(self, mailbox: Optional[str] = None) -> None:
        self._mailbox, self.agent = mailbox, current_agent()
        self._loop = asyncio.get_running_loop()
        self._has_come = asyncio.Event()
        self._messages: collections.deque[dict[str, Any]] = collections.deque()
        self.refusal: Optional[Exception] = None
        """The reason why the library tells of no messages; None if it does."""
        self.has_ended = False
        """Whether the agent has ended since."""

    def begin(self) -> None:
        """Begins before the block, which ends it."""
        with _lock:
            _waiting.add(self)
        self.refusal = _subscribe()

    def __enter__(self) -> Arrivals:
        if self not in _waiting:
            self.begin()
        return self

    def __exit__(self, *raised: Any) -> None:
        with _lock:
            _waiting.discard(self)

    async def wait(self, seconds: Optional[float]) -> None:
        """Returns when a message has come since the last call, or when the agent ends; at most after so many seconds."""
        try:
            await asyncio.wait_for(self._has_come.wait(), seconds)
        except asyncio.TimeoutError:
            pass
        self._has_come.clear()

    def will_tell(self, pairwise_did: str, uid: str) -> bool:
        """Whether the library is about to tell of this unread message, after it has tried to apply it."""
        given = _given.get(self.agent)
        return given is not None and self.refusal is None and (pairwise_did, uid) not in given

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

    def end(self) -> None:
        """Notes the end of the agent, on any thread."""
        with contextlib.suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(self._end)

    def _end(self) -> None:
        self.has_ended = True
        self._has_come.set()

    def _note(self, message: dict[str, Any]) -> None:
        self._messages.append(message)
        self._has_come.set()


def _receive(handle: int, _code: int, text: bytes) -> None:
    """Runs on a thread of the library, for one message of an agent at a time."""
    message, agent = json.loads(text), handle - _HANDLE
    if message["statusCode"] == _UNREAD and agent in _given:
        _given[agent].add((message["pairwiseDID"], message["uid"]))
    with _lock:
        for each in [each for each in _waiting if each.agent == agent and not each.tell(message)]:
            _waiting.discard(each)


_callback = kept(CALLBACKS["vcx_string_cb"](_receive))
