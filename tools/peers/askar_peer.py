"""Runs in the environment of aries-askar: migrates a wallet in place, and prints what askar finds in it.

    python askar_peer.py FILE NAME METHOD < request

The request is JSON: the wallet's `key`, and `queries`, pairs of a type and a query's text. The answer has every record,
and for each query the ids and the count.
"""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

from aries_askar import Store  # type: ignore[import-not-found]
from aries_askar.bindings import invoke_async  # type: ignore[import-not-found]
from aries_askar.bindings.lib import FfiStr  # type: ignore[import-not-found]


def described(entry: Any) -> dict[str, Any]:
    tags = {name: value if isinstance(value, str) else sorted(value) for name, value in entry.tags.items()}
    return {"type": entry.category, "id": entry.name, "value": entry.value.decode(), "tags": tags}


async def answered(store: Any, type: str, query: str) -> dict[str, Any]:
    ids = sorted([entry.name async for entry in store.scan(type, query)])
    async with store.session() as session:
        return {"ids": ids, "count": await session.count(type, query)}


async def main(file: str, name: str, method: str, request: dict[str, Any]) -> dict[str, Any]:
    uri, key = f"sqlite://{file}", request["key"]
    await invoke_async("askar_migrate_indy_sdk", (FfiStr,) * 4, uri, name, key, method)
    store = await Store.open(uri, pass_key=key)
    try:
        return {
            "records": [described(entry) async for entry in store.scan()],
            "answers": [await answered(store, type, query) for type, query in request["queries"]],
        }
    finally:
        await store.close()


if __name__ == "__main__":
    print(json.dumps(asyncio.run(main(sys.argv[1], sys.argv[2], sys.argv[3], json.load(sys.stdin)))))
