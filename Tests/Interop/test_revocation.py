"""Credentials that ACA-Py can revoke, and has revoked."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import pytest

from alice import Alice, AliceError
from holder import ACCEPTED, DIALECTS, Faber, Prover


@pytest.mark.parametrize("peer, version", DIALECTS)
@pytest.mark.exchange("present-proof", "prove that a credential is valid, until it is revoked")
def test_a_credential_is_valid_until_its_issuer_revokes_it(
    publisher: Callable[[str], Faber], alice: Alice, peer: str, version: int
) -> None:
    prover = Prover(alice, publisher(peer), revocable=True)
    assert not prover.call("msdk_credential_is_revoked", prover.credential)
    asked, proof = ask(prover, version)
    prover.generate(proof)
    prover.send(proof)
    assert prover.faber.wait_for_proof(asked)
    prover.wait(proof, ACCEPTED)

    prover.faber.revoke(prover.issued, notice=version)
    notice = alice.receive("faber", "aries")
    assert json.loads(notice["text"])["@type"].endswith("/revoke")
    asked, proof = ask(prover, version)
    fitting = prover.found(proof)["name"]
    assert [each.get("revoked") for each in fitting] == [True]
    prover.generate(proof)
    with pytest.raises(AliceError, match="credential is revoked") as refused:
        prover.send(proof)
    assert refused.value.code == 1091
    prover.faber.wait_for_decline(asked)
    assert prover.call("msdk_credential_is_revoked", prover.credential)


def ask(prover: Prover, version: int) -> tuple[Any, int]:
    """A request that the credentials are valid now."""
    now = int(time.time())
    asked = prover.faber.request_proof(
        prover.connection, {**prover.everything, "non_revoked": {"from": now, "to": now}}, version
    )
    return asked, prover.receive_request()
