"""A request that is attached to an out-of-band invitation without a handshake, and its answer.

Alice holds no credentials here, so her answer to a proof request is that she declines. ACA-Py takes it for an answer only
when thread and invitation lead it back to the request.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from acapy import PREFIX, Agent
from alice import COMPLETED, Alice

PROOFS = {"0.12": ("1.0", "present-proof", "presentation_exchange_id"), "1.7": ("2.0", "present-proof-2.0", "pres_ex_id")}
"""The present-proof protocol to use with each version, its path in the admin API, and what an exchange's id is called.

0.12 takes no heed of a problem report that comes without a connection in 2.0, and 1.7 has no 1.0.
"""


class Exchange:
    """A proof request of ACA-Py's, waiting for its answer."""

    def __init__(self, faber: Agent) -> None:
        self.faber = faber
        self.version, self.path, self.key = PROOFS[faber.version]
        request = {"name": "age", "version": "1.0", "requested_predicates": {}}
        request |= {"requested_attributes": {"age": {"name": "age"}}}
        body = {"proof_request": request} if self.version == "1.0" else {"presentation_request": {"indy": request}}
        self.id = self.faber.call("POST", f"/{self.path}/create-request", body)[self.key]

    def invitation(self) -> Any:
        body = {"attachments": [{"id": self.id, "type": "present-proof"}]}
        return self.faber.call("POST", "/out-of-band/create-invitation", body, auto_accept="true")["invitation"]

    def refusal(self, request: Any, invitation: Any) -> Any:
        return {
            "@type": f"{PREFIX}present-proof/{self.version}/problem-report",
            "@id": f"refusal-{self.id}",
            "~thread": {"thid": request["@id"], "pthid": invitation["@id"]},
            "description": {"code": "rejected", "en": "I keep that to myself"},
        }

    def state(self) -> str:
        return str(self.faber.call("GET", f"/{self.path}/records/{self.id}")["state"])


@pytest.mark.parametrize("version", PROOFS)
def test_an_attached_request_is_answered(acapy: Callable[[str], Agent], alice: Alice, version: str) -> None:
    faber = acapy(version)
    exchange = Exchange(faber)
    invitation = exchange.invitation()
    request = invitation["requests~attach"][0]["data"]["json"]

    alice.ask("create", "faber", invitation)
    assert alice.ask("state", "faber") == COMPLETED
    alice.ask("connect", "faber")
    alice.ask("send", "faber", exchange.refusal(request, invitation))
    faber.wait_until("the refusal", lambda: exchange.state().endswith("abandoned"))
