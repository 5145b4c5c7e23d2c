"""The common part of the operations on a wallet: its records, and the form of an operation."""

from __future__ import annotations

import json
import os
import pathlib
import shutil
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import calls
from calls import call, done

Armed = Callable[[], AbstractContextManager[None]]
"""The span in which the fault happens."""

KEY = "8dvfYSt5d1taSd6yJdpjq4emkwsPDDLYxkNFysFD2cZY"
NEW_KEY = "G8r6kyQd2ToxoqMAa46UpgRSP7YhPsRTA5HE5Wxf71ca"
EXPORT_KEY = "the key of the export"
RECORDS = {f"note {number}": f"value {number} " + "v" * 900 for number in range(24)}

FILES = frozenset({"open", "look", "read", "write", "sync", "allocate"})
"""The calls of an operation that reads and writes a wallet."""

MISSING, EXISTS, NO_RECORD, RECORD_EXISTS = 1079, 1051, 1073, 1072
NO_ACCESS = 1075


def config(home: pathlib.Path, name: str = "wallet", key: str = KEY) -> dict[str, Any]:
    return {
        "wallet_name": name,
        "wallet_key": key,
        "wallet_key_derivation": "RAW",
        "storage_config": {"path": str(home)},
    }


def importing(home: pathlib.Path, name: str = "wallet") -> dict[str, Any]:
    return {**config(home, name), "exported_wallet_path": str(home / "export"), "backup_key": EXPORT_KEY}


def add(id: str, value: str) -> int:
    return call("vcx_wallet_add_record", "note", id, value, json.dumps({"~size": str(len(value)), "kind": "note"})).code


def get(id: str) -> str | None:
    outcome = call("vcx_wallet_get_record", "note", id, "{}")
    if outcome.code == NO_RECORD:
        return None
    assert outcome.code == 0, f"a record cannot be read: {outcome.code}"
    return str(json.loads(outcome.value)["value"])


def search() -> tuple[int, dict[str, str]]:
    """All notes by a search on a tag, or the code of what refused it."""
    opened = call("vcx_wallet_open_search", "note", '{"kind": "note"}', "{}")
    if opened.code:
        return opened.code, {}
    found: dict[str, str] = {}
    code = 0
    while True:
        page = call("vcx_wallet_search_next_records", opened.value, 10)
        records = [] if page.code else json.loads(page.value)["records"] or []
        assert not found.keys() & {record["id"] for record in records}, "a record is there twice"
        found.update((record["id"], record["value"]) for record in records)
        code = page.code
        if code or not records:
            break
    call("vcx_wallet_close_search", opened.value)
    return code, found


def all_records() -> dict[str, str]:
    code, found = search()
    assert code == 0, f"the records cannot be read: {code}"
    return found


def check_records(more: dict[str, str] | None = None) -> None:
    """Whether the wallet has exactly the confirmed records."""
    found = all_records()
    wanted = {**RECORDS, **(more or {})}
    missing = [id for id in wanted if found.get(id) != wanted[id]]
    assert not missing, f"{len(missing)} of {len(wanted)} records are missing or changed: {missing[:3]}"


class Operation:
    """Operations that run under a fault, and the conditions that must hold afterwards.

    Each of the three runs in a process of its own: `prepare` once, the others for each fault, on a copy of what
    `prepare` made. A failed assertion is a finding.
    """

    name = ""
    kinds: frozenset[str] = frozenset()
    """The calls that it makes."""
    kills = True
    """Whether the process is also killed in its midst."""

    def prepare(self, home: pathlib.Path) -> None:
        """Makes an export and a wallet with all records."""
        (home / "export-source").mkdir()
        settings = config(home)
        os.environ["HOME"] = str(home)
        done("vcx_init", "ENABLE_TEST_MODE")
        for id, value in RECORDS.items():
            assert add(id, value) == 0
        done("vcx_wallet_export", str(home / "export"), EXPORT_KEY)
        calls.shut_down()
        shutil.rmtree(home / ".indy_client")
        done("vcx_wallet_import", importing(home))
        done("vcx_init_with_config", settings)
        check_records()
        calls.shut_down()

    def attempt(self, home: pathlib.Path, armed: Armed) -> Any:
        """Does it, and goes on where the fault left off. Returns what `check` is to know."""
        raise NotImplementedError

    def check(self, home: pathlib.Path, facts: Any) -> None:
        """Looks at what is there. `facts` is None when the process was killed."""
        raise NotImplementedError
