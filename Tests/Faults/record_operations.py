"""Operations on the records of a wallet, with a fault in their midst."""

from __future__ import annotations

import pathlib
from typing import Any

import calls
from calls import call, done
from operation import FILES, RECORDS, RECORD_EXISTS, Armed, Operation, add, check_records, config, get, search


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
