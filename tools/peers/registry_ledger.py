"""Copies a registry of files into the ledger file of the `file_ledger` plugin, so that ACA-Py reads what msdk publishes.

Objects with ids of `did:indy` are left out: ACA-Py asks no ledger for them.
"""

from __future__ import annotations

import json
import pathlib
import urllib.parse
from collections.abc import Iterator
from typing import Any

Entry = dict[str, Any]


def copy(registry: pathlib.Path, ledger: pathlib.Path) -> None:
    """Writes the ledger anew. Schemas keep the numbers that the ids of their definitions contain."""
    entries = list(_entries(registry))
    draft = ledger.with_suffix(".new")
    draft.write_text("".join(json.dumps(entry) + "\n" for entry in entries))
    draft.replace(ledger)


def _entries(registry: pathlib.Path) -> Iterator[Entry]:
    definitions = dict(_objects(registry, "cred_def"))
    numbers = {value["schemaId"]: int(id.split(":")[3]) for id, value in definitions.items()}
    for id, schema in _objects(registry, "schema"):
        data = {"name": schema["name"], "version": schema["version"], "attr_names": schema["attrNames"]}
        yield _entry(id, {"type": "101", "data": data}, numbers.get(id, 1))
    for id, value in definitions.items():
        content = {"ref": numbers[value["schemaId"]], "tag": value["tag"], "signature_type": "CL", "data": value["value"]}
        yield _entry(id, {"type": "102", **content})
    for id, value in _objects(registry, "rev_reg_def"):
        kept = {key: value[key] for key in ("revocDefType", "tag", "credDefId")}
        content = {**value["value"], "issuanceType": "ISSUANCE_BY_DEFAULT"}
        yield _entry(id, {"type": "113", "ver": "1.0", "id": id, **kept, "value": content})
    for id, lists in _objects(registry, "rev_status_list"):
        revoked: set[int] = set()
        for each in lists:
            now = {place for place, mark in enumerate(each["revocationList"]) if mark}
            value = {"accum": each["currentAccumulator"], "issued": [], "revoked": sorted(now - revoked)}
            content = {"revocRegDefId": id, "revocDefType": "CL_ACCUM", "value": value}
            yield _entry(id, {"type": "114", **content}, time=each["timestamp"])
            revoked = now


def _entry(id: str, op: Any, number: int = 1, time: int = 1) -> Entry:
    return {"seqNo": number, "txnTime": time, "from": id.split(":")[0], "op": op}


def _objects(registry: pathlib.Path, kind: str) -> Iterator[tuple[str, Any]]:
    for file in sorted((registry / kind).glob("*.json")):
        id = urllib.parse.unquote(file.stem)
        if not id.startswith("did:"):
            yield id, json.loads(file.read_text())
