"""Records of the application in the encrypted wallet, its credentials, and the wallet as a whole.

Type and id together name a record. Searches find it by its tags. A tag whose name begins with "~" is stored unencrypted,
so that queries can compare it.
"""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import AsyncIterator, Iterable, Mapping
from typing import Any, Optional, Union

from ._calls import call, call_unheard
from ._checked import checked
from ._held import FilePath
from .connection import Connection
from .credential import HeldCredential

Query = Union[Mapping[str, Any], list[Any]]
"""A query over tags, such as `{"colour": "red", "~level": {"$gte": "5"}}`; `{}` finds all."""


@dataclasses.dataclass(frozen=True)
class Record:
    """A record as the wallet holds it. Parts that a search did not ask for are empty."""

    type: str
    id: str
    value: str
    tags: dict[str, str]


# One record


@checked
async def add_record(type: str, id: str, value: str, tags: Optional[Mapping[str, str]] = None) -> None:
    """Stores a new record; one that is there already is an error (1072)."""
    await call("vcx_wallet_add_record", type, id, value, _json(tags or {}))


@checked
async def get_record(type: str, id: str) -> Record:
    """The record; a missing one is an error (1073)."""
    options = {"retrieveType": False, "retrieveValue": True, "retrieveTags": True}
    return _record(type, json.loads(await call("vcx_wallet_get_record", type, id, _json(options))))


@checked
async def update_record_value(type: str, id: str, value: str) -> None:
    """Replaces the value of a record and leaves its tags; a missing one is an error (1073)."""
    await call("vcx_wallet_update_record_value", type, id, value)


@checked
async def update_record_tags(type: str, id: str, tags: Mapping[str, str]) -> None:
    """Gives a record these tags and no others; a missing one is an error (1073)."""
    await call("vcx_wallet_update_record_tags", type, id, _json(tags))


@checked
async def add_record_tags(type: str, id: str, tags: Mapping[str, str]) -> None:
    """Adds tags to a record, and replaces tags of the same name; a missing record is an error (1073)."""
    await call("vcx_wallet_add_record_tags", type, id, _json(tags))


@checked
async def delete_record_tags(type: str, id: str, names: Iterable[str]) -> None:
    """Deletes tags of a record, where it has them; a missing record is an error (1073)."""
    await call("vcx_wallet_delete_record_tags", type, id, json.dumps(list(names)))


@checked
async def delete_record(type: str, id: str) -> None:
    """Removes the record; a missing one is an error (1073)."""
    await call("vcx_wallet_delete_record", type, id)


# Searches


@checked
class Search:
    """The result of a query at the moment it was opened, in no particular order. Later changes do not affect it.

        async with await wallet.search("letter", {"from": "faber"}) as found:
            async for record in found:
                ...

    Iterating fetches page by page. Close a search that you do not read to its end, or use it in an `async with`.
    """

    page_size = 100

    def __init__(self, type: str, handle: int) -> None:
        self._type = type
        self._handle = handle
        self._is_open = True

    async def __aenter__(self) -> Search:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def __aiter__(self) -> AsyncIterator[Record]:
        while records := await self.next(self.page_size):
            for record in records:
                yield record

    async def next(self, count: int) -> list[Record]:
        """The next records, `count` at most; none at the end. An error (1057) after `close` and after shutdown."""
        return (await self._page(count))[0]

    async def total_count(self) -> Optional[int]:
        """How many records match in all, or None if the search was opened without `count`."""
        return (await self._page(0))[1]

    async def close(self) -> None:
        """Releases the result. Closing twice is harmless; after a shutdown it is an error (1057)."""
        if self._is_open:
            self._is_open = False
            await call("vcx_wallet_close_search", self._handle)

    async def _page(self, count: int) -> tuple[list[Record], Optional[int]]:
        page = json.loads(await call("vcx_wallet_search_next_records", self._handle, count))
        return [_record(self._type, each) for each in page["records"] or []], page["totalCount"]


@checked
async def search(
    type: str,
    query: Optional[Query] = None,
    *,
    records: bool = True,
    count: bool = False,
    value: bool = True,
    tags: bool = True,
) -> Search:
    """Opens a search for the records of a type; without a query it finds all. A bad query is an error (1067).

    `records=False` with `count=True` only counts. Without `value` or `tags`, that part of the records is empty.
    """
    options = {
        "retrieveRecords": records,
        "retrieveTotalCount": count,
        "retrieveType": False,
        "retrieveValue": value,
        "retrieveTags": tags,
    }
    text = _json({} if query is None else query)
    return Search(type, await call("vcx_wallet_open_search", type, text, _json(options), unclaimed=_drop))


def _drop(handle: int) -> None:
    call_unheard("vcx_wallet_close_search", handle)


# Credentials


@checked
class CredentialSearch:
    """The credentials that satisfied the conditions when the search was opened, in the order of their arrival.

        async with await wallet.search_credentials(schema_name="diploma") as found:
            async for credential in found:
                ...

    Iterating fetches page by page. Close a search that you do not read to its end, or use it in an `async with`.
    """

    page_size = 100

    def __init__(self, handle: int) -> None:
        self._handle = handle
        self._is_open = True

    async def __aenter__(self) -> CredentialSearch:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def __aiter__(self) -> AsyncIterator[HeldCredential]:
        while credentials := await self.next(self.page_size):
            for credential in credentials:
                yield credential

    async def next(self, count: int) -> list[HeldCredential]:
        """The next credentials, `count` and 1000 at most; none at the end. An error (1057) after `close` and shutdown.

        Their attachments lack the data: `get_credential` has them.
        """
        page = json.loads(await call("msdk_credentials_search_next", self._handle, count))
        return [HeldCredential._read(each) for each in page]

    async def close(self) -> None:
        """Releases the result. Closing twice is harmless; after a shutdown it is an error (1057)."""
        if self._is_open:
            self._is_open = False
            await call("msdk_credentials_close_search", self._handle)


@checked
async def search_credentials(
    *,
    schema_id: Optional[str] = None,
    schema_name: Optional[str] = None,
    schema_version: Optional[str] = None,
    cred_def_id: Optional[str] = None,
    issuer_did: Optional[str] = None,
    attributes: Optional[Mapping[str, Optional[str]]] = None,
    revoked: Optional[bool] = None,
    connection: Optional[Connection] = None,
    received_from: Optional[int] = None,
    received_to: Optional[int] = None,
) -> CredentialSearch:
    """Opens a search for the credentials that satisfy all conditions; without one it finds all.

    `attributes` has the wanted values by name, in any spelling; None stands for any value. The times are in seconds since
    1970. Credentials whose time or connection the wallet does not know satisfy no condition on it.
    """
    conditions: dict[str, Any] = {
        "schema_id": schema_id,
        "schema_name": schema_name,
        "schema_version": schema_version,
        "cred_def_id": cred_def_id,
        "issuer_did": issuer_did,
        "attributes": None if attributes is None else dict(attributes),
        "revoked": revoked,
        "connection": None if connection is None else await connection.pw_did(),
        "received_from": received_from,
        "received_to": received_to,
    }
    query = json.dumps({name: value for name, value in conditions.items() if value is not None})
    return CredentialSearch(await call("msdk_credentials_open_search", query, unclaimed=_drop_credentials))


def _drop_credentials(handle: int) -> None:
    call_unheard("msdk_credentials_close_search", handle)


@checked
async def get_credential(id: str) -> HeldCredential:
    """The credential with this `referent`, and the data of its attachments; a missing one is an error (1073)."""
    return HeldCredential._read(json.loads(await call("msdk_credentials_get", id)))


# The whole wallet


@checked
async def export(path: FilePath, key: str) -> None:
    """Writes the open wallet to a new encrypted file; one that is there already is an error (1074)."""
    await call("vcx_wallet_export", os.fspath(path), key)


@checked
async def import_wallet(config: Mapping[str, Any]) -> None:
    """Creates a wallet from an exported file and leaves it closed.

    `config` has `wallet_name`, `wallet_key`, `exported_wallet_path` and `backup_key`, and may have
    `wallet_key_derivation` and `storage_config`.
    """
    await call("vcx_wallet_import", json.dumps(config))


@checked
async def restore_backup(config: Mapping[str, Any]) -> None:
    """Fetches the newest backup under a passphrase, and goes on with it in place of the open, temporary wallet.

    `config` has the members that `import_wallet` takes; `backup_key` is the passphrase. No backup is an error (1099).
    Then read the application's old configuration from the wallet, shut down, and initialise the library with it.
    """
    await call("vcx_wallet_backup_restore", json.dumps(config))


@checked
async def rekey(new_key: str, derivation: Optional[str] = None) -> None:
    """Gives the open wallet another key: put it into the configuration for the next `init`.

    `derivation` is "ARGON2I_MOD" (also the default), "ARGON2I_INT" or "RAW".
    """
    await call("msdk_wallet_rekey", new_key, derivation)


def _json(value: Any) -> str:
    return json.dumps(dict(value) if isinstance(value, Mapping) else value)


def _record(type: str, found: Mapping[str, Any]) -> Record:
    return Record(type, found["id"], found["value"] or "", found["tags"] or {})
