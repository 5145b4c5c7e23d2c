"""Alice of the demo: the invitee, with asyncio. She reads the invitation's URL from her input."""

from __future__ import annotations

import asyncio
import json
import pathlib
import sys

import msdk_vcx as msdk

from ._demo import PATIENCE, say


async def meet(connection: msdk.Connection) -> None:
    await connection.completed(timeout=PATIENCE)
    say("is connected with Faber")
    await connection.send_message("Good morning, Faber")
    message = await next_message(connection, "message")
    say(f"reads: “{message.content['content']}”")
    await msdk.messages.mark_read(message)


async def hold(connection: msdk.Connection) -> None:
    message = await next_message(connection, "credential-offer")
    offer = await msdk.Credential.parse_offer(message.content)
    say(f"is offered “{offer.name}”: {', '.join(f'{name} {value}' for name, value in offer.attributes.items())}")
    with await msdk.Credential.from_offer(message.content) as credential:
        await credential.accept(connection)
        await msdk.messages.mark_read(message)
        await credential.stored(timeout=PATIENCE)
    say("has the credential in her wallet")


async def prove(connection: msdk.Connection) -> None:
    message = await next_message(connection, "presentation-request")
    with await msdk.Proof.from_request(message.content) as proof:
        found = await proof.credentials()
        await proof.generate(found.first())
        await proof.send(connection)
        await msdk.messages.mark_read(message)
        say("proves her name, and that she is of age without showing the age")
        await proof.accepted(timeout=PATIENCE)


async def next_message(connection: msdk.Connection, kind: str) -> msdk.Message:
    async for message in connection.messages(kind, timeout=PATIENCE):
        return message
    raise SystemExit(f"no {kind} came in {PATIENCE:.0f} s")


async def main(folder: pathlib.Path, has_engine: bool) -> None:
    config = await msdk.provision(json.loads((folder / "provisioning.json").read_text()))
    async with msdk.session(config):
        say("has a wallet, and a mailbox at the agency")
        url = await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)
        with await msdk.Connection.accept(url) as connection:
            await meet(connection)
            if has_engine:
                await hold(connection)
                await prove(connection)


if __name__ == "__main__":
    asyncio.run(main(pathlib.Path(sys.argv[1]), "credentials" in sys.argv[2:]))
