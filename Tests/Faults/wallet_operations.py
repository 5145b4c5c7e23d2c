"""Operations on a wallet as a whole, with a fault in their midst."""

from __future__ import annotations

import os
import pathlib
from typing import Any

import calls
from calls import call, done
from operation import (
    EXISTS, EXPORT_KEY, FILES, KEY, MISSING, NEW_KEY, NO_ACCESS, RECORDS, Armed, Operation, add, all_records,
    check_records, config, importing,
)  # fmt: skip
from record_operations import Add, Search, Update


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


def check_no_drafts(folder: pathlib.Path, facts: Any) -> None:
    """A process that was killed could not clean up; the next one that makes a wallet there does it."""
    drafts = [path.name for path in folder.rglob("*.new")]
    assert facts is None or not drafts, f"a draft stayed: {drafts}"


OPERATIONS = [Create(), Import(), Open(), Rekey(), Delete(), Export(), Add(), Update(), Search()]
