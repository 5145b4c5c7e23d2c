"""Faber as an msdk program: invites Alice, meets her, and writes to her again in a later process.

    faber.py meet FOLDER           provision, invite, connect, exchange messages, store the connection in the wallet
    faber.py write FOLDER TEXT     another process: the connection comes back from the wallet, and takes a message

FOLDER/provisioning.json is as for alice.py. The invitation goes to FOLDER/invitation, as a link.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import pathlib
import sys
import time

import msdk_vcx as msdk
from alice import INTERVAL, PATIENCE, next_message, say


async def meet(folder: pathlib.Path) -> None:
    config = await msdk.provision(json.loads((folder / "provisioning.json").read_text()))
    (folder / "config.json").write_text(json.dumps(config))
    async with msdk.session(config):
        say("is an msdk program too, with a mailbox at the same agency")

        with await msdk.Connection.create_outofband("alice", goal="To meet Alice") as connection:
            invitation = await connection.connect()
            publish(folder / "invitation", f"{config['agency_endpoint']}?oob={encoded(invitation)}")
            await complete(connection)
            say("is connected with Alice")
            await next_message(connection, "ping")
            await connection.update_state()
            say("was pinged, and answers")
            await connection.send_ping("and you?")
            await msdk.messages.update_status([await next_message(connection, "ping_response")])
            say("pinged Alice, and has her answer")
            await connection.send_message("Welcome, Alice.")
            say("writes a message")
            await msdk.wallet.add_record("connection", "alice", await connection.serialize())


async def write(folder: pathlib.Path, text: str) -> None:
    async with msdk.session(folder / "config.json"):
        record = await msdk.wallet.get_record("connection", "alice")
        with await msdk.Connection.deserialize(record.value) as connection:
            await connection.send_message(text)


async def complete(connection: msdk.Connection) -> None:
    """Looks into the mailbox until the invitee has asked for the connection, and has the response."""
    end = time.monotonic() + PATIENCE
    while (state := await connection.update_state()) is not msdk.State.COMPLETED:
        if state is msdk.State.FAILED or time.monotonic() > end:
            raise SystemExit(f"the connection did not come about: state {state:d}")
        await asyncio.sleep(INTERVAL)


def encoded(message: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(message).encode()).decode()


def publish(file: pathlib.Path, text: str) -> None:
    """Writes a file that is there whole or not at all, since somebody waits for it."""
    unfinished = file.with_suffix(".unfinished")
    unfinished.write_text(text)
    unfinished.rename(file)


async def main() -> None:
    command, folder, *rest = sys.argv[1:]
    os.umask(0o077)  # the configuration holds the wallet's key
    await (meet if command == "meet" else write)(pathlib.Path(folder), *rest)


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except msdk.VcxError as error:
        raise SystemExit(f"faber: {error}") from None
