"""A program that a new user wrote with the guide and the reference alone: a library issues a reader's card, asks for it at its
reading room, and revokes it. `test_newcomer.py` runs it, and `mypy --strict` accepts it."""

from __future__ import annotations

import asyncio
import json
import pathlib
import secrets
import sys
import time
import urllib.request

import msdk_vcx as msdk


def agency_at(endpoint: str) -> dict[str, str]:
    with urllib.request.urlopen(f"{endpoint}/agency") as answer:
        told = json.load(answer)
    return {"agency_endpoint": endpoint, "agency_did": told["DID"], "agency_verkey": told["verKey"]}


async def provision(work: pathlib.Path, name: str, endpoint: str) -> pathlib.Path:
    registry = work / "registry"
    registry.mkdir(exist_ok=True)
    config = await msdk.provision({
        **agency_at(endpoint), "wallet_name": name, "wallet_key": secrets.token_urlsafe(32), "institution_name": name,
        "storage_config": {"path": str(work / "wallets")},
        "anoncreds_registries": [{"type": "file", "path": str(registry), "write": True}],
    })
    path = work / f"{name}.json"
    path.write_text(json.dumps(config))
    return path


async def define(library: msdk.Agent, work: pathlib.Path) -> msdk.CredentialDefinition:
    schema = await library.Schema.create("card", "1.0", ["reader", "born"])
    return await library.CredentialDefinition.create(
        await schema.id(), "cards", max_credentials=10, tails_folder=work / "tails")


async def issue(
    library: msdk.Agent, cards: msdk.CredentialDefinition, to_reader: msdk.Connection
) -> msdk.IssuerCredential:
    issued = await library.IssuerCredential.create(cards, {"reader": "Rita", "born": 1990}, "Card")
    await issued.offer(to_reader)
    await issued.requested(timeout=60)
    await issued.issue()
    return issued


async def hold(reader: msdk.Agent, to_library: msdk.Connection) -> None:
    message = await to_library.next("credential-offer", timeout=60)
    offer = await reader.Credential.parse_offer(message)
    print("offered", dict(offer.attributes))
    with await reader.Credential.from_offer(message) as credential:
        await credential.accept(to_library)
        await reader.messages.mark_read(message)
        info = await credential.stored(timeout=60)
        print("holds", dict(sorted(info.attributes.items())))


async def check(library: msdk.Agent, cards: str, to_reader: msdk.Connection) -> bool:
    here = [{"cred_def_id": cards}]
    with await library.ProofRequest.create(
        "Reading room", [msdk.Wanted("reader", here)], [msdk.WantedPredicate("born", "<=", 2008, here)],
        non_revoked={"to": int(time.time())},
    ) as request:
        await request.send(to_reader)
        try:
            verdict = await request.verdict(timeout=60)
        except msdk.EndedError as end:
            print("ended:", end)
            return False
        if verdict:
            print("welcome", (await request.shown()).revealed)
        return bool(verdict)


async def prove(reader: msdk.Agent, to_library: msdk.Connection) -> None:
    message = await to_library.next("presentation-request", timeout=60)
    with await reader.Proof.from_request(message) as proof:
        try:
            selection = (await proof.credentials()).first()
        except LookupError as reason:
            print("cannot:", reason)
            await proof.decline(to_library, str(reason))
        else:
            await proof.generate(selection)
            await proof.send(to_library)
            await proof.accepted(timeout=60)
    await reader.messages.mark_read(message)


async def main() -> None:
    work = pathlib.Path("work").resolve()
    work.mkdir(mode=0o700)
    paths = [await provision(work, name, sys.argv[1]) for name in ("library", "reader")]
    async with await msdk.Agent.open(paths[0]) as library, await msdk.Agent.open(paths[1]) as reader:
        to_reader = await library.Connection.create("reader")
        to_library = await reader.Connection.accept(await to_reader.connect(), "library")
        await asyncio.gather(to_reader.completed(timeout=60), to_library.completed(timeout=60))
        cards = await define(library, work)
        issued, _ = await asyncio.gather(issue(library, cards, to_reader), hold(reader, to_library))
        first, _ = await asyncio.gather(check(library, await cards.id(), to_reader), prove(reader, to_library))
        await issued.revoke()
        notice = await to_library.next("revocation", timeout=60)
        print("told:", notice.kind, notice.content.get("comment"))
        second, _ = await asyncio.gather(check(library, await cards.id(), to_reader), prove(reader, to_library))
        print("before", first, "after", second)


asyncio.run(main())
