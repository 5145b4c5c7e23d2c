"""An Indy ledger of one node, in memory, for tests and the demo.

    ledger.py [--lifeline] PORT GENESIS [REQUESTS]

Serves on the loopback port PORT, 0 for a free one, until it is ended. When it serves, it writes its genesis
transactions to the file GENESIS. REQUESTS is a file with an array of requests to write first. With --lifeline it also
ends when its standard input does.

It takes writes of everyone, and checks no roles. It checks who signed schemas, definitions and registries, if their
authors' and endorsers' keys were written before, and that the authors accept the agreement, if one was written. With one
node, one answer without a state proof is a consensus. Libraries that read ledgers, and ACA-Py, work with it unchanged.
"""

from __future__ import annotations

import hashlib
import json
import pathlib
import sys
import time
from typing import Any

import base58
import nacl.signing
import zmq
import zmq.utils.z85 as z85

Object = dict[str, Any]

NYM, ATTRIB, SCHEMA, DEFINITION, REGISTRY, ENTRY = "1", "100", "101", "102", "113", "114"
AGREEMENT, MECHANISMS = "4", "5"
# Any well-formed key does: nothing is signed with it.
BLS = (
    "4N8aUNHSgjQVgkpm8nhNEfDf6txHznoYREg9kirmJrkivgL4oSEimFF6nsQ6M41QvhM2Z33nves5vfSn9n1UwNFJBYtWVnHYMATn76vLuL3zU88KyeAYc"
    "Hfsih3He6UHcXDxcaecHVz6jhCYz1P2UZn2bDVruL5wXpehgBfBaLKm3Ba"
)


def genesis(port: int, key: bytes) -> str:
    node = {
        "alias": "Node1",
        "blskey": BLS,
        "client_ip": "127.0.0.1",
        "client_port": port,
        "node_ip": "127.0.0.1",
        "node_port": port + 1,
        "services": ["VALIDATOR"],
    }
    transaction = {
        "reqSignature": {},
        "txn": {
            "data": {"data": node, "dest": base58.b58encode(key).decode()},
            "metadata": {"from": "Th7MpTaRZVRYnPiabds81Y"},
            "type": "0",
        },
        "txnMetadata": {"seqNo": 1, "txnId": "00" * 32},
        "ver": "1",
    }
    return json.dumps(transaction) + "\n"


def signed(value: Any) -> str:
    """The text of a request that its author signs."""
    if isinstance(value, dict):
        return "|".join(f"{name}:{signed(value[name])}" for name in sorted(value))
    if isinstance(value, list):
        return ",".join(map(signed, value))
    return "" if value is None else str(value)


class Rejected(Exception):
    """The rules of the ledger forbid the write."""


def identifiers(request: Object) -> Object:
    return {name: request.get(name) for name in ("identifier", "reqId")}


class Ledger:
    """The written objects, by their keys. The number of a transaction is its place, from 1."""

    def __init__(self) -> None:
        self.transactions: list[Object] = []
        self.nyms: dict[str, Object] = {}
        self.attributes: dict[str, Object] = {}
        # Number, time and data of what was written.
        self.objects: dict[tuple[Any, ...], tuple[int, int, Any]] = {}
        # Of each registry, one after the other: time, accumulator, revoked places, number.
        self.entries: dict[str, list[tuple[int, str, list[int], int]]] = {}
        # The authors' agreement and the ways to accept it, each with its number and time, by the types of their writes.
        self.terms: dict[str, tuple[int, int, Object]] = {}

    def answer(self, request: Object) -> Object:
        operation = request["operation"]
        if operation["type"] in (SCHEMA, DEFINITION, REGISTRY, ENTRY):
            self.check(request)
            self.check_acceptance(request.get("taaAcceptance"))
        writes = (NYM, ATTRIB, SCHEMA, DEFINITION, REGISTRY, ENTRY)
        return self.write(request) if operation["type"] in writes else self.read(request)

    def check(self, request: Object) -> None:
        """Raises an error for a signature that is missing or wrong."""
        signatures = request.get("signatures") or {request["identifier"]: request.get("signature")}
        text = signed({name: value for name, value in request.items() if name not in ("signature", "signatures")})
        for did in {request["identifier"], request.get("endorser") or request["identifier"]}:
            if verkey := self.nyms.get(did, {}).get("verkey"):
                key = nacl.signing.VerifyKey(base58.b58decode(verkey))
                key.verify(text.encode(), base58.b58decode(signatures.get(did) or ""))

    def check_acceptance(self, acceptance: Object | None) -> None:
        """Raises an error if the agreement is not accepted, in one of the ways and on a day."""
        if AGREEMENT not in self.terms:
            return
        agreement, mechanisms = (self.terms[kind][2] for kind in (AGREEMENT, MECHANISMS))
        if acceptance is None:
            raise ValueError("Txn Author Agreement acceptance is required for ledger with id 1")
        if acceptance["taaDigest"] != agreement["digest"]:
            raise ValueError(f"Txn Author Agreement {agreement['version']} is not the accepted one")
        if acceptance["mechanism"] not in mechanisms["aml"] or acceptance["time"] % 86400:
            raise ValueError("Txn Author Agreement acceptance has an unknown mechanism, or the time of no day")

    def write(self, request: Object) -> Object:
        operation, author, now = request["operation"], request["identifier"], int(time.time())
        kind, number = operation["type"], len(self.transactions) + 1
        data = {name: value for name, value in operation.items() if name != "type"}
        if kind == NYM:
            known = self.nyms.get(operation["dest"], {})
            self.nyms[operation["dest"]] = {**known, **data, "identifier": author, "seqNo": number, "txnTime": now}
        elif kind == ATTRIB:
            self.attributes.setdefault(operation["dest"], {}).update(json.loads(operation["raw"]))
        elif kind == SCHEMA:
            key = (SCHEMA, author, operation["data"]["name"], operation["data"]["version"])
            self.objects[key] = (number, now, operation["data"])
        elif kind == DEFINITION:
            self.objects[DEFINITION, author, operation["ref"], operation["tag"]] = (number, now, operation["data"])
        elif kind == REGISTRY:
            self.objects[REGISTRY, operation["id"]] = (number, now, data)
        elif kind == ENTRY:
            self.write_entry(operation, number, now)
        elif kind == AGREEMENT:
            digest = hashlib.sha256((data["version"] + data["text"]).encode()).hexdigest()
            self.terms[kind] = (number, now, {**data, "digest": digest})
        elif kind == MECHANISMS:
            self.terms[kind] = (number, now, data)
        transaction = {
            "txn": {"type": kind, "data": data, "metadata": {"from": author, "reqId": request["reqId"]}},
            "txnMetadata": {"seqNo": number, "txnTime": now, "txnId": f"{number:064x}"},
            "ver": "1",
            "reqSignature": {},
        }
        self.transactions.append(transaction)
        return {**transaction, "rootHash": "", "auditPath": []}

    def write_entry(self, operation: Object, number: int, now: int) -> None:
        former = self.entries.setdefault(operation["revocRegDefId"], [])
        if former and operation["value"].get("prevAccum") != former[-1][1]:
            raise Rejected("prevAccum must be equal to the last accumulator value")
        revoked = set(former[-1][2]) if former else set()
        revoked = (revoked | set(operation["value"].get("revoked") or [])) - set(operation["value"].get("issued") or [])
        former.append((now, operation["value"]["accum"], sorted(revoked), number))

    def read(self, request: Object) -> Object:
        operation = request["operation"]
        result = {name: value for name, value in operation.items() if name != "data"}
        result |= {"identifier": request["identifier"], "reqId": request["reqId"]}
        result |= {"seqNo": None, "txnTime": None, "data": None}
        found: tuple[int, int, Any] | None = None
        kind = operation["type"]
        if kind == "105":
            if nym := self.nyms.get(operation["dest"]):
                names = ("dest", "verkey", "role", "identifier", "seqNo", "txnTime")
                found = (nym["seqNo"], nym["txnTime"], json.dumps({name: nym.get(name) for name in names}))
        elif kind == "104":
            value = self.attributes.get(operation["dest"], {}).get(operation.get("raw"))
            if value is not None:
                result["data"] = json.dumps({operation["raw"]: value})
        elif kind == "3":
            if 0 < operation["data"] <= len(self.transactions):
                transaction = self.transactions[operation["data"] - 1]
                result |= {"data": {**transaction, "seqNo": operation["data"]}, "seqNo": operation["data"]}
        elif kind == "107":
            result["data"] = dict(operation["data"])
            found = self.objects.get((SCHEMA, operation["dest"], operation["data"]["name"], operation["data"]["version"]))
        elif kind == "108":
            found = self.objects.get((DEFINITION, operation["origin"], operation["ref"], operation.get("tag", "tag")))
        elif kind == "115":
            found = self.objects.get((REGISTRY, operation["id"]))
        elif kind in ("116", "117"):
            found = self.status(operation)
        elif kind in ("6", "7"):
            found = self.terms.get(AGREEMENT if kind == "6" else MECHANISMS)
        if found:
            result["seqNo"], result["txnTime"], result["data"] = found
        return result

    def status(self, operation: Object) -> tuple[int, int, Any] | None:
        identifier = operation["revocRegDefId"]

        def at(moment: int) -> tuple[int, str, list[int], int] | None:
            return next((each for each in reversed(self.entries.get(identifier, [])) if each[0] <= moment), None)

        def entry(each: tuple[int, str, list[int], int]) -> Object:
            kind = {"revocDefType": "CL_ACCUM", "revocRegDefId": identifier}
            return {**kind, "seqNo": each[3], "txnTime": each[0], "value": {"accum": each[1]}}

        if operation["type"] == "116":
            last = at(operation["timestamp"])
            return (last[3], last[0], entry(last)) if last else None
        last = at(operation["to"])
        if not last:
            return None
        first = at(operation["from"]) if (operation.get("from") or -1) >= 0 else None
        value: Object = {"accum_to": entry(last), "issued": [], "revoked": last[2]}
        if first:
            value["accum_from"] = entry(first)
            value["revoked"] = [each for each in last[2] if each not in first[2]]
            value["issued"] = [each for each in first[2] if each not in last[2]]
        return last[3], last[0], {"revocDefType": "CL_ACCUM", "revocRegDefId": identifier, "value": value}


def main() -> None:
    has_lifeline = "--lifeline" in sys.argv
    port, path, *written = (each for each in sys.argv[1:] if each != "--lifeline")
    key = nacl.signing.SigningKey(b"\x07" * 32)
    socket = zmq.Context().socket(zmq.ROUTER)
    socket.curve_server = True
    socket.curve_secretkey = z85.encode(bytes(key.to_curve25519_private_key()))
    socket.curve_publickey = z85.encode(bytes(key.verify_key.to_curve25519_public_key()))
    socket.bind(f"tcp://127.0.0.1:{port if int(port) else '*'}")
    bound = int(socket.getsockopt_string(zmq.LAST_ENDPOINT).rpartition(":")[2])
    ledger = Ledger()
    for file in written:
        for request in json.loads(pathlib.Path(file).read_text()):
            ledger.write(request)
    draft = pathlib.Path(path + ".new")
    draft.write_text(genesis(bound, bytes(key.verify_key)))
    draft.rename(path)
    poller = zmq.Poller()
    poller.register(socket, zmq.POLLIN)
    if has_lifeline:
        poller.register(sys.stdin.fileno(), zmq.POLLIN)
    while True:
        if not any(ready is socket for ready, _ in poller.poll()):
            return
        frames = socket.recv_multipart()
        try:
            request = json.loads(frames[-1])
        except ValueError:
            continue
        if request.get("op") == "LEDGER_STATUS":
            answer = request  # the reader's state is the ledger's: it is up to date
        else:
            try:
                answer = {"op": "REPLY", "result": ledger.answer(request)}
            except Rejected as error:
                answer = {"op": "REJECT", **identifiers(request), "reason": str(error)}
            except Exception as error:  # noqa: BLE001  a refusal, as a ledger's
                answer = {"op": "REQNACK", **identifiers(request), "reason": repr(error)}
        socket.send_multipart([frames[0], json.dumps(answer).encode()])


if __name__ == "__main__":
    main()
