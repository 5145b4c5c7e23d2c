"""One side of the exchanges that exchanges.py measures: a program with msdk, which takes commands from its input.

The wallet keeps its objects. The library applies the messages of all exchanges and tells of them, and the program does the next
steps of several exchanges at the same time.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import msdk_vcx as msdk

POLL_INTERVAL = 0.5

Apply = Callable[[msdk.Message], Awaitable[bool]]


class Party:
    """The commands. There is one connection."""

    connection: msdk.Connection
    peer_keys: list[str]
    """The keys of the peer. Anybody who knows our key can write to it."""
    definition: msdk.CredentialDefinition
    schemas = 0
    """The number of schemas that were made beside exchanges."""

    async def begin(self, config: dict[str, Any], more: dict[str, Any]) -> None:
        await msdk.init({**await msdk.provision(config), **more, "keep_objects": True, "apply_messages": True})

    async def invite(self) -> Any:
        self.connection = await msdk.Connection.create("peer", goal_code="x", goal="x")
        return await self.connection.connect()

    async def accept(self, invitation: Any) -> None:
        self.connection = await msdk.Connection.accept(invitation, "peer")
        await self.connection.connect()

    async def complete(self) -> None:
        await self.connection.completed(timeout=60)
        self.peer_keys = (await self.connection.info())["their"]["recipientKeys"]

    async def define(self, names: list[str]) -> str:
        with await msdk.Schema.create("degree", "1.0", names) as schema:
            self.definition = await msdk.CredentialDefinition.create(await schema.id(), "bench")
        return await self.definition.id()

    # The issuer and verifier

    async def issue(self, count: int, values: dict[str, str]) -> None:
        """Issues so many credentials, all at the same time, until the holder has acknowledged them."""
        messages = msdk.messages.listen()
        made = await self._offered(count, values)

        async def apply(message: msdk.Message) -> bool:
            if (applied := message.applied) is None or applied.type != "issuer_credential":
                return False
            if applied.state == msdk.IssuerState.REQUESTED:
                await (await msdk.IssuerCredential.open(applied.id)).issue()
            return applied.state == msdk.IssuerState.ISSUED

        await self._work(len(made), messages, apply)

    async def _offered(self, count: int, values: dict[str, str]) -> list[msdk.IssuerCredential]:
        made = [await msdk.IssuerCredential.create(self.definition, values, "degree") for _ in range(count)]
        await asyncio.gather(*(each.offer(self.connection) for each in made))
        return made

    async def issue_by_polls(self, count: int, values: dict[str, str]) -> None:
        """The same by a poll of each credential, every half second."""

        async def issue(credential: msdk.IssuerCredential) -> None:
            while await credential.update_state() is not msdk.IssuerState.REQUESTED:
                await asyncio.sleep(POLL_INTERVAL)
            await credential.issue()

        await asyncio.gather(*(issue(each) for each in await self._offered(count, values)))

    async def issue_beside_keys(self, count: int, values: dict[str, str]) -> float:
        """The same as `issue`, while a definition is made. Returns the seconds that its keys take."""
        return await self._beside_keys(self.issue(count, values))

    async def issue_by_polls_beside_keys(self, count: int, values: dict[str, str]) -> float:
        return await self._beside_keys(self.issue_by_polls(count, values))

    async def _beside_keys(self, work: Awaitable[None]) -> float:
        begin = time.monotonic()
        self.schemas += 1

        async def define() -> float:
            with await msdk.Schema.create("aside", f"{self.schemas}.0", ["x"]) as schema:
                with await msdk.CredentialDefinition.create(await schema.id(), "aside"):
                    return time.monotonic() - begin

        seconds, _ = await asyncio.gather(define(), work)
        return seconds

    async def verify(self, count: int, definition: str) -> None:
        """Asks for so many proofs at the same time, and judges them."""
        ours = [{"cred_def_id": definition}]
        asked = ([msdk.Wanted("name", ours)], [msdk.WantedPredicate("age", ">=", 18, ours)])
        messages = msdk.messages.listen()
        made = [await msdk.ProofRequest.create("age", *asked) for _ in range(count)]
        await asyncio.gather(*(each.send(self.connection) for each in made))

        async def apply(message: msdk.Message) -> bool:
            if (applied := message.applied) is None or applied.type != "proof":
                return False
            if applied.state != msdk.RequestState.VERIFIED:
                raise SystemExit(f"a proof is in state {applied.state}")
            return True

        await self._work(len(made), messages, apply)

    # The holder and prover

    async def hold(self, count: int) -> None:
        """Takes so many credentials."""

        async def apply(message: msdk.Message) -> bool:
            if (applied := message.applied) is not None:
                return applied.type == "credential" and applied.state == msdk.CredentialState.STORED
            if message.kind == "credential-offer" and message.sender_verkey in self.peer_keys:
                await (await msdk.Credential.from_offer(message)).accept(self.connection)
            return False

        await self._work(count, msdk.messages.listen(), apply)

    async def prove(self, count: int) -> None:
        """Answers so many requests, each with the first credential that fits, until they are accepted."""

        async def apply(message: msdk.Message) -> bool:
            if (applied := message.applied) is not None:
                return applied.type == "disclosed_proof" and applied.state == msdk.ProofState.ACCEPTED
            if message.kind == "presentation-request" and message.sender_verkey in self.peer_keys:
                asked = await msdk.Proof.from_request(message)
                await asked.generate((await asked.credentials()).first())
                await asked.send(self.connection)
            return False

        await self._work(count, msdk.messages.listen(), apply)

    async def _work(self, count: int, messages: AsyncIterator[msdk.Message], apply: Apply) -> None:
        """Gives messages to `apply`, many at the same time, until it has returned true for so many."""
        ended: asyncio.Queue[bool] = asyncio.Queue()

        async def work(message: msdk.Message) -> None:
            is_end = await apply(message)
            await msdk.messages.mark_read(message)
            ended.put_nowait(is_end)

        async def listen() -> None:
            async with asyncio.TaskGroup() as group:
                async for message in messages:
                    group.create_task(work(message))

        listening = asyncio.ensure_future(listen())
        while count > 0:
            next = asyncio.ensure_future(ended.get())
            await asyncio.wait({next, listening}, return_when=asyncio.FIRST_COMPLETED)
            if listening.done():
                listening.result()
            count -= await next
        listening.cancel()
        await asyncio.wait({listening})


async def main() -> None:
    party, loop = Party(), asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        command, *arguments = json.loads(line)
        print(json.dumps(await getattr(party, command)(*arguments)), flush=True)
    msdk.shutdown()


if __name__ == "__main__":
    asyncio.run(main())
