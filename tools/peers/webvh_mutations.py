"""Makes changed logs of did:webvh and changed resources, each with the verdict of the method's library for Python. Runs in the
environment of `webvh.txt`, and prints the same text each time.

    python webvh_mutations.py > Tests/Fixtures/webvh/mutations.json

Half of the changes leave hashes and proofs as they were. The others are sealed again with the controller's keys, so that the
rules alone decide.
"""

from __future__ import annotations

import asyncio
import json
import pathlib
import random
import re
import string
import sys
import tempfile
from collections.abc import Callable
from typing import Any

from did_webvh.core.proof import di_jcs_verify  # type: ignore[import-not-found]
from did_webvh.resolver import resolve_did  # type: ignore[import-not-found]

from webvh_documents import Controller, copy, described, digest, key, key_hash, sealed

JSON = dict[str, Any]

SMALL: JSON = {"verificationMethod": [], "assertionMethod": []}
KEYS = [key(number) for number in range(1, 6)]
TEXT, SEALED, RESOURCES = 100, 110, 60
"""The numbers of changes of each kind."""


def logs() -> dict[str, tuple[Controller, list[JSON] | None]]:
    """Valid logs, with the proofs of their witnesses: plain, with pre-rotation, with witnesses, moved, deactivated."""
    first, second, third, witness, other = KEYS
    plain = Controller("example.com", first, document=SMALL)
    plain.update({"updateKeys": [second.multikey]}, {"alsoKnownAs": ["https://example.com/é"]}, time=day(2))
    plain.update({"ttl": 60}, pair=second, time=day(3))
    rotated = Controller("example.com%3A8443:a:b", first, {"nextKeyHashes": [key_hash(second)]}, SMALL)
    keys = {"updateKeys": [second.multikey], "nextKeyHashes": [key_hash(third), key_hash(other)]}
    rotated.update(keys, pair=second, time=day(2))
    rotated.update({"updateKeys": [third.multikey], "nextKeyHashes": []}, pair=third, time=day(3))
    rule = {"threshold": 1, "witnesses": [{"id": f"did:key:{witness.multikey}"}, {"id": f"did:key:{other.multikey}"}]}
    watched = Controller("example.com", first, {"witness": rule}, SMALL)
    watched.update(time=day(2))
    moved = Controller("example.com", first, {"portable": True}, SMALL)
    there = moved.did.replace("example.com", "example.org")
    moved.update(document={"id": there, "alsoKnownAs": [moved.did]}, time=day(2))
    ended = Controller("example.com", first, document=SMALL)
    ended.update({"deactivated": True, "updateKeys": []}, time=day(2))
    return {
        "plain": (plain, None),
        "rotated": (rotated, None),
        "watched": (watched, [watched.witness_proof(witness, 2, day(2))]),
        "moved": (moved, None),
        "ended": (ended, None),
    }


def day(number: int) -> str:
    return f"2025-01-{number:02}T00:00:00Z"


async def accepts(did: str, lines: list[str], proofs: Any) -> bool:
    """The library's verdict. It fails in many ways for texts that are no logs."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        folder.joinpath("did.jsonl").write_text("".join(line + "\n" for line in lines))
        if proofs is not None:
            folder.joinpath("did-witness.json").write_text(json.dumps(proofs))
        try:
            result = await resolve_did(did, local_history=folder, add_implicit=False)
        except Exception:
            return False
        return result.document is not None


def judged(did: str, lines: list[str], proofs: Any) -> bool:
    return asyncio.run(accepts(did, lines, proofs))


# Changes of a text

def change_character(lines: list[str], dice: random.Random) -> list[str]:
    at = dice.randrange(len(lines))
    place = dice.choice([match.start() for match in re.finditer("[A-Za-z0-9]", lines[at])])
    other = dice.choice([each for each in string.ascii_letters + string.digits if each != lines[at][place]])
    return [*lines[:at], lines[at][:place] + other + lines[at][place + 1 :], *lines[at + 1 :]]


def cut(lines: list[str], dice: random.Random) -> list[str]:
    return [*lines[:-1], lines[-1][: dice.randrange(len(lines[-1]))]]


def repeat(lines: list[str], dice: random.Random) -> list[str]:
    at = dice.randrange(len(lines))
    return [*lines[: at + 1], *lines[at:]]


def leave_out(lines: list[str], dice: random.Random) -> list[str]:
    at = dice.randrange(len(lines) - 1)
    return [*lines[:at], *lines[at + 1 :]]


def exchange(lines: list[str], _: random.Random) -> list[str]:
    return [lines[1], lines[0], *lines[2:]]


def remove_member(lines: list[str], dice: random.Random) -> list[str]:
    at = dice.randrange(len(lines))
    entry = json.loads(lines[at])
    holder = dice.choice([entry, entry["state"], entry["proof"][0]])
    del holder[dice.choice(sorted(holder))]
    return [*lines[:at], json.dumps(entry), *lines[at + 1 :]]


TEXT_CHANGES: list[Callable[[list[str], random.Random], list[str]]] = [
    change_character, change_character, change_character, cut, repeat, leave_out, exchange, remove_member,
]


# Changes that are sealed again

VALUES: list[Any] = [None, True, 0, -1, 1.5, "", "x", [], ["x"], {}, {"x": 1}, [1], "did:webvh:0.5", 10**12]
PARAMETERS = ["method", "scid", "updateKeys", "nextKeyHashes", "witness", "watchers", "portable", "deactivated", "ttl", "x"]
TIMES = [day(1), day(2), "2024-01-01T00:00:00Z", "2025-01-02", "x", "", "2025-01-02T00:00:00", "2025-13-01T00:00:00Z"]


def seal(entries: list[JSON], at: int, pairs: list[Any]) -> list[str]:
    """Seals an entry and leaves out the later ones. The first entry keeps its SCID."""
    before = entries[at - 1]["versionId"] if at else entries[0]["parameters"].get("scid", "")
    made = sealed(entries[at], str(before), at + 1, pairs)
    return [json.dumps(each, ensure_ascii=False) for each in [*entries[:at], made]]


def resealed(entries: list[JSON], dice: random.Random, signers: list[Any]) -> list[str]:
    at = dice.randrange(1, len(entries))
    entry = entries[at]
    kind = dice.choice(["parameter", "parameter", "parameter", "time", "id", "signer", "signers", "member", "witness"])
    pairs = [signers[at]]
    if kind == "parameter":
        entry["parameters"][dice.choice(PARAMETERS)] = dice.choice(VALUES)
    elif kind == "time":
        entry["versionTime"] = dice.choice(TIMES)
    elif kind == "id":
        did = entry["state"]["id"]
        entry["state"]["id"] = dice.choice([did.replace("example", "other"), did[:-4], "did:web:x.y", did + "/x", did + ":a"])
    elif kind == "signer":
        pairs = [dice.choice(KEYS)]
    elif kind == "signers":
        pairs = dice.choice([[], [signers[at], KEYS[4]], [signers[at], signers[at]]])
    elif kind == "member":
        entry[dice.choice(["x", "state", "parameters"])] = dice.choice(VALUES)
    else:
        names = [{"id": f"did:key:{each.multikey}"} for each in dice.sample(KEYS, dice.randrange(3))]
        entry["parameters"]["witness"] = {"threshold": dice.randrange(-1, 3), "witnesses": names}
    return seal(entries, at, pairs)


# Changes of a resource

def resource_verdict(resource: Any, id: str, document: JSON) -> bool:
    """The checks of the specification, with the library's proofs."""
    try:
        methods = {each["id"]: each for each in document["verificationMethod"]}
        if resource["id"] != id or resource["metadata"]["resourceType"] != "anonCredsSchema":
            return False
        if digest(resource["content"]) != id.split("/")[-1] or resource["metadata"]["resourceId"] != id.split("/")[-1]:
            return False
        if resource["proof"]["proofPurpose"] != "assertionMethod":
            return False
        di_jcs_verify(resource, resource["proof"], methods[resource["proof"]["verificationMethod"]])
    except Exception:
        return False
    return True


def changed_resource(controller: Controller, dice: random.Random) -> Any:
    content = {"issuerId": controller.did, "name": "degree", "version": "1.0", "attrNames": ["a", "b"]}
    resource = controller.resource(content, "anonCredsSchema", "degree", time=day(1))
    kind = dice.choice(["none", "member", "deep", "sealed", "signer", "text"])
    if kind == "member":
        resource[dice.choice([*sorted(resource), "x"])] = dice.choice(VALUES)
    elif kind == "deep":
        holder = resource[dice.choice(["content", "metadata", "proof"])]
        holder[dice.choice([*sorted(holder), "x"])] = dice.choice(VALUES)
    elif kind == "sealed":
        other = {**content, "name": dice.choice(["other", "", "degré"])}
        sealed_again = controller.resource(other, dice.choice(["anonCredsSchema", "anonCredsCredDef"]), "degree", time=day(1))
        resource = {**sealed_again, "id": dice.choice([resource["id"], sealed_again["id"]])}
    elif kind == "signer":
        resource = controller.resource(content, "anonCredsSchema", "degree", pair=dice.choice(KEYS), time=day(1))
    elif kind == "text":
        text = json.dumps(resource)
        place = dice.choice([match.start() for match in re.finditer("[A-Za-z0-9]", text)])
        try:
            resource = json.loads(text[:place] + "7" + text[place + 1 :])
        except ValueError:
            pass
    return resource


def main() -> None:
    dice = random.Random(36)
    made = logs()
    originals = {name: [json.dumps(state.history_line(), ensure_ascii=False) for state in each.states] for name, (each, _) in made.items()}
    dids = {name: str(each.states[-1].document_id) for name, (each, _) in made.items()}
    signers = {
        "plain": [KEYS[0], KEYS[0], KEYS[1]], "rotated": KEYS[:3], "watched": [KEYS[0]] * 2, "moved": [KEYS[0]] * 2,
        "ended": [KEYS[0]] * 2,
    }
    names = sorted(made)
    cases: list[JSON] = []

    def add(name: str, lines: list[str], kind: str) -> None:
        kept = 0
        while kept < min(len(lines), len(originals[name])) and lines[kept] == originals[name][kept]:
            kept += 1
        verdict = judged(dids[name], lines, made[name][1])
        cases.append({"log": name, "kind": kind, "kept": kept, "lines": lines[kept:], "accepted": verdict})

    for name in names:
        add(name, originals[name], "none")
    for number in range(TEXT):
        name = names[number % len(names)]
        change = dice.choice(TEXT_CHANGES)
        add(name, change(list(originals[name]), dice), change.__name__)
    for number in range(SEALED):
        name = names[number % len(names)]
        add(name, resealed([json.loads(each) for each in originals[name]], dice, signers[name]), "sealed")

    issuer = Controller("example.com", KEYS[0])
    document = issuer.states[0].document
    content = {"issuerId": issuer.did, "name": "degree", "version": "1.0", "attrNames": ["a", "b"]}
    id = str(issuer.resource(content, "anonCredsSchema", "degree", time=day(1))["id"])
    resources = []
    for _ in range(RESOURCES):
        resource = changed_resource(issuer, dice)
        resources.append({"resource": resource, "accepted": resource_verdict(copy(resource), id, document)})
    result = {
        "logs": {name: {"did": dids[name], "lines": originals[name], "witness": made[name][1]} for name in names},
        "changes": cases,
        "issuer": issuer.log,
        "id": id,
        "resources": resources,
    }
    json.dump(result, sys.stdout, ensure_ascii=False, separators=(",", ":"))
    sys.stdout.write("\n")


if __name__ == "__main__":
    main()
