"""AnonCreds objects under DIDs of did:webvh, as a plugin of ACA-Py 1.7, whose own plugin for them is not part of it.

It resolves with the method's library for Python. If `WEBVH_LOCATION` names the place of a DID, such as
`localhost%3A8080:issuers:1`, it makes this DID, and publishes in the folder `WEBVH_FOLDER`, which a web server serves.
"""

from __future__ import annotations

import asyncio
import json
import os
import pathlib
import re
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from typing import Any

import webvh_documents
from acapy_agent.anoncreds.base import (
    AnonCredsObjectNotFound,
    AnonCredsResolutionError,
    BaseAnonCredsRegistrar,
    BaseAnonCredsResolver,
)
from acapy_agent.anoncreds.models.credential_definition import CredDef, CredDefResult, CredDefState, GetCredDefResult
from acapy_agent.anoncreds.models.revocation import (
    GetRevListResult,
    GetRevRegDefResult,
    RevList,
    RevListResult,
    RevListState,
    RevRegDef,
    RevRegDefResult,
    RevRegDefState,
)
from acapy_agent.anoncreds.models.schema import AnonCredsSchema, GetSchemaResult, SchemaResult, SchemaState
from acapy_agent.anoncreds.models.schema_info import AnonCredsSchemaInfo
from acapy_agent.anoncreds.registry import AnonCredsRegistry
from acapy_agent.revocation.util import notify_revocation_published_event
from did_webvh.core.proof import di_jcs_verify
from did_webvh.resolver import resolve_did

SCHEMA, DEFINITION, REGISTRY, LIST = "anonCredsSchema", "anonCredsCredDef", "anonCredsRevocRegDef", "anonCredsStatusList"


class Reader:
    """Fetches and verifies attested resources."""

    async def resource(self, id: str, kind: str) -> Any:
        return await asyncio.to_thread(self._resource, id, kind)

    def _resource(self, id: str, kind: str) -> Any:
        did, _, path = id.partition("/")
        base = _url(did)
        document = self._document(did, base)
        resource = json.loads(_fetch(f"{base}{path}"))
        digest = id.rsplit("/", 1)[-1]
        if resource["id"] != id or resource["metadata"]["resourceType"] != kind:
            raise AnonCredsResolutionError(f"{id} is another resource")
        if webvh_documents.digest(resource["content"]) != digest or resource["content"]["issuerId"] != did:
            raise AnonCredsResolutionError(f"{id} has another content")
        signer = resource["proof"]["verificationMethod"]
        methods = {each["id"]: each for each in document["verificationMethod"] if each["id"] in document["assertionMethod"]}
        di_jcs_verify(resource, resource["proof"], methods[signer])
        return resource

    def _document(self, did: str, base: str) -> Any:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            folder.joinpath("did.jsonl").write_bytes(_fetch(f"{base}did.jsonl"))
            result = asyncio.run(resolve_did(did, local_history=folder, add_implicit=False))
        if result.document is None:
            raise AnonCredsResolutionError(f"{did} cannot be resolved: {result.resolution_metadata}")
        return result.document


def _url(did: str) -> str:
    """The URL of the folder of a DID, whose host is a name of this machine. Not all systems know the names below
    `localhost`."""
    authority, *path = did.split(":")[3:]
    port = authority.partition("%3A")[2]
    return "/".join([f"http://127.0.0.1:{port}", *path, ""])


def _fetch(url: str) -> bytes:
    try:
        with urllib.request.urlopen(url, timeout=10) as answer:
            return bytes(answer.read())
    except urllib.error.HTTPError as error:
        raise AnonCredsObjectNotFound(f"{url}: {error.code}", {}) from None


class Writer:
    """The DID of the agent, and the folder of its files."""

    def __init__(self, folder: pathlib.Path, location: str) -> None:
        self.place = folder.joinpath(*location.split(":")[1:])
        self.controller = webvh_documents.Controller(location, webvh_documents.key())
        self._registries: dict[str, Any] = {}
        self._links: dict[str, list[dict[str, Any]]] = {}
        self._write("did.jsonl", self.controller.log)

    def add(self, content: Any, kind: str, name: str, links: list[dict[str, Any]] | None = None) -> str:
        resource = self.controller.resource(content, kind, name, links)
        self._write("/".join(resource["id"].split("/")[1:]), json.dumps(resource))
        return str(resource["id"])

    def add_registry(self, content: Any) -> str:
        """ACA-Py names another place of the tails file later: the content that was published counts."""
        id = self.add(content, REGISTRY, content["tag"])
        self._registries[id] = content
        return id

    def add_list(self, id: str, content: Any) -> None:
        """Publishes a list, and its registry once more with a link to it."""
        registry = self._registries[id]
        made = self.add(content, LIST, registry["tag"])
        self._links.setdefault(id, []).append({"id": made, "type": LIST, "timestamp": content["timestamp"]})
        self.add(registry, REGISTRY, registry["tag"], self._links[id])

    def _write(self, name: str, text: str) -> None:
        """A reader finds the whole file or the one before."""
        file = self.place / name
        file.parent.mkdir(parents=True, exist_ok=True)
        draft = file.with_name(file.name + ".new")
        draft.write_text(text)
        draft.replace(file)


class WebVHRegistry(BaseAnonCredsResolver, BaseAnonCredsRegistrar):  # type: ignore[misc]
    """Reads everybody's objects, and publishes the agent's own."""

    def __init__(self, writer: Writer | None) -> None:
        self.reader, self.writer = Reader(), writer

    @property
    def supported_identifiers_regex(self) -> re.Pattern[str]:
        return re.compile("^did:webvh:")

    async def setup(self, context: Any) -> None:
        """Has nothing to prepare."""

    # Reading

    async def get_schema(self, _profile: Any, id: str) -> Any:
        content = (await self.reader.resource(id, SCHEMA))["content"]
        return GetSchemaResult(AnonCredsSchema.deserialize(content), id, {}, {})

    async def get_schema_info_by_id(self, _profile: Any, id: str) -> Any:
        schema = (await self.reader.resource(id, SCHEMA))["content"]
        return AnonCredsSchemaInfo(schema["issuerId"], schema["name"], schema["version"])

    async def get_credential_definition(self, _profile: Any, id: str) -> Any:
        content = (await self.reader.resource(id, DEFINITION))["content"]
        return GetCredDefResult(id, CredDef.deserialize(content), {}, {})

    async def get_revocation_registry_definition(self, _profile: Any, id: str) -> Any:
        content = (await self.reader.resource(id, REGISTRY))["content"]
        return GetRevRegDefResult(RevRegDef.deserialize(content), id, {}, {})

    async def get_revocation_list(self, _profile: Any, id: str, _from: int = 0, to: int | None = None) -> Any:
        """The list in force at a time."""
        latest = time.time() if to is None else to
        links = [each for each in (await self.reader.resource(id, REGISTRY))["links"] if each["timestamp"] <= latest]
        link = max(links, key=lambda each: int(each["timestamp"]))
        content = (await self.reader.resource(link["id"], LIST))["content"]
        return GetRevListResult(RevList.deserialize(content), {}, {})

    # Publishing

    def _own(self) -> Writer:
        assert self.writer is not None, "WEBVH_LOCATION is not set"
        return self.writer

    async def register_schema(self, _profile: Any, schema: Any, _options: Any = None) -> Any:
        id = self._own().add(schema.serialize(), SCHEMA, schema.name)
        return SchemaResult(None, SchemaState(SchemaState.STATE_FINISHED, id, schema), {}, {})

    async def register_credential_definition(
        self, _profile: Any, _schema: Any, credential_definition: Any, _options: Any = None
    ) -> Any:
        id = self._own().add(credential_definition.serialize(), DEFINITION, credential_definition.tag)
        return CredDefResult(None, CredDefState(CredDefState.STATE_FINISHED, id, credential_definition), {}, {})

    async def register_revocation_registry_definition(
        self, _profile: Any, revocation_registry_definition: Any, _options: Any = None
    ) -> Any:
        id = self._own().add_registry(revocation_registry_definition.serialize())
        state = RevRegDefState(RevRegDefState.STATE_FINISHED, id, revocation_registry_definition)
        return RevRegDefResult(None, state, {}, {})

    async def register_revocation_list(
        self, _profile: Any, rev_reg_def: Any, rev_list: Any, _options: Any = None
    ) -> Any:
        return self._published(rev_list)

    async def update_revocation_list(
        self, profile: Any, rev_reg_def: Any, prev_list: Any, curr_list: Any, revoked: Sequence[int], _options: Any = None
    ) -> Any:
        made = self._published(curr_list)
        await notify_revocation_published_event(profile, curr_list.rev_reg_def_id, [str(each) for each in revoked])
        return made

    def _published(self, rev_list: Any) -> Any:
        rev_list.timestamp = int(time.time())
        self._own().add_list(rev_list.rev_reg_def_id, rev_list.serialize())
        return RevListResult(None, RevListState(RevListState.STATE_FINISHED, rev_list), {}, {})


async def setup(context: Any) -> None:
    """ACA-Py calls it when it starts. The DID of the agent is then in the file `did` of the folder."""
    location, writer = os.environ.get("WEBVH_LOCATION"), None
    if location:
        folder = pathlib.Path(os.environ["WEBVH_FOLDER"])
        writer = Writer(folder, location)
        folder.joinpath("did").write_text(writer.controller.did)
    context.inject(AnonCredsRegistry).register(WebVHRegistry(writer))
