"""Alice of the demo: the invitee, with asyncio. Reads the invitation's URL from its input."""

from __future__ import annotations

import asyncio
import json
import pathlib
import sys

import msdk_vcx as msdk

from ._demo import PATIENCE


async def main(folder: pathlib.Path) -> None:
    config = await msdk.provision(json.loads((folder / "provisioning.json").read_text()))
    async with msdk.session(config):
        print("has a wallet, and a mailbox at the agency", flush=True)
        url = await asyncio.to_thread(sys.stdin.readline)
        with await msdk.Connection.accept(url) as connection:
            await connection.completed(timeout=PATIENCE)
            print("is connected with Faber", flush=True)
            await connection.send_message("Good morning, Faber")
            async for message in connection.messages("message", timeout=PATIENCE):
                print(f"reads: “{message.content['content']}”", flush=True)
                await msdk.messages.mark_read(message)
                break


if __name__ == "__main__":
    asyncio.run(main(pathlib.Path(sys.argv[1])))
