"""Credentials that ACA-Py can revoke, and has revoked."""

from __future__ import annotations

import json
import time
from collections.abc import Callable

import pytest

from alice import Alice, AliceError
from holder import ACCEPTED, LEDGERS, Faber, Prover
from verifier import Proof


@pytest.mark.parametrize("peer, version", LEDGERS)
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
    notice = alice.receive("faber", "revocation")
    assert json.loads(notice["text"])["@type"].endswith("/revoke")
    is_revoked(prover, *ask(prover, version))
    asked, proof = ask(prover, version)
    prover.generate(proof, present_revoked=True)
    prover.send(proof)
    assert not prover.faber.wait_for_proof(asked)  # the verifier decides, and asked for more


def ask(prover: Prover, version: int) -> tuple[Proof, int]:
    """A request that the credentials are valid now."""
    now = int(time.time())
    asked = prover.faber.request_proof(
        prover.connection, {**prover.everything, "non_revoked": {"from": now, "to": now}}, version
    )
    return asked, prover.receive_request()


def is_revoked(prover: Prover, asked: Proof, proof: int) -> None:
    """The wallet marks the credential, the library makes no proof of it, and the verifier is told."""
    assert [each.get("revoked") for each in prover.found(proof)["name"]] == [True]
    prover.generate(proof)
    with pytest.raises(AliceError, match="credential is revoked") as refused:
        prover.send(proof)
    assert refused.value.code == 1200
    prover.faber.wait_for_decline(asked)
    assert prover.call("msdk_credential_is_revoked", prover.credential)
