"""Shared by the tests: a temporary home for wallets, and the package of this repository."""

from __future__ import annotations

import pathlib

import pytest

from command import DONE, msdk
from wallets import RAW_KEY, SAMPLE_KEY, copy_sample


@pytest.fixture
def home(tmp_path: pathlib.Path) -> pathlib.Path:
    """A directory for wallets."""
    path = tmp_path / "wallets"
    path.mkdir()
    return path


@pytest.fixture
def sample(home: pathlib.Path) -> str:
    """The name of a wallet: the sample, with the key that `msdk` gives unless told."""
    copy_sample("sample-raw", home)
    keys = {"MSDK_WALLET_KEY": SAMPLE_KEY, "MSDK_WALLET_NEW_KEY": RAW_KEY}
    ran = msdk(home, "rekey", "--new-derivation", "RAW", "sample-raw", **keys)
    assert ran.status == DONE, ran.complaint
    return "sample-raw"
