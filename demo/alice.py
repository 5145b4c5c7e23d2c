"""Alice: accepts an invitation, keeps the connection, and takes it up again in a later process.

    alice.py accept FOLDER URL     provision, connect, exchange messages, store the connection in the wallet
    alice.py restore FOLDER        another process: the connection comes back from the wallet
    alice.py hold FOLDER           another: takes the credential that is offered over the connection
    alice.py prove FOLDER          another: answers a request for a proof from the credential in the wallet

FOLDER/provisioning.json says where the Cloud Agent is and how to name and lock the wallet, FOLDER/token.json is a
sponsor's token where the agency wants one. FOLDER/config.json is what provisioning made of them, and all that a later
process needs. FOLDER/notification.json is the push notification that woke it, if one did.
"""

from __future__ import annotations

import asyncio
import json
import os
import pathlib
import sys
import time
from collections.abc import Callable, Coroutine
from typing import Any

import msdk_vcx as msdk

PATIENCE = 60.0
"""Seconds to wait for anything the other agent should send."""

INTERVAL = 0.3
"""Seconds between two looks into the mailbox."""


def say(line: str) -> None:
    print(line, flush=True)


async def accept(folder: pathlib.Path, url: str) -> None:
    token = read(folder / "token.json") if (folder / "token.json").exists() else None
    config = await msdk.provision(read(folder / "provisioning.json"), token)
    (folder / "config.json").write_text(json.dumps(config))
    say(f"has a wallet, and a mailbox at {endpoint(config)}")

    async with msdk.session(config):
        if token is not None:
            await msdk.agent_update_info("phone", "the phone of Alice", msdk.ComMethod.SPONSOR)
            say("wants to be woken by her sponsor when a message comes")
        invitation = await msdk.resolve_message_by_url(url)
        say(f"reads the invitation: it is from {invitation['label']}")

        with await msdk.Connection.accept(invitation, "faber") as connection:
            await connection.connect()
            say("accepts: the request is on its way")
            await complete(connection)
            await ping(connection)
            await listen(connection)
            await msdk.wallet.add_record("connection", "faber", await connection.serialize())
    say("stores the connection in the wallet, and ends")


async def restore(folder: pathlib.Path) -> None:
    async with msdk.session(folder / "config.json"):
        if (folder / "notification.json").exists():
            await follow((folder / "notification.json").read_text())
        with await stored_connection() as connection:
            say(f"is back in a new process; the connection from the wallet is in state {await connection.state():d}")
            await listen(connection)


async def hold(folder: pathlib.Path) -> None:
    async with msdk.session(folder / "config.json"):
        with await stored_connection() as connection:
            message = await next_message(connection, "credential-offer")
            offer = await msdk.Credential.parse_offer(message)
            say(f"is offered “{offer.name}”: {', '.join(f'{name} {value}' for name, value in offer.attributes.items())}")
            with await msdk.Credential.from_offer(message, "degree") as credential:
                await credential.accept(connection)
                await msdk.messages.update_status([message])
                say("accepts: the request for the credential is on its way")
                await arrive(credential)
    say("has the credential in the wallet, and ends")


async def arrive(credential: msdk.Credential) -> None:
    """Looks into the mailbox until the credential is stored."""
    end = time.monotonic() + PATIENCE
    while (state := await credential.update_state()) is not msdk.CredentialState.STORED:
        if state is not msdk.CredentialState.REQUESTED or time.monotonic() > end:
            raise SystemExit(f"the credential did not come: {state}")
        await asyncio.sleep(INTERVAL)


async def prove(folder: pathlib.Path) -> None:
    async with msdk.session(folder / "config.json"):
        with await stored_connection() as connection:
            message = await next_message(connection, "presentation-request")
            with await msdk.Proof.from_request(message, "check") as proof:
                found = await proof.credentials()
                for item in found:
                    say(f"is asked {question(item)}; credentials in the wallet that fit: {len(item.candidates)}")
                await msdk.messages.update_status([message])
                try:
                    await proof.generate(choice(found))
                    await proof.send(connection)
                    say("proves it, and ends")
                except msdk.VcxError as error:
                    say(f"cannot prove it, and ends: {error.cause}")


def choice(found: msdk.Found) -> msdk.Selection:
    """The first credential that fits each item, or one that was revoked, if there is no other."""
    try:
        return found.first()
    except LookupError:
        say("has only a credential that was revoked, and tries it all the same")
        return msdk.Selection({item.referent: msdk.Choice(item.candidates[0]) for item in found if item.candidates})


def question(item: msdk.Item) -> str:
    names = " and ".join(item.names)
    if item.predicate is None:
        return f"for the {names}"
    return f"whether the {names} is {item.predicate.comparison} {item.predicate.bound}, without the value"


async def stored_connection() -> msdk.Connection:
    record = await msdk.wallet.get_record("connection", "faber")
    return await msdk.Connection.deserialize(record.value)


async def follow(notification: str) -> None:
    """Fetches the message that a push notification announces, and no other. It stays unread."""
    announced = await msdk.parse_push(notification)
    kinds = [f"a “{message.kind}”" for message in await announced.download()]
    say(f"was woken: the notification leads to {' and '.join(kinds) or 'nothing that is left'}")


def endpoint(config: dict[str, Any]) -> str:
    """The address of the agency, or of the mediator."""
    return str(config["agency_endpoint"] if "agency_endpoint" in config else config["mediator_grant"]["endpoint"])


def read(file: pathlib.Path) -> dict[str, object]:
    content: dict[str, object] = json.loads(file.read_text())
    return content


async def complete(connection: msdk.Connection) -> None:
    """Looks into the mailbox until the inviter's response has completed the connection."""
    end = time.monotonic() + PATIENCE
    while (state := await connection.update_state()) is not msdk.State.COMPLETED:
        if state is msdk.State.FAILED or time.monotonic() > end:
            raise SystemExit(f"the connection did not come about: state {state:d}")
        say(f"waits: state {state:d}, no response yet")
        await asyncio.sleep(INTERVAL)
    say(f"is connected: state {state:d}")


async def ping(connection: msdk.Connection) -> None:
    """Sends a trust ping and waits for the answer."""
    await connection.send_ping("are you there?")
    say("pings")
    answer = await next_message(connection, "ping-response")
    await msdk.messages.update_status([answer])
    say("has the answer to the ping")


async def listen(connection: msdk.Connection) -> None:
    """Answers pings, until a message for the reader comes: shows it, and marks it read."""
    while True:
        message = await next_message(connection, "message", "ping")
        if message.kind == "ping":
            await connection.update_state()
            say("was pinged, and answers")
        else:
            say(f"reads: “{message.content['content']}”")
            await msdk.messages.update_status([message])
            return


async def next_message(connection: msdk.Connection, *kinds: str) -> msdk.Message:
    """The next unread message of one of these kinds over this connection."""
    ours = [await connection.pw_did()]
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        for message in await msdk.messages.download(msdk.MessageStatus.RECEIVED, pairwise_dids=ours):
            if message.kind in kinds:
                return message
        await asyncio.sleep(INTERVAL)
    raise SystemExit(f"no {' or '.join(kinds)} came in {PATIENCE:.0f} s")


async def main() -> None:
    command, folder, *rest = sys.argv[1:]
    os.umask(0o077)  # the configuration holds the wallet's key
    commands: dict[str, Callable[..., Coroutine[Any, Any, None]]]
    commands = {"accept": accept, "restore": restore, "hold": hold, "prove": prove}
    await commands[command](pathlib.Path(folder), *rest)


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except msdk.VcxError as error:
        raise SystemExit(f"alice: {error}") from None
