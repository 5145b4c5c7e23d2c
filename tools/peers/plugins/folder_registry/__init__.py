"""A registry of files for ids of `did:indy`, as a plugin of ACA-Py 1.7, which has none for them.

It reads the folder that `FOLDER_REGISTRY` names, in the layout that msdk publishes in.
"""

from __future__ import annotations

import json
import os
import pathlib
import re
import time
import urllib.parse
from typing import Any

from acapy_agent.anoncreds.base import AnonCredsObjectNotFound, BaseAnonCredsResolver
from acapy_agent.anoncreds.models.credential_definition import CredDef, GetCredDefResult
from acapy_agent.anoncreds.models.revocation import GetRevListResult, GetRevRegDefResult, RevList, RevRegDef
from acapy_agent.anoncreds.models.schema import AnonCredsSchema, GetSchemaResult
from acapy_agent.anoncreds.models.schema_info import AnonCredsSchemaInfo
from acapy_agent.anoncreds.registry import AnonCredsRegistry


class FolderRegistry(BaseAnonCredsResolver):  # type: ignore[misc]
    """Reads what is published under ids of `did:indy`."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder

    @property
    def supported_identifiers_regex(self) -> re.Pattern[str]:
        return re.compile("^did:indy:")

    async def setup(self, context: Any) -> None:
        """Has nothing to prepare."""

    def _object(self, kind: str, id: str) -> Any:
        file = self.folder / kind / f"{urllib.parse.quote(id, safe='')}.json"
        if not file.exists():
            raise AnonCredsObjectNotFound(f"no {kind} of the id {id}", {})
        return json.loads(file.read_text())

    async def get_schema(self, _profile: Any, id: str) -> Any:
        return GetSchemaResult(AnonCredsSchema.deserialize(self._object("schema", id)), id, {}, {})

    async def get_schema_info_by_id(self, _profile: Any, id: str) -> Any:
        schema = self._object("schema", id)
        return AnonCredsSchemaInfo(schema["issuerId"], schema["name"], schema["version"])

    async def get_credential_definition(self, _profile: Any, id: str) -> Any:
        return GetCredDefResult(id, CredDef.deserialize(self._object("cred_def", id)), {}, {})

    async def get_revocation_registry_definition(self, _profile: Any, id: str) -> Any:
        return GetRevRegDefResult(RevRegDef.deserialize(self._object("rev_reg_def", id)), id, {}, {})

    async def get_revocation_list(self, _profile: Any, id: str, _from: int = 0, to: int | None = None) -> Any:
        """The list in force at a time."""
        latest = time.time() if to is None else to
        found = [each for each in self._object("rev_status_list", id) if each["timestamp"] <= latest]
        return GetRevListResult(RevList.deserialize(found[-1]), {}, {})


async def setup(context: Any) -> None:
    """ACA-Py calls it when it starts."""
    context.inject(AnonCredsRegistry).register(FolderRegistry(pathlib.Path(os.environ["FOLDER_REGISTRY"])))
