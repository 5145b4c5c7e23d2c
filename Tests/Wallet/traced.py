"""A life of a wallet, for test_power.py: `traced.py HOME RECORDS`.

Makes the wallet `wallet` of the sample export, writes to it, gives it a new key, deletes it, and makes another one. Says
each step in the file `said`, before and after; `disk.c` notes when.
"""

from __future__ import annotations

import asyncio
import os
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bindings" / "python"))

import msdk_vcx as msdk
from msdk_vcx import wallet
from wallets import RAW_KEY, SAMPLE_KEY, THIRD_KEY, config, make, opened

WRITERS = 3
KEPT = 5


async def main(home: pathlib.Path, count: int) -> None:
    file = os.open(home / "said", os.O_WRONLY | os.O_CREAT)
    chance = random.Random(1)

    def say(*words: object) -> None:
        os.write(file, (" ".join(map(str, words)) + "\n").encode())

    async def put(id: str, version: int) -> None:
        value = f"{version} " + "v" * chance.choice([10, 100, 5000, 30_000])
        say("putting", id, version)
        if version:
            await wallet.update_record_value("letter", id, value)
        else:
            await wallet.add_record("letter", id, value, {"id": id, "~id": id})
        say("put", id, version)

    async def delete(id: str) -> None:
        say("deleting", id)
        await wallet.delete_record("letter", id)
        say("deleted", id)

    async def write(name: str, count: int) -> None:
        for number in range(count):
            await put(f"{name}-{number}", 0)
            if number % 3 == 1:
                await put(f"{name}-{number - 1}", 1)
            if number >= KEPT and number % 2:
                await delete(f"{name}-{number - KEPT}")

    async def live(settings: dict[str, object], name: str) -> None:
        await asyncio.gather(*(write(f"{name}{writer}", count // WRITERS) for writer in range(WRITERS)))

    first, second, third = (config(home, "wallet", key) for key in (RAW_KEY, SAMPLE_KEY, THIRD_KEY))
    say("making 1")
    await make(first)
    say("made 1")
    async with opened(first):
        await live(first, "a")
        say("rekeying")
        await wallet.rekey(SAMPLE_KEY, "RAW")
        say("rekeyed")
        await live(first, "b")
    await msdk.init(second)
    await put("last", 0)
    say("removing")
    msdk.shutdown(delete=True)
    say("removed")
    say("making 2")
    await make(third)
    say("made 2")
    async with opened(third):
        await live(third, "c")


asyncio.run(main(pathlib.Path(sys.argv[1]), int(sys.argv[2])))
