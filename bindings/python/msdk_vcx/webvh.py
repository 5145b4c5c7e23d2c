"""The DIDs of did:webvh under which this program issues."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Optional

from ._calls import call
from ._checked import checked


@checked
async def create_web_did(
    place: str, document: Optional[Mapping[str, Any]] = None, pre_rotation: bool = True, ttl: Optional[int] = None
) -> str:
    """Makes a DID with keys in the wallet, and publishes its log where the configuration opens `webvh` for writing.

    `place` is the host with a port and a path, such as `example.com:issuers:1`. `document` has members of the DID's
    document besides its keys, such as `service`. With `pre_rotation`, each version fixes the keys of the next one. Readers
    may remember the DID for `ttl` seconds. Returns the DID, for `institution_did` of the next start.
    """
    options = _members(document=document, ttl=ttl)
    did: str = await call("msdk_webvh_create", place, json.dumps({**options, "pre_rotation": pre_rotation}))
    return did


@checked
async def update_web_did(
    did: str,
    document: Optional[Mapping[str, Any]] = None,
    rotate: bool = False,
    pre_rotation: Optional[bool] = None,
    ttl: Optional[int] = None,
) -> str:
    """Publishes the next version of an own DID, and returns the version's id.

    Members of `document` come instead of the former ones; None removes one. With pre-rotation each version has new keys;
    without it, `rotate` asks for them.
    """
    changes = _members(document=document, rotate=rotate or None, pre_rotation=pre_rotation, ttl=ttl)
    version: str = await call("msdk_webvh_update", did, json.dumps(changes))
    return version


@checked
async def deactivate_web_did(did: str) -> str:
    """Ends an own DID for ever: readers refuse its objects then. Returns the id of the last version."""
    version: str = await call("msdk_webvh_deactivate", did)
    return version


def _members(**members: Any) -> dict[str, Any]:
    return {name: value for name, value in members.items() if value is not None}
