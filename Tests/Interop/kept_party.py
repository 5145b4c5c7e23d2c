"""One side of the exchanges of test_kept.py. It never serializes an object, and may be killed at any moment.

    kept_party.py faber|alice CONFIG FOLDER COUNT

Faber issues COUNT credentials and asks for as many proofs; Alice holds and proves. Each start takes the objects from the wallet and
does the steps that their states ask for. Ends with the line "done" when all exchanges are over.
"""

from __future__ import annotations

import asyncio
import json
import pathlib
import sys

import msdk_vcx as msdk
from msdk_vcx import CredentialState, IssuerState, ProofState, RequestState, State

WANTED = [msdk.Wanted("name", [{"schema_name": "degree"}])]


async def connected(name: str, link: pathlib.Path) -> msdk.Connection:
    """The connection with the other side. Faber writes the invitation into the file, and Alice reads it there."""
    connection = await msdk.Connection.kept("peer")
    if connection is None and name == "alice":
        while not link.exists():
            await asyncio.sleep(0.05)
        connection = await msdk.Connection.accept(link.read_text(), "peer")
    connection = connection or await msdk.Connection.create("peer")
    if await connection.state() < State.REQUESTED:
        invitation = await connection.connect()
        if name == "faber" and not link.exists():
            draft = link.with_suffix(".draft")
            draft.write_text(json.dumps(invitation))
            draft.rename(link)
    await connection.completed(timeout=300)
    return connection


# Faber


async def defined(folder: pathlib.Path, count: int) -> msdk.CredentialDefinition:
    definition = await msdk.CredentialDefinition.kept("degree")
    if definition:
        return definition
    schema = await msdk.Schema.kept("degree") or await msdk.Schema.create("degree", "1.0", ["name"], "degree")
    return await msdk.CredentialDefinition.create(
        await schema.id(), "t", source_id="degree", max_credentials=2 * count + 10, tails_folder=folder / "tails")


async def issue_and_verify(number: int, connection: msdk.Connection, definition: msdk.CredentialDefinition) -> None:
    await issue(number, connection, definition)
    name = f"proof {number}"
    request = await msdk.ProofRequest.kept(name)
    request = request or await msdk.ProofRequest.create("degree", WANTED, source_id=name)
    if await request.state() is RequestState.CREATED:
        await request.send(connection)
    if await request.state() is RequestState.SENT:
        await request.verdict(timeout=300)


async def issue(number: int, connection: msdk.Connection, definition: msdk.CredentialDefinition) -> None:
    name = f"credential {number}"
    issued = await msdk.IssuerCredential.kept(name)
    issued = issued or await msdk.IssuerCredential.create(definition, {"name": f"Alice {number}"}, source_id=name)
    if await issued.state() is IssuerState.CREATED:
        await issued.offer(connection)
    if await issued.state() is IssuerState.OFFERED:
        await issued.requested(timeout=300)
    if await issued.state() is IssuerState.REQUESTED:
        await issued.issue()


# Alice


async def hold(credential: msdk.Credential, connection: msdk.Connection) -> None:
    if await credential.state() is CredentialState.OFFERED:
        await credential.accept(connection)
    if await credential.state() is CredentialState.REQUESTED:
        await credential.stored(timeout=300)


async def prove(proof: msdk.Proof, connection: msdk.Connection) -> None:
    if await proof.state() is ProofState.REQUESTED:
        while (found := await proof.credentials()).missing:  # the credential is on its way
            await asyncio.sleep(0.05)
        await proof.generate(found.first())
        await proof.send(connection)
    if await proof.state() is ProofState.SENT:
        await proof.accepted(timeout=300)


async def answer(connection: msdk.Connection, count: int) -> None:
    """Goes on with the exchanges of earlier runs, and takes up each offer and each request."""
    async with asyncio.TaskGroup() as group:
        for kept in await msdk.kept_objects("credential"):
            group.create_task(hold(await msdk.Credential.open(kept.id), connection))
        for kept in await msdk.kept_objects("disclosed_proof"):
            group.create_task(prove(await msdk.Proof.open(kept.id), connection))
        begun = len(await msdk.kept_objects("disclosed_proof"))
        while begun < count:
            message = await connection.next("credential-offer", "presentation-request", timeout=300)
            # A run may have been killed between its object and this mark.
            if not await msdk.kept_objects(thread=message.thread):
                if message.kind == "credential-offer":
                    group.create_task(hold(await msdk.Credential.from_offer(message), connection))
                else:
                    group.create_task(prove(await msdk.Proof.from_request(message), connection))
                    begun += 1
            await msdk.messages.mark_read(message)


async def run(name: str, config: pathlib.Path, folder: pathlib.Path, count: int) -> None:
    async with msdk.session(config):
        connection = await connected(name, folder / "invitation.json")
        if name == "alice":
            await answer(connection, count)
        else:
            definition = await defined(folder, count)
            await asyncio.gather(*(issue_and_verify(number, connection, definition) for number in range(count)))
        print("done", flush=True)


if __name__ == "__main__":
    asyncio.run(run(sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]), int(sys.argv[4])))
