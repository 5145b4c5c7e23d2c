"""A program that refuses peers at private addresses asks no proxy: the proxy would connect to the peer in its place."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys

from wallets import copy_sample

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAM = """
import asyncio, json, sys
import msdk_vcx as msdk

async def main() -> None:
    async with msdk.session(json.loads(sys.argv[1])):
        try:
            await msdk.resolve_message_by_url("http://nobody.invalid/")
        except msdk.VcxError as error:
            print(error)

asyncio.run(main())
"""


def failure(home: pathlib.Path, only_public: bool) -> str:
    """The error of a program whose proxy is at an address that is not public, where nobody listens."""
    settings = {**copy_sample("sample", home), "public_endpoints_only": only_public}
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "bindings" / "python"), "http_proxy": "http://127.0.0.1:9"}
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, json.dumps(settings)], env=environment, capture_output=True, text=True,
        timeout=60, check=True,
    ).stdout


def test_the_proxy_of_the_environment_serves_programs_that_reach_anywhere(tmp_path: pathlib.Path) -> None:
    assert "127.0.0.1" in failure(tmp_path, only_public=False)


def test_no_proxy_is_asked_where_only_public_addresses_are_reached(tmp_path: pathlib.Path) -> None:
    reason = failure(tmp_path, only_public=True)
    assert "resolve" in reason.lower() and "public" not in reason
