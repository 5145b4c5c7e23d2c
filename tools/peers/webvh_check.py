"""Reads a DID of did:webvh and its resources with the method's library for Python. Runs in the environment of `webvh.txt`.

    python webvh_check.py FOLDER DID

`FOLDER` is the DID's own. Prints a JSON object: the resolved `document`, null if the library refuses the log; the `resources`
that it accepts, by their types; and the number of the changed logs that it accepts among `changed`.
"""

from __future__ import annotations

import asyncio
import collections
import json
import pathlib
import random
import sys
import tempfile
from typing import Any

from did_webvh.core.proof import di_jcs_verify  # type: ignore[import-not-found]
from did_webvh.resolver import resolve_did  # type: ignore[import-not-found]

import webvh_documents
from webvh_mutations import change_character

CHANGED = 20


def document(did: str, lines: list[str]) -> Any:
    """The document of the last version; None if the library refuses the log. It fails in many ways."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        folder.joinpath("did.jsonl").write_text("".join(line + "\n" for line in lines))
        try:
            found = asyncio.run(resolve_did(did, local_history=folder, add_implicit=False))
        except Exception:
            return None
    return found.document


def is_valid(resource: Any, did: str, found: Any) -> bool:
    methods = {each["id"]: each for each in found["verificationMethod"] if each["id"] in found["assertionMethod"]}
    try:
        di_jcs_verify(resource, resource["proof"], methods[resource["proof"]["verificationMethod"]])
    except Exception:
        return False
    digest = webvh_documents.digest(resource["content"])
    return bool(resource["id"] == f"{did}/resources/{digest}" and resource["metadata"]["resourceId"] == digest)


def main() -> None:
    folder, did = pathlib.Path(sys.argv[1]), sys.argv[2]
    lines = (folder / "did.jsonl").read_text().splitlines()
    found = document(did, lines)
    resources = [json.loads(file.read_text()) for file in sorted((folder / "resources").glob("*"))]
    valid = [each["metadata"]["resourceType"] for each in resources if found and is_valid(each, did, found)]
    dice = random.Random(36)
    changed = [document(did, change_character(lines, dice)) for _ in range(CHANGED)]
    accepted = sum(each is not None for each in changed)
    print(json.dumps({"document": found, "resources": collections.Counter(valid), "changed": CHANGED, "accepted": accepted}))


if __name__ == "__main__":
    main()
