"""The AnonCreds engine alone, which issues and verifies without messages and storage. exchanges.py starts it.

Runs in the environment of the engine's Python package. Reads lines `issuance COUNT` and `verification COUNT`, and answers
each with the milliseconds of the processor for one.
"""

from __future__ import annotations

import json
import sys
import time

import anoncreds

VALUES: dict[str, str] = json.loads(sys.argv[1])
ISSUER = "V4SGRU86Z58d6TV7PBUe6f"
SCHEMA = f"{ISSUER}:2:degree:1.0"
DEFINITION = f"{ISSUER}:3:CL:12:bench"
HERE = [{"cred_def_id": DEFINITION}]


class Engine:
    """An issuer, a holder and a verifier of the same definition."""

    def __init__(self) -> None:
        self.schema = anoncreds.Schema.create("degree", "1.0", ISSUER, list(VALUES))
        self.definition, self.private, self.proof = anoncreds.CredentialDefinition.create(
            SCHEMA, self.schema, ISSUER, "bench", "CL"
        )
        self.secret = anoncreds.create_link_secret()

    def issuance(self, count: int) -> float:
        """The issuer's calls: an offer, and a credential for the request that answers it."""
        spent = 0.0
        for _ in range(count):
            start = time.process_time()
            offer = anoncreds.CredentialOffer.create(SCHEMA, DEFINITION, self.proof)
            spent += time.process_time() - start
            request, self.metadata = anoncreds.CredentialRequest.create(
                None, ISSUER, self.definition, self.secret, "main", offer
            )
            start = time.process_time()
            self.credential = anoncreds.Credential.create(self.definition, self.private, offer, request, VALUES)
            spent += time.process_time() - start
        return spent / count * 1000

    def verification(self, count: int) -> float:
        """The verifier's call, with a proof of a credential that was issued before."""
        request = anoncreds.PresentationRequest.load(
            {
                "nonce": anoncreds.generate_nonce(), "name": "age", "version": "1.0",
                "requested_attributes": {"name": {"name": "name", "restrictions": HERE}},
                "requested_predicates": {"age": {"name": "age", "p_type": ">=", "p_value": 18, "restrictions": HERE}},
            }
        )  # fmt: skip
        objects = {SCHEMA: self.schema}, {DEFINITION: self.definition}
        shown = anoncreds.PresentCredentials()
        held = self.credential.process(self.metadata, self.secret, self.definition)
        shown.add_attributes(held, "name")
        shown.add_predicates(held, "age")
        presentation = anoncreds.Presentation.create(request, shown, {}, self.secret, *objects)
        start = time.process_time()
        for _ in range(count):
            if not presentation.verify(request, *objects):
                raise SystemExit("the engine does not verify its own proof")
        return (time.process_time() - start) / count * 1000


engine = Engine()
for line in sys.stdin:
    kind, count = line.split()
    work = engine.issuance if kind == "issuance" else engine.verification
    print(work(int(count)), flush=True)
