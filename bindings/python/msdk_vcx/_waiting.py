"""Waiting until an exchange reaches a state: looks into the mailbox again and again."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Container
from typing import Any, Callable, Optional, TypeVar

from .errors import EndedError

_State = TypeVar("_State")

INTERVAL = 0.5
"""Seconds between two looks into the mailbox."""


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
        while (state := await look()) != goal:
            if state in over:
                raise EndedError(kind, state, await report())
            seen = f"state {state}"
            await asyncio.sleep(interval)

    try:
        await asyncio.wait_for(wait(), timeout)
    except asyncio.TimeoutError:
        raise asyncio.TimeoutError(f"the {kind} has reached {seen}, and not {goal}, after {timeout} s") from None
