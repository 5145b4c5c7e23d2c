"""Agents: the one for which each call is made."""

from __future__ import annotations

import asyncio
import ctypes
import inspect
from typing import Any

import pytest

import msdk_vcx as msdk
from msdk_vcx import sync
from msdk_vcx._serving import OfAgent, bound, current_agent


async def served(agent: Any) -> int:
    """The agent that the library has selected in a call."""
    return int((await agent.create_pairwise_agent())["agent"])


def number(agent: msdk.Agent) -> int:
    return int(repr(agent).split()[1].rstrip(">"))


def test_calls_are_made_for_their_agent_and_those_of_the_package_for_the_first(standin: ctypes.CDLL) -> None:
    async def run() -> None:
        async with await msdk.Agent.open({}) as one, await msdk.Agent.open({}) as other:
            agents: tuple[Any, ...] = (one, other, msdk, one)
            numbers = [number(one), number(other), 0, number(one)]
            assert [await served(agent) for agent in agents] == numbers
            assert await asyncio.gather(*map(served, agents)) == numbers
            one.update_institution_info(str(number(one)), "")
            msdk.update_institution_info("0", "")
            with pytest.raises(msdk.VcxError):
                other.update_institution_info(str(number(one)), "")
            assert standin.selected_agent() == 0 and current_agent() == 0

    asyncio.run(run())


def test_a_call_for_a_closed_agent_raises_and_leaves_nothing_behind() -> None:
    async def run() -> None:
        agent = msdk.Agent(1_000_000)
        with pytest.raises(msdk.HandleError):
            await served(agent)
        assert await served(msdk) == 0

    asyncio.run(run())


def test_an_agent_has_the_package_without_what_concerns_the_process() -> None:
    agent = msdk.Agent(7)
    for name in ("Connection", "Proof", "wallet", "messages", "health_check", "author_agreement"):
        assert name in dir(agent) and getattr(agent, name) is not None
    for name in ("init", "session", "shutdown", "Agent", "nonsense"):
        with pytest.raises(AttributeError):
            getattr(agent, name)
    assert agent.Message is msdk.Message
    assert repr(agent) == "<Agent 7>"


class Remembering(OfAgent):
    async def waiting(self) -> int:
        return current_agent()

    async def each(self) -> Any:
        yield current_agent()
        yield current_agent()

    def at_once(self) -> int:
        return current_agent()


def test_an_object_works_for_the_agent_that_made_it() -> None:
    async def run() -> None:
        made = bound(Remembering, lambda: 7)()
        assert (await made.waiting(), made.at_once(), current_agent()) == (7, 7, 0)
        seen = []
        async for agent in made.each():
            seen += [agent, current_agent()]  # between the steps the caller's own agent
        assert seen == [7, 0, 7, 0]
        assert await Remembering().waiting() == 0

    asyncio.run(run())


def test_scripts_without_asyncio_have_agents_too() -> None:
    with sync.Agent.open({}) as agent:
        assert agent.create_pairwise_agent()["agent"] == str(number(agent._inner))
    assert sync.create_pairwise_agent()["agent"] == "0"


def test_a_type_checker_knows_the_classes_whose_functions_make_calls() -> None:
    makers = {
        name for name in msdk.__all__ if inspect.isclass(kind := getattr(msdk, name)) and name != "Agent"
        and any(
            isinstance(each, classmethod) and inspect.iscoroutinefunction(inspect.unwrap(each.__func__))
            for each in vars(kind).values()
        )
    }
    assert makers == set(msdk.Agent.__annotations__)
