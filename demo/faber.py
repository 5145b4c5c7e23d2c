"""Faber as an msdk program: invites Alice, meets her, writes to her again in a later process, and issues her a credential.

    faber.py meet FOLDER           provision, invite, connect, exchange messages, store the connection in the wallet
    faber.py write FOLDER TEXT     another process: the connection comes back from the wallet, and takes a message
    faber.py issue FOLDER          another: offers a credential, and issues it
    faber.py ask FOLDER            another: asks for a proof from a credential that is valid now
    faber.py verify FOLDER         another: waits for the proof, which must be good
    faber.py revoke FOLDER         another: revokes the credential
    faber.py hear_refusal FOLDER   another: waits until Alice declines to prove

FOLDER/provisioning.json is as for alice.py. The invitation goes to FOLDER/invitation, as a link.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import os
import pathlib
import sys
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any

import msdk_vcx as msdk
from alice import INTERVAL, PATIENCE, endpoint, next_message, say
from degree import DEGREE


async def meet(folder: pathlib.Path) -> None:
    config = await msdk.provision(json.loads((folder / "provisioning.json").read_text()))
    (folder / "config.json").write_text(json.dumps(config))
    async with msdk.session(config):
        say("is an msdk program too, with a mailbox at the same Cloud Agent")
        defining = asyncio.create_task(define(folder))

        with await msdk.Connection.create("alice", goal="To meet Alice") as connection:
            invitation = await connection.connect()
            publish(folder / "invitation", f"{endpoint(config)}?oob={encoded(invitation)}")
            await complete(connection)
            say("is connected with Alice")
            await next_message(connection, "ping")
            await connection.update_state()
            say("was pinged, and answers")
            await connection.send_ping("and you?")
            await msdk.messages.update_status([await next_message(connection, "ping-response")])
            say("pinged Alice, and has her answer")
            await connection.send_message("Welcome, Alice.")
            say("writes a message")
            await msdk.wallet.add_record("connection", "alice", await connection.serialize())
        await defining


async def define(folder: pathlib.Path) -> None:
    """Takes seconds, for it makes keys: meanwhile he meets Alice."""
    with await msdk.Schema.create("degree", "1.0", list(DEGREE)) as schema:
        schema_id = await schema.id()
    tails = str(folder / "tails")
    with await msdk.CredentialDefinition.create(schema_id, "demo", max_credentials=10, tails_folder=tails) as made:
        await msdk.wallet.add_record("definition", "degree", await made.serialize())


async def write(folder: pathlib.Path, text: str) -> None:
    async with connected(folder) as connection:
        await connection.send_message(text)


async def issue(folder: pathlib.Path) -> None:
    async with connected(folder) as connection:
        with await definition() as made, await msdk.IssuerCredential.create(made, DEGREE, "degree") as credential:
            await credential.offer(connection)
            say("offers Alice a credential")
            await credential.requested(timeout=PATIENCE)
            await credential.issue()
            await msdk.wallet.add_record("credential", "alice", await credential.serialize())


async def ask(folder: pathlib.Path) -> None:
    async with connected(folder) as connection:
        with await definition() as made:
            here = [{"cred_def_id": await made.id()}]
        items = ([msdk.Wanted("name", here)], [msdk.WantedPredicate("age", ">=", 18, here)])
        with await msdk.ProofRequest.create("of age", *items, {"to": int(time.time())}) as request:
            await request.send(connection)
            say("asks Alice for her name, and for a proof that she is of age")
            (folder / "request.json").write_text(await request.serialize())


async def verify(folder: pathlib.Path) -> None:
    async with connected(folder):
        with await msdk.ProofRequest.deserialize((folder / "request.json").read_text()) as request:
            verdict = await request.verdict(timeout=PATIENCE)
            if not verdict:
                raise SystemExit(f"Alice's proof is false: {verdict.reasons}")
            names = [name for shown in (await request.shown()).revealed.values() for name in shown.values()]
            say(f"verified: the name {', '.join(names)}, and an age of 18 or more, which stays with Alice")


async def revoke(folder: pathlib.Path) -> None:
    async with connected(folder):
        record = await msdk.wallet.get_record("credential", "alice")
        with await msdk.IssuerCredential.deserialize(record.value) as credential:
            await credential.revoke()
            say("revokes the credential")


async def hear_refusal(folder: pathlib.Path) -> None:
    async with connected(folder):
        with await msdk.ProofRequest.deserialize((folder / "request.json").read_text()) as request:
            try:
                verdict = await request.verdict(timeout=PATIENCE)
            except msdk.EndedError:
                say("gets no proof from the revoked credential")
            else:
                raise SystemExit(f"Alice proved from a revoked credential: {verdict}")


@contextlib.asynccontextmanager
async def connected(folder: pathlib.Path) -> AsyncIterator[msdk.Connection]:
    """The session of a later process, with the connection from the wallet."""
    async with msdk.session(folder / "config.json"):
        record = await msdk.wallet.get_record("connection", "alice")
        with await msdk.Connection.deserialize(record.value) as connection:
            yield connection


async def definition() -> msdk.CredentialDefinition:
    return await msdk.CredentialDefinition.deserialize((await msdk.wallet.get_record("definition", "degree")).value)


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
    parts: list[Callable[..., Coroutine[Any, Any, None]]] = [meet, write, issue, ask, verify, revoke, hear_refusal]
    await {part.__name__: part for part in parts}[command](pathlib.Path(folder), *rest)


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except msdk.VcxError as error:
        raise SystemExit(f"faber: {error}") from None
