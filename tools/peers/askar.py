"""aries-askar as the other reader of our files, in a process and an environment of its own."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
from typing import Any

ROOT = pathlib.Path(__file__).resolve().parents[2]
METHODS = ["RAW", "ARGON2I_INT", "ARGON2I_MOD"]


def python() -> pathlib.Path:
    """The interpreter of askar's environment."""
    cache = pathlib.Path(os.environ.get("MSDK_CACHE") or ROOT / ".build/environments")
    found = cache / "askar" / "bin" / "python"
    assert found.exists(), f"aries-askar is not installed in {found.parents[1]}: run scripts/setup askar"
    return found


def migrate(settings: dict[str, Any], queries: list[tuple[str, Any]]) -> dict[str, Any]:
    """Migrates a closed wallet in place. Gives all records and the answers to the queries."""
    name = settings["wallet_name"]
    file = pathlib.Path(settings["storage_config"]["path"]) / name / "sqlite.db"
    texts = [(type, json.dumps(query)) for type, query in queries]
    ran = subprocess.run(
        [python(), pathlib.Path(__file__).with_name("askar_peer.py"), file, name, settings["wallet_key_derivation"]],
        input=json.dumps({"key": settings["wallet_key"], "queries": texts}),
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert ran.returncode == 0, ran.stderr
    answer: dict[str, Any] = json.loads(ran.stdout)
    return answer
