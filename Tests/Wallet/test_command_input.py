"""The program `msdk wallet`: values from standard input, both parts of a change, and records as people read them."""

from __future__ import annotations

import os
import pathlib
import sqlite3
import subprocess

from command import DONE, PROGRAM, msdk, run, run_on_terminal
from wallets import RAW_KEY, SAMPLE_KEY


def piped(home: pathlib.Path, command: str, *words: str, text: str) -> int:
    """The exit status of a command that finds `text` on its standard input."""
    return subprocess.run(
        [PROGRAM, "wallet", command, *words, "--home", str(home), "--derivation", "RAW"],
        env={**os.environ, "MSDK_WALLET_KEY": RAW_KEY}, input=text, capture_output=True, text=True, timeout=60,
    ).returncode


def test_a_value_can_come_from_standard_input(home: pathlib.Path, sample: str) -> None:
    def value() -> object:
        return msdk(home, "get", sample, "letter", "1", "--json").json["value"]

    assert piped(home, "add", sample, "letter", "1", text="Dear Faber\n\nGrüße\n") == DONE
    assert value() == "Dear Faber\n\nGrüße"
    assert piped(home, "update", sample, "letter", "1", text="Dear Acme") == DONE
    assert value() == "Dear Acme"
    # With tags alone, the value stays.
    assert piped(home, "update", sample, "letter", "1", "--tags", '{"to":"Acme"}', text="other") == DONE
    assert value() == "Dear Acme"


def test_value_and_tags_change_together(home: pathlib.Path, sample: str) -> None:
    msdk(home, "add", sample, "letter", "1", "old", "--tags", '{"a":"1","b":"2"}')
    assert msdk(home, "update", sample, "letter", "1", "new", "--tags", '{"b":"3"}').status == DONE
    record = msdk(home, "get", sample, "letter", "1", "--json").json
    assert (record["value"], record["tags"]) == ("new", {"b": "3"})


def test_a_record_is_shown_for_people(home: pathlib.Path, sample: str) -> None:
    msdk(home, "add", sample, "letter", "i\u202e1", "first\nsecond\x1b", "--tags", '{"~b":"2","a":"1"}')
    shown = msdk(home, "get", sample, "letter", "i\u202e1").output
    assert shown == (
        "id     i\\u{202E}1\ntag    a = 1\ntag    ~b = 2\nvalue  first\n       second\\u{1B}\n\n")


def test_verify_names_the_row_of_a_fault(home: pathlib.Path, sample: str) -> None:
    database = sqlite3.connect(home / sample / "sqlite.db")
    with database:
        database.execute("UPDATE items SET value = zeroblob(60) WHERE id = 2")
    database.close()
    ran = msdk(home, "verify", sample, "--json")
    assert ran.json["problems"] == [{"problem": "undecipherable", "table": "items", "row": 2}]
    assert "items, row 2: does not open with the wallet's keys\n" in msdk(home, "verify", sample).output


def test_the_file_of_a_key_comes_before_the_environment(home: pathlib.Path, sample: str) -> None:
    file = home / "key"
    file.write_text(RAW_KEY)
    assert msdk(home, "info", sample, "--key-file", file, MSDK_WALLET_KEY=SAMPLE_KEY).status == DONE


def test_the_key_of_an_export_is_asked_for_twice(home: pathlib.Path, sample: str) -> None:
    words = ["wallet", "export", sample, str(home / "export"), "--home", str(home), "--derivation", "RAW"]
    prompts = ["The key of the exported file: ", "The key of the exported file once more: "]
    keys = {"MSDK_WALLET_KEY": RAW_KEY}
    ran = run_on_terminal(home, words, [(prompts[0], "one\r"), (prompts[1], "other\r")], **keys)
    assert "The two keys are not the same." in ran.output and not (home / "export").exists()
    ran = run_on_terminal(home, words, [(prompt, "one\r") for prompt in prompts], **keys)
    assert ran.status == DONE
    assert msdk(home, "import", "second", home / "export", MSDK_BACKUP_KEY="one").status == DONE


def test_an_imported_wallet_has_the_derivation_of_the_option(home: pathlib.Path, sample: str) -> None:
    assert msdk(home, "export", sample, home / "export", MSDK_BACKUP_KEY="one").status == DONE
    keys = {"MSDK_WALLET_KEY": "words", "MSDK_BACKUP_KEY": "one"}
    options = ["--home", home, "--derivation", "ARGON2I_INT"]
    assert run(home, "wallet", "import", "second", home / "export", *options, **keys).status == DONE
    assert run(home, "wallet", "info", "second", *options, **keys).status == DONE
