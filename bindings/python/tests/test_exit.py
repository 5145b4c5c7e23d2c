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


FORKING = """
import asyncio, atexit, os, sys
from msdk_vcx._calls import call
from msdk_vcx._library import library

library()
if sys.argv[1] == "used":
    asyncio.run(call("vcx_connection_serialize", 9))
child = os.fork()
if child == 0:
    atexit._run_exitfuncs()
    os._exit(library()._is_open)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


def run(program: str, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(pathlib.Path(msdk.__file__).parent.parent)}
    return subprocess.run(
        [sys.executable, "-c", program, *words], env=environment, capture_output=True, text=True, timeout=60
    )


@pytest.mark.parametrize("time", range(5))
def test_no_thread_of_the_library_enters_an_interpreter_that_ends(time: int) -> None:
    ended = run(PROGRAM)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "the interpreter is ending" in ended.stdout


@pytest.mark.parametrize(("parent", "is_left_open"), [("used", 1), ("loaded", 0)])
def test_a_forked_child_waits_for_no_callback_of_its_parent(parent: str, is_left_open: int) -> None:
    """The end of a child would wait ten seconds for a thread that only the parent has."""
    ran = run(FORKING, parent)
    assert (ran.stdout, ran.stderr) == (f"{is_left_open}\n", "")
