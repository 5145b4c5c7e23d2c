"""A process that ends while operations are under way."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

import pytest

import msdk_vcx as msdk

PROGRAM = """
import asyncio, atexit, msdk_vcx as msdk
from msdk_vcx._calls import call

def after() -> None:  # runs after the package's own end, which was registered later
    try:
        asyncio.run(call("vcx_connection_serialize", 0))
    except RuntimeError as error:
        print(error)

atexit.register(after)

async def run() -> None:
    for _ in range(20):
        await call("vcx_connection_serialize", 9)

asyncio.run(run())
"""


@pytest.mark.parametrize("time", range(5))
def test_no_thread_of_the_library_enters_an_interpreter_that_ends(time: int) -> None:
    environment = {**os.environ, "PYTHONPATH": str(pathlib.Path(msdk.__file__).parent.parent)}
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, timeout=60
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "the interpreter is ending" in ended.stdout
