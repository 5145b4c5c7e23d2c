"""Waiting until an exchange reaches a state: looks into the mailbox when a message has come, and now and then."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Container
from typing import Any, Callable, Optional, TypeVar

from ._arrivals import Arrivals
from .errors import EndedError

_State = TypeVar("_State")

INTERVAL = 5.0
"""Seconds between two looks into the mailbox while no message comes."""
UNTOLD_INTERVAL = 0.5
"""Seconds between two looks where the library tells of no messages."""


async def pause(arrivals: Arrivals, interval: float) -> None:
    """Waits for the next look: until a message has come, at most so many seconds."""
    await arrivals.wait(min(interval, UNTOLD_INTERVAL) if arrivals.refusal else interval)


async def reach(
    kind: str,
    goal: _State,
    over: Container[_State],
    look: Callable[[], Awaitable[_State]],
    report: Callable[[], Awaitable[Optional[dict[str, Any]]]],
    timeout: Optional[float],
    interval: float,
) -> None:
    """Calls `look` until it returns the goal. Raises `EndedError` at a state in `over`, for they lead nowhere.

    Raises `asyncio.TimeoutError`, which tells the state, after `timeout` seconds; None waits for ever.
    """
    seen = "no state"

    async def wait() -> None:
        nonlocal seen
        with Arrivals() as arrivals:
            while (state := await look()) != goal:
                if state in over:
                    raise EndedError(kind, state, await report())
                seen = f"state {state}"
                await pause(arrivals, interval)

    try:
        await asyncio.wait_for(wait(), timeout)
    except asyncio.TimeoutError:
        raise asyncio.TimeoutError(f"the {kind} has reached {seen}, and not {goal}, after {timeout} s") from None
