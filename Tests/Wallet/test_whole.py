"""The wallet as a whole, and searches as Python holds them."""

from __future__ import annotations

import asyncio
import pathlib
from typing import Any

import pytest

import msdk_vcx as msdk
from msdk_vcx import wallet
from msdk_vcx._calls import call
from wallets import EXPORT_KEY, RAW_KEY, SAMPLE_KEY, config, copy_sample, found, make, opened

IO_ERROR, EXISTS, NO_ACCESS, MALFORMED, NO_HANDLE = 1074, 1051, 1075, 1080, 1057


async def code_of(refusal: Any) -> int:
    with pytest.raises(msdk.VcxError) as refused:
        await refusal
    return refused.value.code


def test_an_export_holds_what_a_second_device_needs(home: pathlib.Path) -> None:
    file = home / "backup" / "wallet.export"
    second = config(home, "second", SAMPLE_KEY)

    async def run() -> None:
        async with opened(copy_sample("sample-raw", home)):
            before = await found("note")
            await wallet.export(str(file), "a passphrase")
            assert await code_of(wallet.export(str(file), "a passphrase")) == IO_ERROR
        import_config = {**second, "exported_wallet_path": str(file), "backup_key": "a passphrase"}
        await wallet.import_wallet(import_config)
        assert await code_of(wallet.import_wallet(import_config)) == EXISTS
        async with opened(second):
            assert await found("note") == before
            await wallet.add_record("note", "later", "text")

    asyncio.run(run())
    assert file.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("damage", ["key", "byte", "end", "all"])
def test_a_refused_import_leaves_nothing(damage: str, home: pathlib.Path) -> None:
    settings = config(home, "imported")
    source = pathlib.Path(__file__).parents[1] / "Fixtures/wallet/wallet-sample/sample.export"
    data = bytearray(source.read_bytes())
    if damage == "byte":
        data[len(data) // 2] ^= 1
    file = home / "damaged.export"
    file.write_bytes({"end": bytes(data[:-1]), "all": b""}.get(damage, bytes(data)))
    key = "wrong" if damage == "key" else EXPORT_KEY

    async def run() -> None:
        refusal = wallet.import_wallet({**settings, "exported_wallet_path": str(file), "backup_key": key})
        assert await code_of(refusal) == MALFORMED

    asyncio.run(run())
    assert [each.name for each in home.iterdir()] == ["damaged.export"]


@pytest.mark.parametrize("derivation", ["ARGON2I_MOD", "ARGON2I_INT", "RAW"])
def test_a_new_key_replaces_the_old_one(derivation: str, home: pathlib.Path) -> None:
    old = config(home, "wallet")
    new = config(home, "wallet", SAMPLE_KEY, derivation)

    async def run() -> None:
        await make(old)
        async with opened(old):
            await wallet.add_record("letter", "1", "text")
            await wallet.rekey(SAMPLE_KEY, derivation)
            await wallet.add_record("letter", "2", "text")
        assert await code_of(msdk.init(old)) == NO_ACCESS
        async with opened(new):
            assert [record.id for record in await found("letter")] == ["1", "2"]

    asyncio.run(run())


def test_a_search_is_of_the_moment_it_was_opened(home: pathlib.Path) -> None:
    settings = config(home, "wallet")

    async def run() -> None:
        await make(settings)
        async with opened(settings):
            for number in range(250):
                await wallet.add_record("letter", str(number), "before")
            search = await wallet.search("letter", count=True)
            for number in range(250):
                await wallet.update_record_value("letter", str(number), "after")
            await wallet.add_record("letter", "late", "after")
            assert await search.total_count() == 250
            assert {record.value async for record in search} == {"before"}
            assert await search.next(1) == []
            await search.close()
            await search.close()
            assert await code_of(search.next(1)) == NO_HANDLE

    asyncio.run(run())


def test_parts_that_are_not_wanted_are_empty(home: pathlib.Path) -> None:
    async def run() -> None:
        async with opened(copy_sample("sample-orphans", home)):
            async with await wallet.search("t", value=False, tags=False) as search:
                assert await search.next(2) == [wallet.Record("t", "keep", "", {})]

    asyncio.run(run())


def test_a_cancelled_search_is_closed(home: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[int] = []
    close = wallet._drop

    def note(handle: int) -> None:
        closed.append(handle)
        close(handle)

    monkeypatch.setattr(wallet, "_drop", note)

    async def run() -> None:
        async with opened(copy_sample("sample-raw", home)):
            task = asyncio.ensure_future(wallet.search("note"))
            await asyncio.sleep(0)  # so that it is under way
            task.cancel()
            for _ in range(100):
                if closed:
                    break
                await asyncio.sleep(0.01)
            assert await code_of(call("vcx_wallet_search_next_records", closed[0], 1)) == NO_HANDLE

    asyncio.run(run())


def test_raw_keys_have_32_bytes(home: pathlib.Path) -> None:
    async def run() -> None:
        async with opened(copy_sample("sample-raw", home)):
            assert await code_of(wallet.rekey("short", "RAW")) == MALFORMED
            assert await code_of(wallet.rekey(RAW_KEY, "raw")) == 1007

    asyncio.run(run())
