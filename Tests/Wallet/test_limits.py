"""A disk that takes no more."""

from __future__ import annotations

import asyncio
import json
import pathlib
import subprocess
import sys

import pytest

from command import msdk
from wallets import config, found, opened

PROGRAM = pathlib.Path(__file__).with_name("limited.py")


@pytest.mark.parametrize("size", [100_000, 200_000, 300_000, 1_000_000])
def test_a_file_that_cannot_grow_is_an_error_and_loses_nothing(size: int, home: pathlib.Path) -> None:
    command = [sys.executable, str(PROGRAM), str(home), str(size)]
    told = json.loads(subprocess.run(command, check=True, capture_output=True, text=True, timeout=120).stdout)
    assert told["code"] == 1074 and told["confirmed"][-1] == "after"

    async def ids() -> set[str]:
        async with opened(config(home, "limited")):
            return {record.id for record in await found("note")}

    assert set(told["confirmed"]) <= asyncio.run(ids())
    assert msdk(home, "verify", "limited", "--json").status == 0
