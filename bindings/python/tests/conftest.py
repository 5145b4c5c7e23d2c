"""Builds the stand-in library and has the package load it."""

from __future__ import annotations

import ctypes
import os
import pathlib
import subprocess
import tempfile

import pytest

_folder = tempfile.TemporaryDirectory()
_library = pathlib.Path(_folder.name) / "libstandin.so"
_sources = sorted(pathlib.Path(__file__).with_name("standin").glob("*.c"))
_flags = ["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-O1", "-shared", "-fPIC", "-pthread"]
subprocess.run(["gcc", *_flags, *map(str, _sources), "-o", str(_library)], check=True)
os.environ["MSDK_LIBRARY"] = str(_library)


@pytest.fixture
def standin() -> ctypes.CDLL:
    """The stand-in, which counts the calls that reach it."""
    return ctypes.CDLL(str(_library))
