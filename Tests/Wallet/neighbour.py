"""Another process with the same wallet: `neighbour.py HOME`, run by test_neighbours.py.

Says that it is there, then writes each line that it is told into the record `note`, `shared`, and repeats the line when
that is confirmed.
"""

from __future__ import annotations

import asyncio
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bindings" / "python"))

from msdk import wallet
from wallets import config, opened


async def main(home: pathlib.Path) -> None:
    async with opened(config(home, "shared")):
        print("here", flush=True)
        for line in map(str.strip, sys.stdin):
            await wallet.update_record_value("note", "shared", line)
            print(line, flush=True)


asyncio.run(main(pathlib.Path(sys.argv[1])))
