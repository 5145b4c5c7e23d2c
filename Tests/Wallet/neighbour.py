"""Another process with the same wallet: `neighbour.py HOME`, run by test_neighbours.py.

Says that it is there, then writes each line that it is told into the record `note`, `shared`, and repeats the line when
that is confirmed. Makes the record if there is none. Of a write that is refused it says the code.
"""

from __future__ import annotations

import asyncio
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bindings" / "python"))

import msdk_vcx as msdk
from msdk_vcx import wallet
from wallets import config, opened

NO_RECORD = 1073


async def write(line: str) -> None:
    try:
        await wallet.update_record_value("note", "shared", line)
    except msdk.VcxError as error:
        if error.code != NO_RECORD:
            raise
        await wallet.add_record("note", "shared", line)


async def main(home: pathlib.Path) -> None:
    async with opened(config(home, "shared")):
        print("here", flush=True)
        for line in map(str.strip, sys.stdin):
            try:
                await write(line)
                print(line, flush=True)
            except msdk.VcxError as error:
                print("refused", error.code, flush=True)


asyncio.run(main(pathlib.Path(sys.argv[1])))
