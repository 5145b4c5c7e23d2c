"""Objects that the wallet keeps: two programs that never serialize one are killed at any moment of their exchanges.

MSDK_TEST_KEPT_KILLS     the kills of both programs together   (default: 16)
MSDK_TEST_KEPT_AT_ONCE   the exchanges beside each other       (default: 4)
MSDK_TEST_SEED           the seed of the moments               (default: 1)
"""

from __future__ import annotations

import asyncio
import json
import os
import pathlib
import random
import select
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

import msdk_vcx as msdk
from agency import ROOT, Agency
from holder import library
from msdk_vcx import CredentialState, IssuerState, ProofState, RequestState, sync
from process import spawn

KILLS = int(os.environ.get("MSDK_TEST_KEPT_KILLS") or 16)
SEED = int(os.environ.get("MSDK_TEST_SEED") or 1)
AT_ONCE = int(os.environ.get("MSDK_TEST_KEPT_AT_ONCE") or 4)
KILLS_OF_A_ROUND = 2 * AT_ONCE
KEY = "G8r6kyQd2ToxoqMAa46UpgRSP7YhPsRTA5HE5Wxf71ca"
DIDS = {"faber": "Th7MpTaRZVRYnPiabds81Y", "alice": "VsKV7grR1BUE29mG2Fm2kX"}


class Party:
    """A program of kept_party.py, which is killed and started again."""

    def __init__(self, name: str, folder: pathlib.Path, agency: Agency, count: int) -> None:
        self.name, self._folder, self._count = name, folder, count
        self.config = folder / f"{name}.json"
        provisioning = agency.provisioning(
            wallet_name=name, wallet_key=KEY, wallet_key_derivation="RAW", storage_config={"path": str(folder / name)},
            institution_did=DIDS[name], anoncreds_library_path=library("libanoncreds.so"),
            anoncreds_registries=[{"type": "file", "path": str(folder / "registry"), "write": name == "faber"}],
        )
        self.config.write_text(json.dumps(asyncio.run(msdk.provision(provisioning))))
        self._process: subprocess.Popen[bytes] | None = None
        self._is_done = False

    def start(self) -> None:
        command = [sys.executable, str(ROOT / "Tests/Interop/kept_party.py"), self.name, str(self.config)]
        self._process = spawn(
            [*command, str(self._folder), str(self._count)], log=self._folder / f"{self.name}.log", piped=True,
            env={**os.environ, "PYTHONPATH": str(ROOT / "bindings/python"), "PYTHONDONTWRITEBYTECODE": "1"},
        )
        self._is_done = False

    def kill(self) -> None:
        if self._process:
            self._process.kill()
            self._process.wait()
            assert self._process.stdout
            self._process.stdout.close()

    def is_done(self, seconds: float) -> bool:
        """Whether all exchanges are over within so many seconds. Fails if the program has ended."""
        assert self._process and self._process.stdout
        if self._is_done:
            return True
        if not select.select([self._process.stdout], [], [], seconds)[0]:
            return False
        line = self._process.stdout.readline()
        assert line == b"done\n", (self._folder / f"{self.name}.log").read_text()[-4000:]
        self._is_done = True
        return True


def play(folder: pathlib.Path, agency: Agency, moments: random.Random, kills: int) -> int:
    """Kills one of two parties or both time and again, until so many kills are done or the exchanges are over. Returns the
    number of kills."""
    parties = [Party(name, folder, agency, AT_ONCE) for name in DIDS]
    done = 0
    try:
        for party in parties:
            party.start()
        while done < kills:
            if all([party.is_done(0) for party in parties]):
                break
            time.sleep(moments.uniform(0.2, 2.5))
            for party in moments.sample(parties, moments.choice([1, 1, 2])):
                party.kill()
                party.start()
                done += 1
        ends = time.monotonic() + 300
        while late := [party.name for party in parties if not party.is_done(0.5)]:
            assert time.monotonic() < ends, f"{late} have not come to an end"
    finally:
        for party in parties:
            party.kill()
    asyncio.run(account(parties))
    return done


async def account(parties: Sequence[Party]) -> None:
    """Each exchange has gone through once, for both sides."""
    faber, alice = [await msdk.Agent.open(party.config) for party in parties]
    async with faber, alice:
        await check_credentials(faber, alice)
        await check_proofs(faber, alice)
        for agent in (faber, alice):
            connections = await agent.kept_objects("connection")
            assert [each.source_id for each in connections] == ["peer"]


async def check_credentials(faber: Any, alice: Any) -> None:
    issued = await faber.kept_objects("issuer_credential")
    assert Counter(each.source_id for each in issued) == Counter(f"credential {number}" for number in range(AT_ONCE))
    assert {each.state for each in issued} == {IssuerState.ISSUED}
    received = await alice.kept_objects("credential")
    assert {each.state for each in received} == {CredentialState.STORED}
    assert Counter(each.thread for each in received) == Counter(each.thread for each in issued)
    async with await alice.wallet.search_credentials() as found:
        held = [credential async for credential in found]
    assert Counter(each.attributes["name"] for each in held) == Counter(f"Alice {number}" for number in range(AT_ONCE))
    assert len({each.cred_rev_id for each in held}) == AT_ONCE


async def check_proofs(faber: Any, alice: Any) -> None:
    asked, given = await faber.kept_objects("proof"), await alice.kept_objects("disclosed_proof")
    assert {each.state for each in asked} == {RequestState.VERIFIED}
    assert {each.state for each in given} == {ProofState.ACCEPTED}
    assert Counter(each.thread for each in given) == Counter(each.thread for each in asked)
    # A presentation that a killed program has sent may come again, and then it is the same one.
    came = [each for each in await faber.messages.download() if str(each.content.get("@type")).endswith("/presentation")]
    for request in asked:
        assert len({each.text for each in came if each.thread == request.thread}) == 1


def test_programs_that_are_killed_go_on_without_serializing(agency: Agency, tmp_path: pathlib.Path) -> None:
    moments, done, number = random.Random(SEED), 0, 0
    while done < KILLS:
        number += 1
        folder = tmp_path / str(number)
        (folder / "registry").mkdir(parents=True)
        done += play(folder, agency, moments, min(KILLS_OF_A_ROUND, KILLS - done))
    print(f"{done} kills in {number} rounds of {AT_ONCE} issuances and verifications")


def test_an_issuer_answers_what_it_is_told(agency: Agency, tmp_path: pathlib.Path) -> None:
    """The issuer has one loop, and no table of its exchanges."""

    async def serve(faber: Any, count: int) -> None:
        done: set[str] = set()

        async def issue_if_requested(object_id: str) -> None:
            issued = await faber.IssuerCredential.open(object_id)
            if await issued.state() is IssuerState.REQUESTED:
                await issued.issue()
                done.add(object_id)

        messages = faber.messages.listen(timeout=120)
        for kept in await faber.kept_objects("issuer_credential", finished=False):
            await issue_if_requested(kept.id)
        async for message in messages:
            if message.applied and message.applied.type == "issuer_credential":
                await issue_if_requested(message.applied.id)
            if len(done) == count:
                return

    async def run() -> None:
        config = json.loads(parties[0].config.read_text())
        async with await msdk.Agent.open({**config, "apply_messages": True}) as faber:
            async with await msdk.Agent.open(parties[1].config) as alice:
                invited = await faber.Connection.create("peer")
                accepted = await alice.Connection.accept(await invited.connect(), "peer")
                await asyncio.gather(accepted.completed(timeout=120), invited.completed(timeout=120))
                schema = await faber.Schema.create("degree", "1.0", ["name"])
                definition = await faber.CredentialDefinition.create(await schema.id(), "t")
                credentials: list[msdk.Credential] = []
                for number in range(AT_ONCE):
                    issued = await faber.IssuerCredential.create(definition, {"name": f"Alice {number}"})
                    await issued.offer(invited)
                    if number == 1:  # the library may have applied the first request by now
                        serving = asyncio.ensure_future(serve(faber, AT_ONCE))
                    offer = await accepted.next("credential-offer", timeout=120)
                    await alice.messages.mark_read(offer)
                    credential = await alice.Credential.from_offer(offer)
                    await credential.accept(accepted)
                    credentials.append(credential)
                await asyncio.gather(serving, *(each.stored(timeout=120) for each in credentials))

    (tmp_path / "registry").mkdir()
    parties = [Party(name, tmp_path, agency, AT_ONCE) for name in DIDS]
    asyncio.run(run())


def test_scripts_without_asyncio_open_kept_objects(agency: Agency, tmp_path: pathlib.Path) -> None:
    config = asyncio.run(msdk.provision(agency.provisioning(
        wallet_name="alice", wallet_key=KEY, wallet_key_derivation="RAW", storage_config={"path": str(tmp_path)})))
    with sync.session(config):
        sync.Connection.create("peer")
        (kept,) = sync.kept_objects("connection")
        assert sync.Connection.open(kept.id).state() is msdk.State.INITIALIZED
        opened = sync.Connection.kept("peer")
        assert opened is not None and opened.state() is msdk.State.INITIALIZED


def test_an_object_is_opened_by_its_name_and_its_id(agency: Agency, tmp_path: pathlib.Path) -> None:
    provisioning = agency.provisioning(
        wallet_name="alice", wallet_key=KEY, wallet_key_derivation="RAW", storage_config={"path": str(tmp_path)})

    async def run() -> None:
        config = await msdk.provision(provisioning)
        assert config["keep_objects"] is True
        async with msdk.session(config):
            connection = await msdk.Connection.create("peer")
            await connection.connect()
        async with msdk.session(config):
            (kept,) = await msdk.kept_objects(source_id="peer")
            assert (kept.type, kept.state, kept.finished) == ("connection", 2, False)
            opened = await msdk.Connection.kept("peer")
            assert opened and await opened.state() is msdk.State.INVITED
            assert "peer" in repr(opened)
            with pytest.raises(TypeError, match="connection"):
                await msdk.Proof.open(kept.id)
            assert await msdk.Credential.kept("peer") is None
            await msdk.delete_object(kept.id)
            assert await msdk.kept_objects() == []
            with pytest.raises(msdk.WalletError):
                await msdk.Connection.open(kept.id)
            with pytest.raises(msdk.MalformedError):
                await msdk.kept_objects("wallet")

    asyncio.run(run())
