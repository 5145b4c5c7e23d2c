"""The same package for scripts without asyncio: each call waits for its answer.

    from msdk_vcx import sync as msdk

    with msdk.session(config):
        with msdk.Connection.accept(url) as connection:
            connection.completed(timeout=60)
            for message in connection.messages("message", timeout=60):
                print(message.content["content"])
                msdk.messages.mark_read(message)

Any thread may use it, also beside asyncio. One event loop on a thread of its own serves all of them. An interrupted call
(Ctrl-C) is cancelled there. `sync.pyi`, which `scripts/bindings` writes, gives its types.
"""

from __future__ import annotations

import asyncio
import functools
import inspect
import threading
import types
from collections.abc import Coroutine, Iterator
from typing import Any

import msdk_vcx
from msdk_vcx.agents import Offered


__version__ = msdk_vcx.__version__


@functools.lru_cache(maxsize=None)
def _loop() -> asyncio.AbstractEventLoop:
    """The loop on its thread, which begins at the first use and ends with the process."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="msdk_vcx.sync", daemon=True).start()
    return loop


def _wait(work: Coroutine[Any, Any, Any]) -> Any:
    """Runs it on the loop, and returns its result."""
    future = asyncio.run_coroutine_threadsafe(work, _loop())
    try:
        return future.result()
    except BaseException:
        future.cancel()
        raise


async def _run(function: Any, arguments: Any, options: Any) -> Any:
    """Calls a function on the loop, where objects of asyncio belong, and awaits its result if it has to."""
    result = function(*map(_inner, arguments), **{name: _inner(value) for name, value in options.items()})
    return await result if inspect.isawaitable(result) else result


class Blocking:
    """An object of the package whose calls wait."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    def __getattr__(self, name: str) -> Any:
        return _outer(getattr(self._inner, name))

    def __enter__(self) -> Any:
        entered = _wait(self._inner.__aenter__()) if hasattr(self._inner, "__aenter__") else self._inner.__enter__()
        return self if entered is self._inner else _outer(entered)

    def __exit__(self, *raised: Any) -> Any:
        inner = self._inner
        return _wait(inner.__aexit__(*raised)) if hasattr(inner, "__aexit__") else inner.__exit__(*raised)

    def __iter__(self) -> Iterator[Any]:
        each = self._inner.__aiter__()
        try:
            while True:
                try:
                    yield _outer(_wait(each.__anext__()))
                except StopAsyncIteration:
                    return
        finally:
            _wait(each.aclose())

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        return _outer(_wait(_run(self._inner, arguments, options)))

    def __eq__(self, other: object) -> bool:
        return bool(self._inner == _inner(other))

    def __hash__(self) -> int:
        return hash(self._inner)

    def __repr__(self) -> str:
        return f"<waits: {self._inner!r}>"


def _inner(value: Any) -> Any:
    return value._inner if isinstance(value, Blocking) else value


def _waits(value: Any) -> bool:
    """Whether something about it is for asyncio: a function, a method, or the object that a function returns."""
    if inspect.isroutine(value):
        returned = str(getattr(value, "__annotations__", {}).get("return"))
        return returned.startswith("AsyncIterator") or any(map(inspect.iscoroutinefunction, (value, inspect.unwrap(value))))
    return _has_asynchronous_methods(value if inspect.isclass(value) else type(value))


@functools.lru_cache(maxsize=None)
def _has_asynchronous_methods(kind: type) -> bool:
    members = inspect.getmembers(kind)
    return any(name in ("__aenter__", "__aiter__") or inspect.iscoroutinefunction(each) for name, each in members)


def _outer(value: Any) -> Any:
    """The value for a caller who waits: plain values as they are."""
    if isinstance(value, tuple) and type(value) is tuple:
        return tuple(map(_outer, value))
    if isinstance(value, (types.ModuleType, Offered)) or _waits(value):
        return Blocking(value)
    return value


def __getattr__(name: str) -> Any:
    if name not in msdk_vcx.__all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return _outer(getattr(msdk_vcx, name))


def __dir__() -> list[str]:
    return sorted(msdk_vcx.__all__)
