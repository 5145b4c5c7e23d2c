"""Logging: the library's lines reach a function of the program."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from agency import ROOT

CHAPTER = "Logging"
PROGRAM = """
import ctypes, json, sys
from msdk_vcx._library import library
from msdk_vcx._table import CALLBACKS
lines = []
def log(context, level, target, message, module_path, file, line):
    lines.append([level, *(text.decode() for text in (target, message, module_path, file)), line])
callback = CALLBACKS["vcx_log_cb"](log)
enabled, flush = CALLBACKS["vcx_log_enabled_cb"](), CALLBACKS["vcx_log_flush_cb"]()
assert library().function("vcx_set_logger_with_max_lvl")(None, enabled, callback, flush, int(sys.argv[1])) == 0
library().function("vcx_connection_create_with_invite")(1, b"", b"", CALLBACKS["vcx_number_cb"](lambda *_: None))
library().function("vcx_shutdown")(False)
print(json.dumps(lines))
"""


def lines(level: int) -> list[list[object]]:
    environment = {"PYTHONPATH": str(ROOT / "bindings" / "python")}
    command = [sys.executable, "-c", PROGRAM, str(level)]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=60)
    told: list[list[object]] = json.loads(ended.stdout)
    return told


def test_a_line_tells_level_target_message_module_file_and_line() -> None:
    told = lines(5)
    assert told
    for level, target, message, module_path, file, line in told:
        assert level in range(1, 6) and isinstance(line, int)
        assert all(isinstance(text, str) for text in (target, message, module_path, file)) and target and message


@pytest.mark.parametrize("level", [0, 3])
def test_lines_above_the_level_are_left_out(level: int) -> None:
    assert all(isinstance(line[0], int) and line[0] <= level for line in lines(level))
