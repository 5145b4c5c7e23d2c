"""An app that proves its credential to the ACA-Py agent that issued it."""

from __future__ import annotations

from typing import Any

from alice import wait_until
from app import JSON, App, content_of, text_of
from holding import Holder
from verifier import Proof, Verifier

REQUEST_RECEIVED, PROOF_SENT, ACCEPTED, REJECTED = 3, 2, 4, 9
OLDER = 1
ATTESTED = {"attribute_3": "555-0100"}


class Prover(Holder):
    """A holder of one credential. Its issuer is the verifier, too."""

    def __init__(self, app: App, faber: Verifier, definition: str) -> None:
        super().__init__(app, faber, definition)
        self.faber, self.definition = faber, definition
        self.stored()

    @property
    def wanted(self) -> JSON:
        """Items that the credential answers, and one that it does not."""
        here = [{"cred_def_id": self.definition}]
        return {
            "requested_attributes": {
                "attribute_1": {"name": "name", "restrictions": here},
                "attribute_2": {"names": ["name", "degree"], "restrictions": here},
                "attribute_3": {"name": "phone"},
            },
            "requested_predicates": {"predicate_1": {"name": "age", "p_type": ">=", "p_value": 20, "restrictions": here}},
        }

    def asked(self) -> tuple[Proof, int]:
        """The verifier's proof and the app's, made of the request that was downloaded."""
        asked = self.faber.request_proof(self.theirs, self.wanted, OLDER)
        request = self.app.await_pending(self.connection, "presentation-request")
        proof = int(self.app.vcx("disclosed_proof_create_with_request", "proof", text_of(request)))
        self.app.review(request)
        return asked, proof

    def choose(self, proof: int, attested: JSON = ATTESTED) -> None:
        """Chooses the first credential for each item that has one, and attests the rest."""
        self.app.vcx("disclosed_proof_generate_proof", proof, chosen(self.app, proof), attested)

    def send(self, proof: int, connection: int | None = None) -> None:
        self.app.vcx("disclosed_proof_send_proof", proof, self.connection if connection is None else connection)

    def shared(self) -> tuple[Proof, int]:
        """The verifier's proof and the app's, which was sent."""
        asked, proof = self.asked()
        self.choose(proof)
        self.send(proof)
        return asked, proof

    def restored(self, proof: int) -> int:
        """The proof, stored and brought back in another process."""
        text, connection = self.app.vcx("disclosed_proof_serialize", proof), self.app.vcx("connection_serialize", self.connection)
        self.app.restart()
        self.connection = int(self.app.vcx("connection_deserialize", connection))
        return int(self.app.vcx("disclosed_proof_deserialize", text))

    def await_acknowledgement(self) -> JSON:
        """The message that ends the exchange, unread."""

        def find() -> JSON | None:
            pending = self.app.pending(self.connection)
            return next((each for each in pending if content_of(each)["@type"].endswith("present-proof/1.0/ack")), None)

        return dict(wait_until("the acknowledgement", find, 20))

    def await_state(self, proof: int, state: int) -> None:
        wait_until(f"state {state}", lambda: self.app.vcx("disclosed_proof_update_state", proof) == state, 20)


def found(app: App, proof: int) -> dict[str, Any]:
    """Each item of the request, with the credentials that can answer it."""
    given = app.given("disclosed_proof_retrieve_credentials", proof)
    return {**given["attributes"], **given["predicates"]}


def chosen(app: App, proof: int) -> JSON:
    """The first credential for each item that has one."""
    answers = {item: each["credentials"] for item, each in found(app, proof).items()}
    return {"attrs": {item: {"credential": credentials[0]} for item, credentials in answers.items() if credentials}}
