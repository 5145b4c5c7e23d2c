"""A process that is killed: `killed.py HOME import|delete|rekey`, run by test_kills.py on the wallet `shared`."""

from __future__ import annotations

import asyncio
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bindings" / "python"))

import msdk_vcx as msdk
from msdk_vcx import wallet
from wallets import SAMPLE_KEY, config, make, opened


async def main(home: pathlib.Path, deed: str) -> None:
    settings = config(home, "shared")
    if deed == "import":
        await make(settings)
    elif deed == "delete":
        await msdk.init(settings)
        msdk.shutdown(delete=True)
    else:
        async with opened(settings):
            await wallet.rekey(SAMPLE_KEY, "RAW")


asyncio.run(main(pathlib.Path(sys.argv[1]), sys.argv[2]))
