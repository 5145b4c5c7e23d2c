"""Two processes with one wallet."""

from __future__ import annotations

import asyncio
import pathlib
import sqlite3
import subprocess
import sys
import time

import pytest

import msdk_vcx as msdk
from msdk_vcx import wallet
from wallets import config, make, opened

PROGRAM = pathlib.Path(__file__).with_name("neighbour.py")
ROUNDS = 300


def test_a_write_confirmed_to_one_program_is_seen_by_the_other(home: pathlib.Path) -> None:
    """Also while the other reads without pause, so that it never has reason to look at the file anew."""
    settings = config(home, "shared")
    seen: list[list[int]] = [[], [], []]

    async def value() -> int:
        return int((await wallet.get_record("note", "shared")).value)

    async def watch(values: list[int]) -> None:
        while not values or values[-1] < ROUNDS:
            values.append(await value())

    async def run() -> None:
        await make(settings)
        async with opened(settings):
            await wallet.add_record("note", "shared", "0")
            neighbour = await asyncio.create_subprocess_exec(
                sys.executable, str(PROGRAM), str(home), stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
            )
            assert neighbour.stdin and neighbour.stdout
            try:
                assert await neighbour.stdout.readline() == b"here\n"
                watchers = [asyncio.create_task(watch(values)) for values in seen]
                for number in range(1, ROUNDS + 1):
                    neighbour.stdin.write(b"%d\n" % number)
                    assert int(await neighbour.stdout.readline()) == number
                    assert await value() == number
                await asyncio.gather(*watchers)
                neighbour.stdin.close()
                assert await neighbour.wait() == 0
            finally:
                if neighbour.returncode is None:
                    neighbour.kill()
                    await neighbour.wait()

    asyncio.run(asyncio.wait_for(run(), 120))
    assert all(values == sorted(values) and len(values) > ROUNDS for values in seen)


PATIENCE = 5
"""Seconds that a write waits for another process."""


async def failing_write(record: str) -> float:
    """Returns the time at which the write has failed."""
    with pytest.raises(msdk.VcxError) as failure:
        await wallet.add_record("note", record, "v")
    assert failure.value.code == 1074
    return time.monotonic()


def test_while_another_holds_the_lock_all_writes_fail_together(home: pathlib.Path) -> None:
    """One after the other, they would take minutes, and the lock would be free for most of them."""
    settings = config(home, "shared")

    async def run() -> None:
        await make(settings)
        async with opened(settings):
            await wallet.add_record("note", "before", "v")
            with sqlite3.connect(home / "shared" / "sqlite.db", isolation_level=None) as other:
                other.execute("BEGIN IMMEDIATE")
                writes = [failing_write(f"{number}") for number in range(40)]
                ends = await asyncio.wait_for(asyncio.gather(*writes), PATIENCE * 8)
                # One batch would end a whole PATIENCE after the other.
                assert max(ends) - min(ends) < PATIENCE / 2
                assert await wallet.get_record("note", "before")  # reads do not wait
                last = asyncio.ensure_future(wallet.add_record("note", "last", "v"))
                await asyncio.sleep(0)
                begin = time.monotonic()
                await asyncio.to_thread(msdk.shutdown)
                assert time.monotonic() - begin < PATIENCE * 8
                with pytest.raises(msdk.VcxError):
                    await last
                other.execute("ROLLBACK")
        async with opened(settings):
            await wallet.add_record("note", "later", "v")

    asyncio.run(run())


def test_a_wallet_that_another_process_deleted_takes_no_more_writes(home: pathlib.Path) -> None:
    settings = config(home, "shared")
    delete = [sys.executable, str(PROGRAM.with_name("killed.py")), str(home), "delete"]

    async def run() -> None:
        await make(settings)
        async with opened(settings):
            await wallet.add_record("note", "mine", "v")
            subprocess.run(delete, check=True, timeout=60)
            for refused in (wallet.add_record("note", "lost", "v"), wallet.get_record("note", "mine")):
                with pytest.raises(msdk.VcxError, match="deleted") as error:
                    await refused
                assert error.value.code == 1079
            with pytest.raises(msdk.VcxError):
                await wallet.export(str(home / "file"), "key")
        with pytest.raises(msdk.VcxError):
            await msdk.init(settings)
        assert list(home.iterdir()) == []

    asyncio.run(run())
