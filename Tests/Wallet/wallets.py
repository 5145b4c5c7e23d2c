"""Wallets to work on: copies of the samples, and the configurations that open them."""

from __future__ import annotations

import json
import pathlib
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import msdk_vcx as msdk
from msdk_vcx import wallet

ROOT = pathlib.Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "Tests" / "Fixtures" / "wallet"
SAMPLES = FIXTURES / "wallet-sample"
RAW_KEY = "8dvfYSt5d1taSd6yJdpjq4emkwsPDDLYxkNFysFD2cZY"
SAMPLE_KEY = "G8r6kyQd2ToxoqMAa46UpgRSP7YhPsRTA5HE5Wxf71ca"
THIRD_KEY = "cGfHiC6Kgg3FpFZvgwGcswsCRtp4aBP2fzuXRQPizuN"
EXPORT_KEY = "sample backup key"


def fixture(name: str) -> Any:
    return json.loads((FIXTURES / name).read_text())


def config(home: pathlib.Path, name: str, key: str = RAW_KEY, derivation: str = "RAW") -> dict[str, Any]:
    """The arguments of `init`, and with a file those of `import_wallet`."""
    return {
        "wallet_name": name,
        "wallet_key": key,
        "wallet_key_derivation": derivation,
        "storage_config": {"path": str(home)},
    }


def copy_sample(name: str, home: pathlib.Path) -> dict[str, Any]:
    """A copy of a sample wallet, to be opened with the configuration that is returned."""
    shutil.copytree(SAMPLES / name, home / name)
    if name == "sample":
        return config(home, name, "sample wallet key", "ARGON2I_MOD")
    return config(home, name, SAMPLE_KEY)


async def make(settings: dict[str, Any]) -> None:
    """A new wallet with the records of the exported sample."""
    file = {"exported_wallet_path": str(SAMPLES / "sample.export"), "backup_key": EXPORT_KEY}
    await wallet.import_wallet({**settings, **file})


@asynccontextmanager
async def opened(settings: dict[str, Any]) -> AsyncIterator[None]:
    """The library with this wallet."""
    await msdk.init(settings)
    try:
        yield
    finally:
        msdk.shutdown()


async def found(type: str, query: Any = None) -> list[wallet.Record]:
    """All that a search finds, by id."""
    async with await wallet.search(type, query) as search:
        return sorted([record async for record in search], key=lambda record: record.id)
