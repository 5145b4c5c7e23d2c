"""A program whose files may not grow: `limited.py HOME BYTES`, run by test_limits.py.

Adds records to the wallet `limited` until one is refused, then lifts the limit and adds one more. Prints the ids of the
confirmed records, and the code of the refusal, as JSON.
"""

from __future__ import annotations

import asyncio
import json
import pathlib
import resource
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bindings" / "python"))

import msdk_vcx as msdk
from msdk_vcx import wallet
from wallets import config, make, opened


def limit(size: int) -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))


async def add(ids: list[str]) -> tuple[list[str], int]:
    """Adds records side by side. Returns the added ones, and the code of the first refusal."""
    outcomes = await asyncio.gather(*(wallet.add_record("note", id, "v" * 500) for id in ids), return_exceptions=True)
    refusals = [outcome.code for outcome in outcomes if isinstance(outcome, msdk.VcxError)]
    return [id for id, outcome in zip(ids, outcomes) if outcome is None], next(iter(refusals), 0)


async def main(home: pathlib.Path, size: int) -> None:
    settings = config(home, "limited")
    await make(settings)
    confirmed: list[str] = []
    code = 0
    async with opened(settings):
        limit(size)
        while not code:
            added, code = await add([f"{len(confirmed) + index}" for index in range(8)])
            confirmed += added
        limit(resource.RLIM_INFINITY)
        added, _ = await add(["after"])
    print(json.dumps({"confirmed": confirmed + added, "code": code}))


asyncio.run(main(pathlib.Path(sys.argv[1]), int(sys.argv[2])))
