"""Records of the application in the encrypted wallet. Type and id together name a record."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from typing import Optional

from ._calls import call


@dataclasses.dataclass(frozen=True)
class Record:
    """A record as the wallet holds it. Tags whose names begin with "~" are stored unencrypted."""

    type: str
    id: str
    value: str
    tags: dict[str, str]


async def add_record(type: str, id: str, value: str, tags: Optional[Mapping[str, str]] = None) -> None:
    """Stores a new record; one that is there already is an error (1072)."""
    await call("vcx_wallet_add_record", type, id, value, json.dumps(dict(tags or {})))


async def get_record(type: str, id: str) -> Record:
    """The record; a missing one is an error (1073)."""
    options = {"retrieveType": True, "retrieveValue": True, "retrieveTags": True}
    found = json.loads(await call("vcx_wallet_get_record", type, id, json.dumps(options)))
    return Record(type, id, found["value"], found["tags"] or {})


async def update_record_value(type: str, id: str, value: str) -> None:
    """Replaces the value of a record and leaves its tags; a missing one is an error (1073)."""
    await call("vcx_wallet_update_record_value", type, id, value)


async def delete_record(type: str, id: str) -> None:
    """Removes the record; a missing one is an error (1073)."""
    await call("vcx_wallet_delete_record", type, id)
