"""Measures how fast ACA-Py verifies the proof that `credentials-load` has left in a file.

Runs in ACA-Py's environment and calls its verifier without its transports and storage, as the benchmark does with msdk.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import sys
import time
from typing import Any

from aries_cloudagent.core.in_memory import InMemoryProfile
from aries_cloudagent.indy.credx.verifier import IndyCredxVerifier
from aries_cloudagent.ledger.multiple_ledger.ledger_requests_executor import IndyLedgerRequestsExecutor

ROUNDS = 15


class MemoryLedger:
    """Has the one definition at once; ACA-Py asks its ledger for it at each verification."""

    def __init__(self, definition: Any) -> None:
        self.definition = definition

    async def get_ledger_for_identifier(self, _id: str, **_options: Any) -> tuple[None, MemoryLedger]:
        return None, self

    async def get_credential_definition(self, _id: str) -> Any:
        return self.definition

    async def __aenter__(self) -> MemoryLedger:
        return self

    async def __aexit__(self, *_: object) -> None:
        """Has nothing to close."""


def in_indy_form(object: dict[str, Any], id: str) -> dict[str, Any]:
    kept = {name: value for name, value in object.items() if name != "issuerId"}
    return {"ver": "1.0", "id": id, **kept}


async def main(path: str) -> None:
    with open(path) as file:
        proof = json.load(file)
    schema = in_indy_form(proof["schema"], proof["schema_id"]) | {"seqNo": 12}
    definition = in_indy_form(proof["definition"], proof["definition_id"]) | {"schemaId": "12"}
    objects = {proof["schema_id"]: schema}, {proof["definition_id"]: definition}
    profile = InMemoryProfile.test_profile()
    profile.context.injector.bind_instance(IndyLedgerRequestsExecutor, MemoryLedger(definition))
    verifier = IndyCredxVerifier(profile)
    times = []
    for _ in range(ROUNDS):
        request, presentation = json.loads(json.dumps([proof["request"], proof["presentation"]]))
        start = time.process_time()
        verified, reasons = await verifier.verify_presentation(request, presentation, *objects, {}, {})
        times.append(time.process_time() - start)
        if not verified:
            raise SystemExit(f"ACA-Py does not verify the proof: {reasons}")
    median = statistics.median(times)
    print(f"ACA-Py verifies {1 / median:.0f} proofs in a second of one processor ({median * 1000:.3g} ms each).")


asyncio.run(main(sys.argv[1]))
