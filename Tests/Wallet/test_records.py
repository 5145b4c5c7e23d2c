"""Files that others wrote, and the query language, through the C API."""

from __future__ import annotations

import asyncio
import json
import pathlib
from typing import Any

import pytest

import msdk_vcx as msdk
from msdk_vcx import wallet
from msdk_vcx._calls import call
from wallets import copy_sample, config, fixture, found, make, opened

INVALID_QUERY = 1067
INVALID_STRUCTURE = 1080
QUERIES = fixture("wallet-wql.json")


def application_records() -> list[dict[str, Any]]:
    return [each for each in fixture("wallet-sample.json")["records"] if not each["type"].startswith("Indy")]


@pytest.mark.parametrize("name", ["sample", "sample-raw"])
def test_every_record_of_a_sample_is_read(name: str, home: pathlib.Path) -> None:
    async def run() -> None:
        async with opened(copy_sample(name, home)):
            for each in application_records():
                record = await wallet.get_record(each["type"], each["id"])
                assert record == wallet.Record(each["type"], each["id"], each["value"], each["tags"])
            for type in {each["type"] for each in application_records()}:
                ids = sorted(each["id"] for each in application_records() if each["type"] == type)
                assert [record.id for record in await found(type)] == ids

    asyncio.run(run())


def test_orphaned_tags_do_not_reach_new_records(home: pathlib.Path) -> None:
    async def run() -> None:
        async with opened(copy_sample("sample-orphans", home)):
            assert await wallet.get_record("t", "keep") == wallet.Record("t", "keep", "kept", {"a": "1"})
            await wallet.add_record("t", "new", "text")
            await wallet.add_record("t", "new2", "text", {"a": "9"})
            assert (await wallet.get_record("t", "new")).tags == {}
            assert (await wallet.get_record("t", "new2")).tags == {"a": "9"}
            assert await found("t", {"a": "2"}) == []

    asyncio.run(run())


async def fill(settings: dict[str, Any]) -> None:
    for each in QUERIES["records"]:
        await wallet.add_record(each["type"], each["id"], each["value"], each["tags"])


def test_queries_find_what_libindy_finds(home: pathlib.Path) -> None:
    settings = config(home, "queries")

    async def run() -> None:
        await make(settings)
        async with opened(settings):
            await fill(settings)
            for case in QUERIES["results"] + QUERIES["documented_forms"]:
                query = json.loads(case["query"])
                assert [record.id for record in await found(QUERIES["type"], query)] == case["ids"], case["query"]
                search = await wallet.search(QUERIES["type"], query, records=False, count=True)
                assert await search.total_count() == len(case["ids"]), case["query"]
                assert await search.next(1) == []
                await search.close()

    asyncio.run(run())


def test_a_malformed_query_is_refused(home: pathlib.Path) -> None:
    settings = config(home, "queries")

    async def run() -> None:
        await make(settings)
        async with opened(settings):
            await fill(settings)
            for text in QUERIES["rejected_with_wallet_query_error"] + QUERIES["documented_forms_rejected"]:
                is_known_form = text in {each["query"] for each in QUERIES["documented_forms"]}
                if is_known_form:
                    continue
                with pytest.raises(msdk.VcxError) as refused:
                    await call("vcx_wallet_open_search", QUERIES["type"], text, "{}")
                assert refused.value.code == INVALID_QUERY, text
                assert refused.value.cause.startswith("query: "), text

    asyncio.run(run())


@pytest.mark.parametrize(
    ("query", "place"),
    [
        ({"a": 5}, "at a"),
        ({"$or": [{"a": "1"}, {"b": {"$gt": "x"}}]}, "at $or[1].b"),
        ({"$not": {"$and": [{"c": {"$in": "x"}}]}}, "at $not.$and[0].c.$in"),
    ],
)
def test_a_refusal_names_the_place_in_the_query(query: Any, place: str, home: pathlib.Path) -> None:
    async def run() -> None:
        async with opened(copy_sample("sample-raw", home)):
            with pytest.raises(msdk.VcxError) as refused:
                await wallet.search("note", query)
            assert refused.value.code == INVALID_QUERY
            assert place in refused.value.cause

    asyncio.run(run())


@pytest.mark.parametrize("options", ["[]", "null", "{", '{"retrieveTags":null}', '{"retrieveRecords":"yes"}'])
def test_options_that_are_none_are_refused(options: str, home: pathlib.Path) -> None:
    async def run() -> None:
        async with opened(copy_sample("sample-raw", home)):
            with pytest.raises(msdk.VcxError) as refused:
                await call("vcx_wallet_open_search", "note", "{}", options)
            assert refused.value.code == INVALID_STRUCTURE

    asyncio.run(run())


def test_tags_come_unless_they_are_not_wanted(home: pathlib.Path) -> None:
    async def run() -> None:
        async with opened(copy_sample("sample-orphans", home)):
            search = await call("vcx_wallet_open_search", "t", "{}", "{}")
            page = json.loads(await call("vcx_wallet_search_next_records", search, 10))
            assert page == {
                "totalCount": None,
                "records": [{"type": None, "id": "keep", "value": "kept", "tags": {"a": "1"}}],
            }

    asyncio.run(run())
