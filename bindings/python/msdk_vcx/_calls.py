"""Calls into the library: one generic asynchronous call, one synchronous, one callback object per shape.

A call registers its future under a fresh command handle *before* it enters the library, because the answer may come,
on a thread of the library, before the function has returned. The callback reads the error details on that thread,
copies the values that the library lends it, and hands the result over to the event loop of the caller.
"""

from __future__ import annotations

import asyncio
import ctypes
import itertools
import threading
from collections.abc import Iterator, Sequence
from typing import Any, Callable, Optional

from ._library import library
from ._serving import STANDARD, current_agent
from ._table import CALLBACKS, FUNCTIONS

Unclaimed = Callable[[Any], None]
"""Takes the result of a call whose caller has gone, and releases the object that it names."""

_UNHEARD = 0
"""The command handle of calls whose result is not awaited."""

_BYTES = ctypes.POINTER(ctypes.c_uint8)


class _Call:
    """A call under way: its future, and the event loop of the caller."""

    def __init__(self, unclaimed: Optional[Unclaimed]) -> None:
        self._loop = asyncio.get_running_loop()
        self._unclaimed = unclaimed
        self.future: asyncio.Future[Any] = self._loop.create_future()

    def finish(self, result: Any, error: Optional[BaseException]) -> None:
        """Hands the result over to the caller's loop, on any thread. If that loop is closed, the result is unclaimed."""
        try:
            self._loop.call_soon_threadsafe(self._settle, result, error)
        except RuntimeError:
            self._drop(result, error)

    def _settle(self, result: Any, error: Optional[BaseException]) -> None:
        if self.future.done():  # cancelled
            self._drop(result, error)
        elif error is not None:
            self.future.set_exception(error)
        else:
            self.future.set_result(result)

    def abandon(self) -> None:
        """Drops a result that came in the same turn of the loop as the cancellation."""
        if self.future.done() and not self.future.cancelled() and self.future.exception() is None:
            self._drop(self.future.result(), None)

    def _drop(self, result: Any, error: Optional[BaseException]) -> None:
        if error is None and self._unclaimed is not None:
            self._unclaimed(result)


class _Pending:
    """The calls under way by command handle."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._calls: dict[int, _Call] = {}
        self._numbers = itertools.count(1)

    def add(self, call: _Call) -> int:
        with self._lock:
            numbers = (number & 0xFFFFFFFF for number in self._numbers)
            handle = next(number for number in numbers if number != _UNHEARD and number not in self._calls)
            self._calls[handle] = call
            return handle

    def take(self, handle: int) -> Optional[_Call]:
        with self._lock:
            return self._calls.pop(handle, None)


_pending = _Pending()


def _receive(handle: int, code: int, *values: Any) -> None:
    """Every callback of every shape; runs on a thread of the library. An exception here reaches the caller."""
    call = _pending.take(handle)
    if call is None:
        return
    try:
        if code:
            call.finish(None, library().error(code))
        else:
            call.finish(_result(values), None)
    except Exception as error:
        call.finish(None, error)


def _result(values: Sequence[Any]) -> Any:
    """Copies the values that the callback carried: none, one, or a tuple of them."""
    copies = tuple(_copies(values))
    return copies if len(copies) > 1 else copies[0] if copies else None


def _copies(values: Sequence[Any]) -> Iterator[Any]:
    rest = iter(values)
    for value in rest:
        if isinstance(value, _BYTES):
            length = next(rest)
            yield ctypes.string_at(value, length) if value else b""
        elif isinstance(value, bytes):
            yield value.decode()
        else:
            yield value


def kept(callback: Any) -> Any:
    """Gives a callback object one reference for good: the library may call it as long as the process lives."""
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(callback))
    return callback


_shapes = {shape for _, _, shape in FUNCTIONS.values() if shape is not None}
_callbacks = {shape: kept(CALLBACKS[shape](_receive)) for shape in _shapes}


def _arguments(values: Sequence[Any]) -> Iterator[Any]:
    """Python values as the library takes them: text as UTF-8, bytes as pointer and length."""
    for value in values:
        if isinstance(value, str):
            if "\0" in value:
                raise ValueError("text for the library cannot contain a NUL character")
            yield value.encode()
        elif isinstance(value, bytes):
            yield (ctypes.c_uint8 * len(value)).from_buffer_copy(value)
            yield len(value)
        else:
            yield value


def cross(function: Any, *arguments: Any) -> Any:
    """Calls a function of the library for the current agent. A thread selects no agent between two calls."""
    agent = current_agent()
    if agent == STANDARD:
        return function(*arguments)
    select = library().function("msdk_agent_select")
    code = select(agent)
    if code:
        raise library().error(code)
    try:
        return function(*arguments)
    finally:
        select(STANDARD)


async def call(name: str, *arguments: Any, unclaimed: Optional[Unclaimed] = None) -> Any:
    """Calls an asynchronous function and waits for its callback.

    A refused call raises `VcxError` at once, a failed one when the library says so. When the waiting task is cancelled
    the operation goes on; its result is then given to `unclaimed`.
    """
    function, shape = library().function(name), FUNCTIONS[name][2]
    if shape is None:
        raise TypeError(f"{name} takes no callback")
    values = list(_arguments(arguments))
    waiting = _Call(unclaimed)
    handle = _pending.add(waiting)
    try:
        code = cross(function, handle, *values, _callbacks[shape])
        if code:
            raise library().error(code)
    except Exception:
        _pending.take(handle)
        raise
    try:
        return await waiting.future
    except asyncio.CancelledError:
        waiting.abandon()
        raise


def call_unheard(name: str, *arguments: Any) -> None:
    """Calls an asynchronous function and ignores its result. Works on any thread, with or without a loop."""
    function, shape = library().function(name), FUNCTIONS[name][2]
    if shape is None:
        raise TypeError(f"{name} takes no callback")
    function(_UNHEARD, *_arguments(arguments), _callbacks[shape])


def call_now(name: str, *arguments: Any) -> None:
    """Calls a synchronous function that answers with an error code; raises `VcxError` unless it is 0."""
    code = cross(library().function(name), *_arguments(arguments))
    if code:
        raise library().error(code)


def text_of(name: str, *arguments: Any) -> str:
    """Calls a synchronous function that answers with a text."""
    answer: Optional[bytes] = library().function(name)(*_arguments(arguments))
    return (answer or b"").decode()
