"""The file, its answers to Indy requests, and the folder in which its objects are published.

Each line of the file is one write: `{"seqNo", "txnTime", "from", "op"}`, where `op` is the operation of Indy's request.
"""

from __future__ import annotations

import fcntl
import json
import os
import pathlib
import time
import urllib.parse
from collections.abc import Callable, Iterator
from typing import Any

NYM, ATTRIB, SCHEMA, DEFINITION, REGISTRY, ENTRY = "1", "100", "101", "102", "113", "114"
WRITES = (NYM, ATTRIB, SCHEMA, DEFINITION, REGISTRY, ENTRY)

Entry = dict[str, Any]


class FileLedger:
    """A ledger in the file `path`; its objects are published in the folder `registry` beside it."""

    def __init__(self, path: pathlib.Path) -> None:
        self.path = path
        self.folder = path.parent / "registry"

    def submit(self, body: str) -> Any:
        """Answers a request as indy-vdr does."""
        request = json.loads(body)
        operation = request["operation"]
        if operation["type"] in WRITES:
            entry = self.append(request["identifier"], operation)
            return {"txnMetadata": {"seqNo": entry["seqNo"], "txnTime": entry["txnTime"]}}
        answer: Callable[[Any], Any] | None = getattr(self, "get_" + operation["type"], None)
        return answer(operation) if answer else {"data": None}

    # The file

    def entries(self) -> list[Entry]:
        if not self.path.exists():
            return []
        return [json.loads(line) for line in self.path.read_text().splitlines()]

    def append(self, author: str, operation: Any) -> Entry:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with open(self.path, "a+") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            file.seek(0)
            number = 1 + sum(1 for _ in file)
            entry = {"seqNo": number, "txnTime": int(time.time()), "from": author, "op": operation}
            file.write(json.dumps(entry) + "\n")
        self.publish()
        return entry

    def _of(self, kind: str) -> Iterator[Entry]:
        return (entry for entry in self.entries() if entry["op"]["type"] == kind)

    def _last(self, kind: str, test: Callable[[Entry], bool]) -> Entry | None:
        return next((entry for entry in reversed(list(self._of(kind))) if test(entry)), None)

    # Reads, by the numbers of Indy's requests

    def get_105(self, op: Any) -> Any:
        """GET_NYM. A later NYM may leave out what it does not change."""
        found = [entry for entry in self._of(NYM) if entry["op"]["dest"] == op["dest"]]
        if not found:
            return {"data": None}
        merged: dict[str, Any] = {}
        for entry in found:
            merged |= {key: value for key, value in entry["op"].items() if value is not None}
        data = {key: merged.get(key) for key in ("dest", "verkey", "role")}
        data |= {"seqNo": found[-1]["seqNo"], "txnTime": found[-1]["txnTime"]}
        return {"data": json.dumps(data), "dest": op["dest"]}

    def get_104(self, op: Any) -> Any:
        """GET_ATTRIB."""
        found = self._last(ATTRIB, lambda e: e["op"]["dest"] == op["dest"] and op["raw"] in json.loads(e["op"]["raw"]))
        return {"data": found["op"]["raw"] if found else None}

    def get_107(self, op: Any) -> Any:
        """GET_SCHEMA."""
        key = (op["dest"], op["data"]["name"], op["data"]["version"])
        found = self._last(SCHEMA, lambda e: (e["from"], e["op"]["data"]["name"], e["op"]["data"]["version"]) == key)
        data = found["op"]["data"] if found else dict(op["data"])
        return {"seqNo": found and found["seqNo"], "dest": op["dest"], "data": data}

    def get_108(self, op: Any) -> Any:
        """GET_CRED_DEF."""
        key = (op["origin"], op["ref"], op.get("tag", "default"))
        found = self._last(DEFINITION, lambda e: (e["from"], e["op"]["ref"], e["op"].get("tag", "default")) == key)
        named = {"ref": op["ref"], "signature_type": "CL", "tag": key[2], "origin": op["origin"]}
        return {"data": found and found["op"]["data"], **named}

    def get_3(self, op: Any) -> Any:
        """GET_TXN."""
        found = next((entry for entry in self.entries() if entry["seqNo"] == op["data"]), None)
        if not found:
            return {"data": None}
        data = {key: value for key, value in found["op"].items() if key != "type"}
        return {"data": {"txn": {"type": found["op"]["type"], "metadata": {"from": found["from"]}, "data": data}}}

    def get_115(self, op: Any) -> Any:
        """GET_REVOC_REG_DEF."""
        found = self._last(REGISTRY, lambda e: bool(e["op"]["id"] == op["id"]))
        if not found:
            return {"data": None, "txnTime": None}
        data = {key: value for key, value in found["op"].items() if key != "type"}
        return {"data": data, "txnTime": found["txnTime"], "seqNo": found["seqNo"]}

    def get_116(self, op: Any) -> Any:
        """GET_REVOC_REG."""
        last = self._revocations(op["revocRegDefId"], op["timestamp"])[-1]
        value = {"accum": last["op"]["value"]["accum"]}
        return {"data": {"revocRegDefId": op["revocRegDefId"], "txnTime": last["txnTime"], "value": value}}

    def get_117(self, op: Any) -> Any:
        """GET_REVOC_REG_DELTA."""
        entries = self._revocations(op["revocRegDefId"], op["to"])
        if not entries:
            return {"data": None}
        start = op.get("from")
        before = [entry for entry in entries if start and entry["txnTime"] <= start]
        now, then = _revoked(entries), _revoked(before)
        value = {"accum_to": _accumulator(entries[-1]), "issued": sorted(then - now), "revoked": sorted(now - then)}
        if before:
            value["accum_from"] = _accumulator(before[-1])
        return {"data": {"revocRegDefId": op["revocRegDefId"], "revocDefType": "CL_ACCUM", "value": value}}

    def _revocations(self, registry: str, until: float) -> list[Entry]:
        return [e for e in self._of(ENTRY) if e["op"]["revocRegDefId"] == registry and e["txnTime"] <= until]

    # The registry of files

    def publish(self) -> None:
        """Writes every object in AnonCreds' form."""
        schemas = {}
        for entry in self._of(SCHEMA):
            data, author = entry["op"]["data"], entry["from"]
            id = schemas[entry["seqNo"]] = f"{author}:2:{data['name']}:{data['version']}"
            schema = {"issuerId": author, "name": data["name"], "version": data["version"]}
            self._write("schema", id, schema | {"attrNames": data["attr_names"]})
        for entry in self._of(DEFINITION):
            op, author = entry["op"], entry["from"]
            tag = op.get("tag", "default")
            definition = {"issuerId": author, "schemaId": schemas[op["ref"]], "type": "CL", "tag": tag}
            self._write("cred_def", f"{author}:3:CL:{op['ref']}:{tag}", definition | {"value": op["data"]})
        for entry in self._of(REGISTRY):
            self._publish_registry(entry["op"])

    def _publish_registry(self, op: Any) -> None:
        author = op["id"].split(":")[0]
        self._write("rev_reg_def", op["id"], {"issuerId": author, **{k: v for k, v in op.items() if k != "type"}})
        size, lists = op["value"]["maxCredNum"] + 1, []
        entries = self._revocations(op["id"], time.time())
        for count, entry in enumerate(entries, 1):
            revoked = _revoked(entries[:count])
            lists.append(
                {
                    "revRegDefId": op["id"],
                    "issuerId": author,
                    "revocationList": [int(index in revoked) for index in range(size)],
                    "currentAccumulator": entry["op"]["value"]["accum"],
                    "timestamp": entry["txnTime"],
                }
            )
        self._write("rev_status_list", op["id"], lists)

    def _write(self, kind: str, id: str, value: Any) -> None:
        """A reader finds the whole object or the one before."""
        file = self.folder / kind / (urllib.parse.quote(id, safe="") + ".json")
        file.parent.mkdir(parents=True, exist_ok=True)
        draft = file.with_suffix(f".{os.getpid()}")
        draft.write_text(json.dumps(value))
        draft.replace(file)


def _revoked(entries: list[Entry]) -> set[int]:
    revoked: set[int] = set()
    for entry in entries:
        value = entry["op"]["value"]
        revoked = (revoked | set(value.get("revoked", []))) - set(value.get("issued", []))
    return revoked


def _accumulator(entry: Entry) -> Any:
    return {"value": {"accum": entry["op"]["value"]["accum"]}, "txnTime": entry["txnTime"]}
