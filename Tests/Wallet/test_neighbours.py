"""Two processes with one wallet."""

from __future__ import annotations

import asyncio
import pathlib
import sys

from msdk import wallet
from wallets import config, make, opened

PROGRAM = pathlib.Path(__file__).with_name("neighbour.py")
ROUNDS = 300


def test_what_one_confirms_the_other_sees(home: pathlib.Path) -> None:
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
