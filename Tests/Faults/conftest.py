"""Shared by the tests: the shim, the stage, a healthy agency, and the table that a run prints."""

from __future__ import annotations

import pathlib
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest

from agency import Agency
from performance import GENEROUS, Stage
from table import Table

HERE = pathlib.Path(__file__).resolve().parent
_table = Table()


@pytest.fixture(scope="session")
def table() -> Table:
    return _table


@pytest.fixture(scope="session")
def shim(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """The library to preload, built from its source."""
    path = tmp_path_factory.mktemp("shim") / "faults.so"
    flags = ["-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"]
    subprocess.run(["gcc", *flags, "-o", str(path), str(HERE / "shim.c"), "-ldl"], check=True)
    return path


@pytest.fixture(scope="session")
def agency(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Agency]:
    """An agency to which nothing happens."""
    with Agency(tmp_path_factory.mktemp("agency"), GENEROUS) as agency:
        yield agency


@pytest.fixture(scope="session")
def stage(shim: pathlib.Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """Where the library's operations run."""
    stage = Stage(shim, tmp_path_factory.mktemp("stage"))
    try:
        yield stage
    finally:
        stage.close()


def pytest_terminal_summary(terminalreporter: Any) -> None:
    for line in _table.lines():
        terminalreporter.write_line(line)
