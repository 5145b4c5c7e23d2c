"""The agent for which calls are made: the one that the library selects for each of them."""

from __future__ import annotations

import contextlib
import contextvars
import functools
import inspect
from collections.abc import Iterator
from typing import Any, Callable

STANDARD = 0
"""The agent of `init`."""

_current = contextvars.ContextVar("msdk_vcx agent", default=STANDARD)


def current_agent() -> int:
    return _current.get()


@contextlib.contextmanager
def serving(agent: int) -> Iterator[None]:
    """Makes the calls within a `with` block for this agent, also those of tasks that begin there."""
    token = _current.set(agent)
    try:
        yield
    finally:
        _current.reset(token)


def bound(function: Callable[..., Any], agent_of: Callable[..., int]) -> Callable[..., Any]:
    """The function, whose calls are made for the agent that `agent_of` names, given the same arguments."""
    if inspect.isasyncgenfunction(inspect.unwrap(function)):

        @functools.wraps(function)
        async def each(*arguments: Any, **options: Any) -> Any:
            agent, steps = agent_of(*arguments), function(*arguments, **options)
            try:
                while True:  # the caller's own calls between two steps are not for this agent
                    with serving(agent):
                        try:
                            item = await steps.__anext__()
                        except StopAsyncIteration:
                            return
                    yield item
            finally:
                await steps.aclose()

        return each
    if inspect.iscoroutinefunction(function):

        @functools.wraps(function)
        async def waiting(*arguments: Any, **options: Any) -> Any:
            with serving(agent_of(*arguments)):
                return await function(*arguments, **options)

        return waiting

    @functools.wraps(function)
    def at_once(*arguments: Any, **options: Any) -> Any:
        with serving(agent_of(*arguments)):
            return function(*arguments, **options)

    return at_once


class OfAgent:
    """An object whose methods make their calls for the agent that was current when the object was made."""

    _agent: int

    def __new__(cls, *_: Any, **__: Any) -> Any:
        made = super().__new__(cls)
        object.__setattr__(made, "_agent", current_agent())  # some of these objects are frozen
        return made

    def __init_subclass__(cls) -> None:
        for name, member in list(vars(cls).items()):
            if inspect.isfunction(member) and not name.startswith("_"):
                setattr(cls, name, bound(member, lambda self, *_: self._agent))
