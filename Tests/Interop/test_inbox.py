"""The messages of one connection, as the Python package gives them to its program."""

from __future__ import annotations

import asyncio
import pathlib
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

import msdk_vcx as msdk
from agency import Agency
from envelope import JSON
from peer import Peer, message
from test_agents import meet, opened, provisioned


def report(request: JSON) -> JSON:
    """The peer's report that ends the handshake of the request."""
    return message("connections/1.0/problem_report", request["@id"], **{"problem-code": "e", "explain": "no more"})


def hangup(_: JSON) -> JSON:
    return message("did-rotate/1.0/hangup")


async def kinds(messages: AsyncIterator[msdk.Message]) -> list[str]:
    return [each.kind async for each in messages]


async def connected(agent: msdk.Agent, mallory: Peer) -> tuple[msdk.Connection, JSON]:
    """A connection with the scripted peer, and the request that says how to reach the agent."""
    connection = await agent.Connection.accept(mallory.invitation())
    await connection.connect()
    request, _ = await asyncio.to_thread(mallory.receive, "connections/1.0/request")
    await asyncio.to_thread(mallory.send, mallory.response(request), request, mallory.key)
    await connection.completed(timeout=120)
    return connection, request


@pytest.mark.parametrize(("ending", "given"), [(report, []), (hangup, ["aries"])])
def test_an_end_that_the_program_has_not_stored_is_found_again(
    agency: Agency, mallory: Peer, tmp_path: pathlib.Path, ending: Callable[[JSON], JSON], given: list[str]
) -> None:
    async def run() -> None:
        config = await provisioned("alice", agency, tmp_path)
        async with await msdk.Agent.open(config) as alice:
            connection, request = await connected(alice, mallory)
            stored = await connection.serialize()
            await asyncio.to_thread(mallory.send, ending(request), request, mallory.key)
            for _ in range(2):
                assert await kinds(connection.messages(timeout=2, interval=0.2)) == given
                assert await connection.state() is msdk.State.FAILED
        async with await msdk.Agent.open(config) as alice:  # as if the program had ended before it stored the connection
            again = await alice.Connection.deserialize(stored)
            assert await again.state() is msdk.State.COMPLETED
            assert await kinds(again.messages(timeout=2, interval=0.2)) == given
            assert await again.state() is msdk.State.FAILED

    asyncio.run(run())


def test_a_strangers_report_ends_nothing_and_is_rejected(agency: Agency, mallory: Peer, tmp_path: pathlib.Path) -> None:
    async def run() -> None:
        async with await opened("alice", agency, tmp_path) as alice:
            connection, request = await connected(alice, mallory)
            with Peer() as stranger:
                await asyncio.to_thread(mallory.send, report(request), request, stranger.key)
            assert await kinds(connection.messages(timeout=2, interval=0.2)) == []
            assert await connection.state() is msdk.State.COMPLETED
            assert len(await alice.messages.download(msdk.MessageStatus.REJECTED)) == 1
            assert await alice.messages.download(msdk.MessageStatus.RECEIVED) == []

    asyncio.run(run())


def test_a_reuse_is_answered_once_and_comes_to_the_program(agency: Agency, tmp_path: pathlib.Path) -> None:
    async def run() -> None:
        async with await opened("alice", agency, tmp_path) as alice, await opened("faber", agency, tmp_path) as faber:
            to_faber, to_alice = await meet(alice, faber)
            invitation: dict[str, Any] = await (await faber.Connection.create("another")).connect()
            await to_faber.send_reuse(invitation)
            for _ in range(2):
                asked = await to_alice.next("handshake-reuse", timeout=120)
                assert asked.content["~thread"]["pthid"] == invitation["@id"]
            assert await kinds(to_faber.messages(timeout=3, interval=0.2)) == ["handshake-reuse-accepted"]

    asyncio.run(run())


def test_messages_of_the_proprietary_protocol_are_refused_before_one_comes(
    agency: Agency, tmp_path: pathlib.Path
) -> None:
    async def run() -> None:
        config = {**await provisioned("faber", agency, tmp_path), "protocol_type": "2.0"}
        async with await opened("alice", agency, tmp_path) as alice, await msdk.Agent.open(config) as faber:
            invited = await faber.Connection.create_older("alice")
            accepted = await alice.Connection.accept(await invited.connect())
            await accepted.connect()
            assert await invited.update_state() is msdk.State.COMPLETED
            for connection in (accepted, invited):
                with pytest.raises(msdk.UnsupportedError, match="proprietary"):
                    await asyncio.wait_for(connection.next(), 10)

    asyncio.run(run())
