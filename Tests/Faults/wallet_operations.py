"""Operations on a wallet, with a fault in their midst."""

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


class Create(Operation):
    name = "create"
    kinds = FILES | {"rename", "unlink", "map"}

    def prepare(self, home: pathlib.Path) -> None:
        pass

    def attempt(self, home: pathlib.Path, armed: Armed) -> Any:
        os.environ["HOME"] = str(home)
        with armed():
            code = call("vcx_init", "ENABLE_TEST_MODE").code
        if code:
            done("vcx_init", "ENABLE_TEST_MODE")
        assert add("first", "1") == 0
        calls.shut_down()
        return code

    def check(self, home: pathlib.Path, facts: Any) -> None:
        os.environ["HOME"] = str(home)
        done("vcx_init", "ENABLE_TEST_MODE")
        if facts is None:
            assert add("first", "1") == 0
        assert all_records() == {"first": "1"}
        calls.shut_down()
        check_no_drafts(home, facts)


class Import(Operation):
    name = "import"
    kinds = FILES | {"rename", "unlink", "map"}

    def attempt(self, home: pathlib.Path, armed: Armed) -> Any:
        with armed():
            code = call("vcx_wallet_import", importing(home, "new")).code
        again = call("vcx_wallet_import", importing(home, "new")).code
        assert again == (0 if code else EXISTS), f"an import that ended with {code} was repeated: {again}"
        return code

    def check(self, home: pathlib.Path, facts: Any) -> None:
        if facts is None:
            assert call("vcx_wallet_import", importing(home, "new")).code in (0, EXISTS)
        done("vcx_init_with_config", config(home, "new"))
        check_records()
        calls.shut_down()
        check_no_drafts(home / "new", facts)


class Open(Operation):
    name = "open"
    kinds = FILES - {"sync"} | {"truncate", "map"}

    def attempt(self, home: pathlib.Path, armed: Armed) -> Any:
        with armed():
            code = call("vcx_init_with_config", config(home)).code
        assert code != MISSING, "a wallet that is there was reported as missing"
        if code:
            done("vcx_init_with_config", config(home))
        check_records()
        assert add("after", "1") == 0
        calls.shut_down()
        return code

    def check(self, home: pathlib.Path, facts: Any) -> None:
        done("vcx_init_with_config", config(home))
        check_records({} if facts is None else {"after": "1"})
        calls.shut_down()


class Rekey(Operation):
    name = "re-key"
    kinds = FILES | {"truncate"}

    def attempt(self, home: pathlib.Path, armed: Armed) -> Any:
        done("vcx_init_with_config", config(home))
        with armed():
            code = call("msdk_wallet_rekey", NEW_KEY, "RAW").code
        assert add("after", "1") == 0
        calls.shut_down()
        return code

    def check(self, home: pathlib.Path, facts: Any) -> None:
        keys = {KEY: NEW_KEY, NEW_KEY: KEY}
        opening = [key for key in keys if self.opens(home, key)]
        assert len(opening) == 1, f"{len(opening)} keys open the wallet"
        assert facts != 0 or opening == [NEW_KEY], "the new key was confirmed, and the old one opens the wallet"
        done("vcx_init_with_config", config(home, key=opening[0]))
        check_records({} if facts is None else {"after": "1"})
        done("msdk_wallet_rekey", keys[opening[0]], "RAW")
        calls.shut_down()
        assert self.opens(home, keys[opening[0]])

    def opens(self, home: pathlib.Path, key: str) -> bool:
        code = call("vcx_init_with_config", config(home, key=key)).code
        assert code in (0, NO_ACCESS), f"the wallet does not open: {code}"
        calls.shut_down()
        return code == 0


class Delete(Operation):
    name = "delete"
    kinds = FILES | {"rename", "unlink", "truncate", "map"}

    def prepare(self, home: pathlib.Path) -> None:
        os.environ["HOME"] = str(home)
        done("vcx_init", "ENABLE_TEST_MODE")
        for id, value in RECORDS.items():
            assert add(id, value) == 0
        calls.shut_down()

    def attempt(self, home: pathlib.Path, armed: Armed) -> Any:
        os.environ["HOME"] = str(home)
        done("vcx_init", "ENABLE_TEST_MODE")
        assert add("last", "1") == 0
        with armed():
            calls.shut_down(delete=True)
        return 0

    def check(self, home: pathlib.Path, facts: Any) -> None:
        """A wallet that is there has all its records, and its successor none of them."""
        os.environ["HOME"] = str(home)
        done("vcx_init", "ENABLE_TEST_MODE")
        if all_records():
            check_records({"last": "1"})
            calls.shut_down(delete=True)
            done("vcx_init", "ENABLE_TEST_MODE")
        assert all_records() == {}
        assert add("first", "1") == 0
        calls.shut_down()
        done("vcx_init", "ENABLE_TEST_MODE")
        assert all_records() == {"first": "1"}
        calls.shut_down()


class Export(Operation):
    name = "export"
    kinds = FILES | {"rename", "unlink", "map"}

    def attempt(self, home: pathlib.Path, armed: Armed) -> Any:
        path = home / "made" / "new"
        done("vcx_init_with_config", config(home))
        with armed():
            code = call("vcx_wallet_export", str(path), EXPORT_KEY).code
        assert path.exists() == (code == 0), f"the export ended with {code}, and there is a file: {path.exists()}"
        if code:
            done("vcx_wallet_export", str(path), EXPORT_KEY)
        assert [each.name for each in path.parent.iterdir()] == ["new"], "a draft stayed"
        assert add("after", "1") == 0
        calls.shut_down()
        return code

    def check(self, home: pathlib.Path, facts: Any) -> None:
        path = home / "made" / "new"
        if path.exists():
            done("vcx_wallet_import", {**importing(home, "copy"), "exported_wallet_path": str(path)})
            done("vcx_init_with_config", config(home, "copy"))
            check_records()
            calls.shut_down()
        done("vcx_init_with_config", config(home))
        check_records({} if facts is None else {"after": "1"})
        if not path.exists():
            done("vcx_wallet_export", str(path), EXPORT_KEY)
        calls.shut_down()


class Add(Operation):
    name = "add"
    kinds = FILES

    def attempt(self, home: pathlib.Path, armed: Armed) -> Any:
        done("vcx_init_with_config", config(home))
        with armed():
            code = add("new", "v" * 5000)
        again = add("new", "v" * 5000)
        assert again == (RECORD_EXISTS if code == 0 else 0), f"adding ended with {code}, and again with {again}"
        assert add("after", "1") == 0
        calls.shut_down()
        return code

    def check(self, home: pathlib.Path, facts: Any) -> None:
        done("vcx_init_with_config", config(home))
        if facts is None:
            assert add("new", "v" * 5000) in (0, RECORD_EXISTS)
            assert add("after", "1") == 0
        check_records({"new": "v" * 5000, "after": "1"})
        calls.shut_down()


class Update(Operation):
    name = "update"
    kinds = FILES

    def attempt(self, home: pathlib.Path, armed: Armed) -> Any:
        done("vcx_init_with_config", config(home))
        with armed():
            code = call("vcx_wallet_update_record_value", "note", "note 7", "v" * 5000).code
        value = get("note 7")
        assert value == "v" * 5000 if code == 0 else value in (RECORDS["note 7"], "v" * 5000)
        done("vcx_wallet_update_record_value", "note", "note 8", "8")
        calls.shut_down()
        return code

    def check(self, home: pathlib.Path, facts: Any) -> None:
        done("vcx_init_with_config", config(home))
        value = get("note 7")
        assert value == "v" * 5000 if facts == 0 else value in (RECORDS["note 7"], "v" * 5000)
        done("vcx_wallet_update_record_value", "note", "note 7", "7")
        if facts is None:
            done("vcx_wallet_update_record_value", "note", "note 8", "8")
        check_records({"note 7": "7", "note 8": "8"})
        calls.shut_down()


class Search(Operation):
    name = "search"
    kinds = FILES - {"write", "sync"}
    kills = False

    def attempt(self, home: pathlib.Path, armed: Armed) -> Any:
        done("vcx_init_with_config", config(home))
        with armed():
            code, found = search()
        assert code or found == RECORDS, f"a search without an error found {len(found)} of {len(RECORDS)} records"
        check_records()
        calls.shut_down()
        return code

    def check(self, home: pathlib.Path, facts: Any) -> None:
        done("vcx_init_with_config", config(home))
        check_records()
        calls.shut_down()


def check_no_drafts(folder: pathlib.Path, facts: Any) -> None:
    """A process that was killed could not clean up; the next one that makes a wallet there does it."""
    drafts = [path.name for path in folder.rglob("*.new")]
    assert facts is None or not drafts, f"a draft stayed: {drafts}"


OPERATIONS = [Create(), Import(), Open(), Rekey(), Delete(), Export(), Add(), Update(), Search()]
