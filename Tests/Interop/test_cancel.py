"""Cancelled calls leave nothing behind: the wallet is closed, the next session begins, and a wait can go on."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys

from agency import Agency

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = """
import asyncio, json, sys
import msdk_vcx as msdk

async def give_up(config, seconds):
    async def run():
        async with msdk.session(config):
            with await msdk.Connection.create("guest") as connection:
                await connection.completed()
    try:
        await asyncio.wait_for(run(), seconds)
    except asyncio.TimeoutError:
        pass

async def wait_twice(config):
    async with msdk.session(config):
        with await msdk.Connection.create("guest") as connection:
            for _ in range(2):
                try:
                    await connection.completed(timeout=0.2, interval=0.05)
                except asyncio.TimeoutError:
                    print(f"waited {await connection.state()}")

async def main(request):
    config = await msdk.provision(request)
    for step in range(6):
        await give_up(config, step * 0.03)
        try:
            await msdk.wallet.get_record("none", "none")
        except msdk.WalletError as error:
            print("closed" if error.code == 1057 else error)
    await wait_twice(config)

asyncio.run(main(json.loads(sys.argv[1])))
"""


def test_a_cancelled_session_closes_the_wallet_and_a_cancelled_wait_goes_on(agency: Agency, tmp_path: pathlib.Path) -> None:
    storage = {"storage_config": {"path": str(tmp_path / "wallets")}, "wallet_key_derivation": "ARGON2I_INT"}
    wallet = {"wallet_name": "alice", "wallet_key": "a key", **storage}
    request = json.dumps(agency.provisioning(**wallet, institution_name="Alice"))
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "bindings" / "python")}
    command = [sys.executable, "-W", "error", "-c", PROGRAM, request]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.splitlines() == ["closed"] * 6 + ["waited INVITED"] * 2
