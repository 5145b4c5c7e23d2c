"""The objects that the wallet keeps, if the configuration has `"keep_objects": true`."""

from __future__ import annotations

import dataclasses
import json
from typing import Optional

from ._calls import call
from ._checked import checked


@dataclasses.dataclass(frozen=True)
class KeptObject:
    """An object in the wallet, as it was after its last change. Open it with `open` of its class and its `id`.

    `type` is "connection", "credential", "disclosed_proof", "issuer_credential", "proof", "schema" or "credentialdef".
    `source_id` is the name that the program gave, and `state` is a number of the class's states. `finished` says whether the
    exchange is over. `thread` is the id of its messages, `pairwise_did` is our DID in the connection and `their_did` the
    peer's, as far as they are known. `changed` is a time in seconds since 1970.
    """

    id: str
    type: str
    source_id: str
    state: int
    finished: bool
    thread: Optional[str]
    pairwise_did: Optional[str]
    their_did: Optional[str]
    changed: int


@checked
async def kept_objects(
    type: Optional[str] = None,
    *,
    source_id: Optional[str] = None,
    thread: Optional[str] = None,
    pairwise_did: Optional[str] = None,
    their_did: Optional[str] = None,
    state: Optional[int] = None,
    finished: Optional[bool] = None,
    limit: Optional[int] = None,
) -> list[KeptObject]:
    """The objects that the wallet keeps and that meet all conditions; the object that has changed last comes first."""
    conditions = {
        "type": type, "source_id": source_id, "thread": thread, "pairwise_did": pairwise_did, "their_did": their_did,
        "state": state, "finished": finished, "limit": limit,
    }
    query = json.dumps({name: value for name, value in conditions.items() if value is not None})
    return [KeptObject(**each) for each in json.loads(await call("msdk_objects_list", query))]


@checked
async def delete_object(object_id: str) -> None:
    """Deletes an object from the wallet, and releases it. A credential and a connection's mailbox stay: `delete` of their
    classes deletes these too."""
    await call("msdk_object_delete", object_id)
