"""aries-askar's migration reads our wallets: every record, every tag, and the queries that both understand."""

from __future__ import annotations

import asyncio
import json
import pathlib
import re
from typing import Any

import pytest

import msdk_vcx as msdk
from askar import METHODS, migrate
from msdk_vcx import wallet
from wallets import RAW_KEY, config, copy_sample, fixture, found, make, opened

QUERIES = fixture("wallet-wql.json")
SAMPLE = fixture("wallet-sample.json")

# Empty, long, foreign, steering: all kinds of text, as id, value, tag name and tag value.
TEXTS = ["x", "Ärger 東京 🦊", "line\nbreak\t\"quoted\" \\", "null", "-1.5e3", "e\u0301", "%_~", "v" * 100_000]


def by_name(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(records, key=lambda record: (record["type"], record["id"]))


async def write() -> list[dict[str, Any]]:
    """Records of every kind, some of them changed several times. Gives what has to be there."""
    records: list[dict[str, Any]] = list(QUERIES["records"])
    for number, text in enumerate(TEXTS):
        tags = {"plain " + text[:50]: text[:1000], "~open " + text[:50]: text[:1000], "empty": ""}
        records.append({"type": f"text {number % 2}", "id": text[:200], "value": text, "tags": tags})
    for each in records:
        await wallet.add_record(each["type"], each["id"], each["value"], each["tags"])

    changed = {"type": "changed", "id": "1", "value": "new", "tags": {"kept": "1", "added": "2", "~replaced": "new"}}
    await wallet.add_record("changed", "1", "old", {"gone": "0", "~replaced": "old"})
    await wallet.add_record("changed", "2", "deleted", {"kept": "1", "~replaced": "new"})
    await wallet.update_record_tags("changed", "1", {"kept": "1", "~gone": "0", "~replaced": "old"})
    await wallet.add_record_tags("changed", "1", {"added": "2", "~replaced": "new"})
    await wallet.delete_record_tags("changed", "1", ["~gone"])
    await wallet.update_record_value("changed", "1", "new")
    await wallet.delete_record("changed", "2")
    return [*records, changed]


async def our_ids(type: str, query: Any) -> list[str]:
    return [record.id for record in await found(type, query)]


QUESTIONS: list[tuple[str, Any]] = [
    *((QUERIES["type"], json.loads(each["query"])) for each in QUERIES["results"]),
    ("changed", {"kept": "1"}),
    ("changed", {"~replaced": "new"}),
    ("changed", {"~replaced": "old"}),
    ("changed", {"gone": "0"}),
    *((f"text {number % 2}", {"plain " + text[:50]: text[:1000]}) for number, text in enumerate(TEXTS)),
    *((f"text {number % 2}", {"~open " + text[:50]: text[:1000]}) for number, text in enumerate(TEXTS)),
    ("text 0", {"empty": ""}),
]


@pytest.mark.parametrize("method", METHODS)
def test_every_record_tag_and_query_survives_the_migration(method: str, home: pathlib.Path) -> None:
    settings = config(home, "wallet")
    rekeyed = config(home, "wallet", RAW_KEY if method == "RAW" else "a passphrase", method)

    async def run() -> tuple[list[dict[str, Any]], list[list[str]]]:
        await make(settings)
        async with opened(settings):
            expected = await write()
            ids = [await our_ids(type, query) for type, query in QUESTIONS]
            await wallet.rekey(rekeyed["wallet_key"], method)
            return expected, ids

    written, ids = asyncio.run(run())
    peer = migrate(rekeyed, QUESTIONS)
    assert by_name(peer["records"]) == by_name(written + SAMPLE["records"])

    for (_, query), ours, answer in zip(QUESTIONS, ids, peer["answers"]):
        assert answer == {"ids": ours, "count": len(ours)}, query


@pytest.mark.parametrize("name", ["sample", "sample-raw", "sample-orphans"])
def test_a_wallet_of_libindy_that_we_had_open_still_migrates(name: str, home: pathlib.Path) -> None:
    settings = copy_sample(name, home)
    added: dict[str, Any] = {"type": "note", "id": "ours", "value": "text", "tags": {"a": "1", "~b": "2"}}

    async def run() -> None:
        async with opened(settings):
            await wallet.add_record(added["type"], added["id"], added["value"], added["tags"])

    asyncio.run(run())
    records = SAMPLE["orphans"]["records"] if name == "sample-orphans" else SAMPLE["records"]
    assert by_name(migrate(settings, [])["records"]) == by_name([*records, added])


def test_an_imported_wallet_migrates(home: pathlib.Path) -> None:
    settings = config(home, "imported")
    asyncio.run(make(settings))
    assert by_name(migrate(settings, [])["records"]) == by_name(SAMPLE["records"])


def test_the_link_secret_is_where_libindy_keeps_it(home: pathlib.Path) -> None:
    """Provisioning makes it before it asks the agency, which does not listen here."""
    settings = config(home, "provisioned")
    verkey = "F45Ey9188uCq5QzTnsJJHC7WczwVSjjpAFxUvJXYJVqR"
    agency = {"agency_url": "http://127.0.0.1:1", "agency_did": "SnTKP3E2D6Y8zE4p62Le3n", "agency_verkey": verkey}
    for _ in range(2):
        with pytest.raises(msdk.VcxError):
            asyncio.run(msdk.provision({**settings, **agency}))
    secrets = [record for record in migrate(settings, [])["records"] if record["type"] == "Indy::MasterSecret"]
    assert [(secret["id"], secret["tags"]) for secret in secrets] == [("main", {})]
    assert re.fullmatch(r'{"value":{"ms":"[0-9]{60,78}"}}', secrets[0]["value"])
