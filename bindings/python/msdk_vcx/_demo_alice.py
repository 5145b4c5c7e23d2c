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
    message = await connection.next("message", timeout=PATIENCE)
    say(f"reads: “{message.content['content']}”")
    await msdk.messages.mark_read(message)


async def hold(connection: msdk.Connection) -> None:
    message = await connection.next("credential-offer", timeout=PATIENCE)
    offer = await msdk.Credential.parse_offer(message)
    say(f"is offered “{offer.name}”: {', '.join(f'{name} {value}' for name, value in offer.attributes.items())}")
    with await msdk.Credential.from_offer(message) as credential:
        await credential.accept(connection)
        await msdk.messages.mark_read(message)
        await credential.stored(timeout=PATIENCE)
    say("has the credential in her wallet")


async def prove(connection: msdk.Connection) -> None:
    message = await connection.next("presentation-request", timeout=PATIENCE)
    with await msdk.Proof.from_request(message) as proof:
        found = await proof.credentials()
        await proof.generate(found.first())
        await proof.send(connection)
        await msdk.messages.mark_read(message)
        say("proves her name, and that she is of age without showing the age")
        await proof.accepted(timeout=PATIENCE)


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
