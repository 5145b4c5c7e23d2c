"""The library in a project: loaded by the name that the documents use."""

from __future__ import annotations

import ctypes
import re
import subprocess
import sys

from agency import ROOT

CHAPTER = "1 Project setup"
BUILD = ROOT / ".build" / "release"


def test_2_the_library_is_there_under_the_name_vcx() -> None:
    program = "import ctypes, sys; v = ctypes.CDLL(sys.argv[1]).vcx_version; v.restype = ctypes.c_char_p; print(v().decode())"
    command = [sys.executable, "-c", program, str(BUILD / "libvcx.so")]
    told = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
    assert re.fullmatch(r"\d+\.\d+\.\d+\+[0-9a-f]{7}\n", told)


def test_3_every_function_of_the_header_is_there() -> None:
    library = ctypes.CDLL(str(BUILD / "libmsdk.so"))
    names = re.findall(r"^\S.*\b((?:vcx|msdk)_\w+)\(", (ROOT / "include" / "msdk.h").read_text(), re.MULTILINE)
    assert len(names) > 180 and all(hasattr(library, name) for name in names)
