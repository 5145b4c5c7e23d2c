"""A Python process that ends while operations are under way, again and again: an end that came too late brought down one
process in eight."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
RUNS = 40
PROGRAM = """
from msdk_vcx._calls import call_unheard

for _ in range(100):
    call_unheard("vcx_resolve_message_by_url", "http://127.0.0.1:9/?c_i=eyJhIjoxfQ==")
"""


def end() -> str:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "bindings" / "python")}
    ended = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, timeout=60)
    return "" if ended.returncode == 0 else f"{ended.returncode}: {ended.stderr}"


def test_a_process_ends_in_peace_while_operations_are_under_way() -> None:
    with ThreadPoolExecutor(2) as runs:
        ends = list(runs.map(lambda _: end(), range(RUNS)))
    assert [each for each in ends if each] == []
