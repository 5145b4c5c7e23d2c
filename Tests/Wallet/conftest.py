"""What the tests share: a home for wallets that goes away, and the package of this repository."""

from __future__ import annotations

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bindings" / "python"))


@pytest.fixture
def home(tmp_path: pathlib.Path) -> pathlib.Path:
    """A directory for wallets."""
    path = tmp_path / "wallets"
    path.mkdir()
    return path
