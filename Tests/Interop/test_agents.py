"""Agents of one process, with the Python package: Alice and Faber in one program, and many who come and go."""

from __future__ import annotations

import asyncio
import pathlib
from typing import Any

import pytest

import msdk_vcx as msdk
from agency import Agency
from msdk_vcx import sync

KEY = "G8r6kyQd2ToxoqMAa46UpgRSP7YhPsRTA5HE5Wxf71ca"


async def provisioned(name: str, agency: Agency, folder: pathlib.Path) -> dict[str, Any]:
    return await msdk.provision(agency.provisioning(
        wallet_name=name, wallet_key=KEY, wallet_key_derivation="RAW", institution_name=name,
        storage_config={"path": str(folder / name)},
    ))


async def opened(name: str, agency: Agency, folder: pathlib.Path) -> msdk.Agent:
    return await msdk.Agent.open(await provisioned(name, agency, folder))


async def meet(invitee: Any, inviter: Any) -> tuple[msdk.Connection, msdk.Connection]:
    invited = await inviter.Connection.create("invitee")
    accepted = await invitee.Connection.accept(await invited.connect(), "inviter")
    await asyncio.gather(accepted.completed(timeout=120), invited.completed(timeout=120))
    return accepted, invited


def test_two_agents_of_a_program_talk(agency: Agency, tmp_path: pathlib.Path) -> None:
    async def run() -> None:
        async with await opened("alice", agency, tmp_path) as alice, await opened("faber", agency, tmp_path) as faber:
            to_faber, to_alice = await meet(alice, faber)
            await asyncio.gather(to_faber.send_message("to Faber"), to_alice.send_message("to Alice"))
            heard = await asyncio.gather(to_faber.next("message", timeout=120), to_alice.next("message", timeout=120))
            assert [each.content["content"] for each in heard] == ["to Alice", "to Faber"]
            # Each listens to its own mailboxes, also where no connection is named.
            for agent, text in ((alice, "to Alice"), (faber, "to Faber")):
                async for message in agent.messages.listen("message", timeout=120):
                    assert message.content["content"] == text
                    await agent.messages.mark_read(message)
                    break
            await alice.wallet.add_record("note", "1", "of Alice")
            assert (await alice.wallet.get_record("note", "1")).value == "of Alice"
            with pytest.raises(msdk.WalletError):
                await faber.wallet.get_record("note", "1")
            with pytest.raises(msdk.WalletError):  # no agent of `init`
                await msdk.wallet.get_record("note", "1")
            with pytest.raises(msdk.HandleError, match="another agent"):
                credential = await alice.Credential.proposing({"name": "Alice"})
                await credential.propose(to_alice)

    asyncio.run(run())


def test_the_loop_over_messages_ends_with_its_agent(agency: Agency, tmp_path: pathlib.Path) -> None:
    async def listen(messages: Any, heard: asyncio.Event) -> None:
        async for message in messages.listen("message"):
            assert message.content["content"] == "hello"
            heard.set()

    async def run() -> None:
        async with await opened("other", agency, tmp_path) as other:
            alice = await opened("alice", agency, tmp_path)
            await msdk.init(await provisioned("standard", agency, tmp_path))
            for owner, end in ((alice, alice.close), (msdk, msdk.shutdown)):
                to_owner, _ = await meet(other, owner)
                await to_owner.send_message("hello")
                heard = asyncio.Event()
                task = asyncio.ensure_future(listen(owner.messages, heard))
                await asyncio.wait_for(heard.wait(), 120)
                assert not task.done()
                ended = end()
                if ended is not None:
                    await ended
                await asyncio.wait_for(task, 120)

    asyncio.run(run())


def test_agents_come_and_go_while_others_work(agency: Agency, tmp_path: pathlib.Path) -> None:
    async def talk(number: int) -> None:
        async with await opened(f"one{number}", agency, tmp_path) as one:
            async with await opened(f"two{number}", agency, tmp_path) as two:
                to_two, to_one = await meet(one, two)
                await to_one.send_message(f"message {number}")
                message = await to_two.next("message", timeout=120)
                assert message.content["content"] == f"message {number}"
            with pytest.raises(msdk.HandleError):
                await to_one.state()
            assert await to_two.state() is msdk.State.COMPLETED
        with pytest.raises(msdk.HandleError):
            await one.health_check()

    async def run() -> None:
        async with msdk.session(await provisioned("standard", agency, tmp_path)):
            await asyncio.gather(*map(talk, range(5)))
            await msdk.health_check()

    asyncio.run(run())


def test_a_shutdown_leaves_the_agents(agency: Agency, tmp_path: pathlib.Path) -> None:
    async def run() -> None:
        async with await opened("alice", agency, tmp_path) as alice:
            await msdk.init(await provisioned("standard", agency, tmp_path))
            msdk.shutdown(delete=True)
            await alice.health_check()

    asyncio.run(run())


def test_scripts_without_asyncio_have_agents(agency: Agency, tmp_path: pathlib.Path) -> None:
    config = asyncio.run(provisioned("alice", agency, tmp_path))
    with sync.Agent.open(config) as alice:
        alice.health_check()
        alice.wallet.add_record("note", "1", "of Alice")
        assert alice.wallet.get_record("note", "1").value == "of Alice"
        with pytest.raises(msdk.StateError):
            sync.Agent.open(config)


CHEQD = "did:cheqd:testnet:zF7rhDBfUt9d1gJPjx7s1JXfUY7oVWkY"
SCHEMA = {"name": "degree", "version": "1.0", "attrNames": ["name"], "issuerId": CHEQD}


def test_each_agent_asks_its_own_resolver(agency: Agency, tmp_path: pathlib.Path) -> None:
    """The library does not know the method of these ids."""
    asked: list[tuple[str, str, str]] = []

    def answering(name: str, answer: dict[str, Any] | None) -> msdk.resolver.Resolver:
        def resolve(question: msdk.Question) -> dict[str, Any] | None:
            asked.append((name, question.type, question.id))
            return answer

        return resolve

    async def run() -> None:
        async with await opened("alice", agency, tmp_path) as alice, await opened("faber", agency, tmp_path) as faber:
            alice.set_resolver(answering("alice", SCHEMA))
            faber.set_resolver(answering("faber", None))
            with pytest.raises(msdk.VcxError) as again:
                alice.set_resolver(answering("again", None))
            assert again.value.code == 1044
            with await alice.Schema.fetch(f"{CHEQD}/resources/1") as schema:
                assert await schema.attributes() == ["name"]
            with pytest.raises(msdk.VcxError):
                await faber.Schema.fetch(f"{CHEQD}/resources/1")
            expected = [(name, "schema", f"{CHEQD}/resources/1") for name in ("alice", "faber")]
            assert asked == expected
            faber.remove_resolver()
            faber.set_resolver(answering("faber", {**SCHEMA, "issuerId": "did:cheqd:testnet:another"}))
            with pytest.raises(msdk.VcxError):  # an object of another issuer than the id names
                await faber.Schema.fetch(f"{CHEQD}/resources/2")

    asyncio.run(run())
