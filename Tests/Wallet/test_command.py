"""The program `msdk wallet`: what it shows and what it refuses."""

from __future__ import annotations

import os
import pathlib
import re
import sqlite3
import subprocess

import pytest

from command import DONE, FAILED, FAULTY, MISUSED, PROGRAM, msdk, run
from wallets import EXPORT_KEY, RAW_KEY, SAMPLE_KEY, SAMPLES, copy_sample, fixture

COMMANDS = ["info", "list", "get", "search", "add", "update", "delete", "export", "import", "rekey", "verify"]
NOTES = [each for each in fixture("wallet-sample.json")["records"] if each["type"] == "note"]


def test_the_version_is_told(home: pathlib.Path) -> None:
    ran = run(home, "--version")
    assert (ran.status, ran.complaint) == (DONE, "")
    assert re.fullmatch(r"msdk \d+\.\d+\.\d+\+[0-9a-f]{7}\n", ran.output)


# Results


def test_info(home: pathlib.Path, sample: str) -> None:
    shown = msdk(home, "info", sample, "--json").json
    assert shown == {
        "name": sample,
        "file": f"{home}/{sample}/sqlite.db",
        "size": shown["size"],
        "derivation": "RAW",
        "records": len(fixture("wallet-sample.json")["records"]),
        "types": 6,
    }
    assert shown["size"] >= (home / sample / "sqlite.db").stat().st_size
    text = msdk(home, "info", sample).output
    assert "records     12\n" in text and f"name        {sample}\n" in text


def test_list(home: pathlib.Path, sample: str) -> None:
    counts = {each["type"]: each["count"] for each in msdk(home, "list", sample, "--json").json}
    assert counts["note"] == len(NOTES) and counts["Indy::Key"] == 2
    assert "4  note\n" in msdk(home, "list", sample).output
    assert len(msdk(home, "list", sample, "--limit", 2, "--json").json) == 2

    ids = sorted(each["id"] for each in NOTES)
    assert sorted(msdk(home, "list", sample, "note").output.splitlines()) == ids
    assert sorted(each["id"] for each in msdk(home, "list", sample, "note", "--json").lines) == ids
    assert len(msdk(home, "list", sample, "note", "--limit", 2).output.splitlines()) == 2
    assert msdk(home, "list", sample, "nothing").output == ""


def test_get(home: pathlib.Path, sample: str) -> None:
    for note in NOTES:
        assert msdk(home, "get", "--json", sample, "note", "--", note["id"]).json == note
    text = msdk(home, "get", sample, "note", NOTES[0]["id"]).output
    assert text.startswith(f"id     {NOTES[0]['id']}\n")


def test_search(home: pathlib.Path, sample: str) -> None:
    everything = sorted(msdk(home, "search", sample, "note", "--json").lines, key=lambda each: str(each["id"]))
    assert everything == sorted(NOTES, key=lambda each: str(each["id"]))
    name, value = next((name, value) for note in NOTES for name, value in note["tags"].items())
    matching = [note["id"] for note in NOTES if note["tags"].get(name) == value]
    found = msdk(home, "search", sample, "note", f'{{"{name}":"{value}"}}', "--json").lines
    assert sorted(each["id"] for each in found) == sorted(matching)
    assert len(msdk(home, "search", sample, "note", "--limit", 1, "--json").lines) == 1


def test_records_are_added_changed_and_deleted(home: pathlib.Path, sample: str) -> None:
    def record() -> dict[str, object]:
        got: dict[str, object] = msdk(home, "get", sample, "letter", "1", "--json").json
        return {key: got[key] for key in ("value", "tags")}

    assert msdk(home, "add", sample, "letter", "1", "Dear Faber", "--tags", '{"~stars":"5"}').status == DONE
    assert record() == {"value": "Dear Faber", "tags": {"~stars": "5"}}
    assert msdk(home, "add", sample, "letter", "1", "again").status == FAILED
    assert msdk(home, "update", sample, "letter", "1", "Dear Acme").status == DONE
    assert record() == {"value": "Dear Acme", "tags": {"~stars": "5"}}
    assert msdk(home, "update", sample, "letter", "1", "--tags", '{"to":"Acme"}').status == DONE
    assert record() == {"value": "Dear Acme", "tags": {"to": "Acme"}}
    assert msdk(home, "add", sample, "Indy::Key", "1", "x").complaint.startswith("msdk: Record types that begin")
    assert msdk(home, "add", sample, "letter", "2", "x", "--tags", "[]").status == FAILED
    assert msdk(home, "delete", sample, "letter", "1").status == DONE
    assert msdk(home, "delete", sample, "letter", "1").complaint == "msdk: There is no such record.\n"


def test_export_and_import(home: pathlib.Path, sample: str) -> None:
    file = home / "backup" / "wallet.export"
    assert msdk(home, "export", sample, file, MSDK_BACKUP_KEY="passphrase").status == DONE
    refused = msdk(home, "export", sample, file, MSDK_BACKUP_KEY="passphrase")
    assert (refused.status, refused.complaint) == (FAILED, "msdk: There is a file of this name already.\n")

    assert msdk(home, "import", "second", file, MSDK_BACKUP_KEY="passphrase").status == DONE
    assert msdk(home, "list", "second", "--json").json == msdk(home, "list", sample, "--json").json
    again = msdk(home, "import", "second", file, MSDK_BACKUP_KEY="passphrase")
    assert again.status == FAILED and "There is a wallet \"second\"" in again.complaint
    wrong = msdk(home, "import", "third", file, MSDK_BACKUP_KEY="wrong")
    assert wrong.status == FAILED and not (home / "third").exists()


def test_import_of_an_export_of_libindy(home: pathlib.Path) -> None:
    ran = msdk(home, "import", "wallet", SAMPLES / "sample.export", MSDK_BACKUP_KEY=EXPORT_KEY)
    assert (ran.status, ran.output) == (DONE, "There is a wallet \"wallet\" now.\n")
    assert msdk(home, "verify", "wallet", "--json").json["faults"] == 0


def test_rekey(home: pathlib.Path, sample: str) -> None:
    ran = msdk(home, "rekey", sample, "--new-derivation", "ARGON2I_INT", MSDK_WALLET_NEW_KEY="passphrase")
    assert ran.status == DONE
    assert msdk(home, "info", sample).status == FAILED
    keys = {"MSDK_WALLET_KEY": "passphrase"}
    assert run(home, "wallet", "info", sample, "--home", home, "--derivation", "ARGON2I_INT", **keys).status == DONE


def test_verify_finds_a_sound_wallet_sound(home: pathlib.Path, sample: str) -> None:
    found = msdk(home, "verify", sample, "--json").json
    assert (found["records"], found["faults"], found["orphans"], found["problems"]) == (12, 0, 0, [])
    assert msdk(home, "verify", sample).output.endswith("0 faults, 0 orphaned tags\n")


def test_verify_tells_orphans_but_does_not_mind_them(home: pathlib.Path) -> None:
    copy_sample("sample-orphans", home)
    ran = msdk(home, "verify", "sample-orphans", "--json", MSDK_WALLET_KEY=SAMPLE_KEY)
    assert ran.status == DONE
    assert ran.json["orphans"] > 0
    assert {each["problem"] for each in ran.json["problems"]} == {"orphanedTag"}


@pytest.mark.parametrize(
    ("damage", "problem"),
    [
        ("UPDATE items SET value = zeroblob(60) WHERE id = 1", "undecipherable"),
        ("UPDATE items SET value = 'text' WHERE id = 1", "wrongStorageClass"),
        ("UPDATE tags_encrypted SET value = zeroblob(40)", "undecipherable"),
    ],
)
def test_verify_ends_with_3_when_something_is_wrong(home: pathlib.Path, sample: str, damage: str, problem: str) -> None:
    with sqlite3.connect(home / sample / "sqlite.db") as database:
        assert database.execute(damage).rowcount > 0
    database.close()
    ran = msdk(home, "verify", sample, "--json")
    assert ran.status == FAULTY
    assert problem in {each["problem"] for each in ran.json["problems"]}
    assert msdk(home, "verify", sample).status == FAULTY


def test_verify_names_what_no_wallet_has(home: pathlib.Path, sample: str) -> None:
    """Other commands refuse such a file, because its triggers would run."""
    with sqlite3.connect(home / sample / "sqlite.db") as database:
        database.execute("CREATE TRIGGER swallow BEFORE INSERT ON items BEGIN SELECT RAISE(IGNORE); END")
    database.close()
    ran = msdk(home, "verify", sample, "--json")
    assert ran.status == FAULTY
    assert ran.json["problems"] == [{"problem": "foreignObject", "finding": "trigger swallow"}]
    assert "trigger swallow" in msdk(home, "verify", sample).output
    added = msdk(home, "add", sample, "note", "new", "value")
    assert added.status == FAILED and "trigger swallow" in added.complaint


# Refusals


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["purse"], 'There is no command "purse". `msdk --help` says more.'),
        (["wallet"], "A command for the wallet is missing. `msdk --help` says more."),
        (["wallet", "empty"], 'There is no command "wallet empty". `msdk --help` says more.'),
        (["wallet", "info"], "WALLET is missing. `msdk wallet info --help` says more."),
        (["wallet", "get", "w", "t"], "ID is missing. `msdk wallet get --help` says more."),
        (["wallet", "info", "w", "x"], '"x" is one argument too many. `msdk wallet info --help` says more.'),
        (["wallet", "info", "w", "--limit", "1"], "The command wallet info takes no option --limit. "
         "`msdk wallet info --help` says more."),
        (["wallet", "info", "w", "--key", "k"], 'There is no option "--key". `msdk wallet info --help` says more.'),
        (["wallet", "info", "w", "--home"], "--home needs a value. `msdk wallet info --help` says more."),
        (["wallet", "list", "w", "--limit", "0"], "--limit is a number from 1. `msdk --help` says more."),
        (["wallet", "info", "w", "--derivation", "raw"], "--derivation is one of ARGON2I_MOD, ARGON2I_INT, RAW. "
         "`msdk --help` says more."),
        (["connect"], "INVITATION is missing. `msdk connect --help` says more."),
        (["inbox", "--qr"], "The command inbox takes no option --qr. `msdk inbox --help` says more."),
    ],
)
def test_a_wrong_command_line(words: list[str], complaint: str, home: pathlib.Path) -> None:
    assert run(home, *words) == (MISUSED, "", f"msdk: {complaint}\n")


def test_refusals_are_sentences(home: pathlib.Path, sample: str) -> None:
    def complaint(*words: object, **keys: str) -> str:
        ran = msdk(home, *words, **keys)
        assert (ran.status, ran.output) == (FAILED, "")
        return ran.complaint.removeprefix("msdk: ")

    assert complaint("info", "absent") == f'There is no wallet "absent" in "{home}".\n'
    assert complaint("info", "..").startswith('".." cannot be the name of a wallet')
    assert complaint("info", sample, MSDK_WALLET_KEY=SAMPLE_KEY).startswith("The key does not open the wallet.")
    assert complaint("info", sample, MSDK_WALLET_KEY="short") == "A raw wallet key must be 32 bytes in base58.\n"
    assert complaint("get", sample, "note", "absent") == "There is no such record.\n"
    assert complaint("search", sample, "note", '{"a":1}').startswith("Query: ")
    assert complaint("search", sample, "Indy::Key") == "Record types that begin with Indy are reserved.\n"


@pytest.mark.parametrize("words", [["wallet", "info"], ["wallet", "verify"], ["wallet", "search"], ["--help"]])
def test_a_result_that_cannot_be_written_is_a_failure(words: list[str], home: pathlib.Path, sample: str) -> None:
    operands = {"info": [sample], "verify": [sample], "search": [sample, "note"]}.get(words[-1])
    options = [*operands, "--home", str(home), "--derivation", "RAW"] if operands else []
    with open("/dev/full", "w") as full:
        ran = subprocess.run(
            [PROGRAM, *words, *options],
            env={**os.environ, "MSDK_WALLET_KEY": RAW_KEY},
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
        )
    assert (ran.returncode, ran.stderr) == (FAILED, "msdk: The result cannot be written: No space left on device.\n")


def test_control_characters_do_not_reach_the_terminal(home: pathlib.Path) -> None:
    ran = msdk(home, "info", "\x1b[31mred")
    assert ran.complaint == f'msdk: There is no wallet "\\u{{1B}}[31mred" in "{home}".\n'


# Help


@pytest.mark.parametrize("words", [["--help"], ["wallet", "--help"], ["wallet", "-h"]])
def test_help_names_every_command(words: list[str], home: pathlib.Path) -> None:
    ran = run(home, *words)
    assert (ran.status, ran.complaint) == (DONE, "")
    for command in COMMANDS:
        assert f"  wallet {command} WALLET" in ran.output
    assert max(map(len, ran.output.splitlines())) <= 120


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_its_help(command: str, home: pathlib.Path) -> None:
    ran = run(home, "wallet", command, "--help")
    assert ran.status == DONE
    assert ran.output.startswith(f"usage: msdk wallet {command} WALLET")
    assert "--key-file FILE" in ran.output
