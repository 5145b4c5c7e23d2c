"""Shared by the tests: a temporary home for wallets, and the package of this repository."""

from __future__ import annotations

import pathlib

import pytest


@pytest.fixture
def home(tmp_path: pathlib.Path) -> pathlib.Path:
    """A directory for wallets."""
    path = tmp_path / "wallets"
    path.mkdir()
    return path
