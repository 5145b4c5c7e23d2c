"""Credentials that this side issues."""

from __future__ import annotations

import asyncio
import ctypes

import pytest

import msdk_vcx as msdk


def issue(standin: ctypes.CDLL, states: bytes) -> int:
    """Issues a credential in a state. Returns how often the library was called."""

    async def run() -> None:
        with await msdk.IssuerCredential.create(msdk.CredentialDefinition(1), {"age": 28}) as issued:
            standin.standin_states(states)
            await issued.issue()

    asyncio.run(run())
    issued: int = standin.standin_issued()
    return issued


@pytest.mark.parametrize("state", [b"3", b"4"])
def test_a_credential_is_issued_on_request_and_again_without_harm(standin: ctypes.CDLL, state: bytes) -> None:
    assert issue(standin, state) == 1


@pytest.mark.parametrize(("state", "name"), [(b"1", "CREATED"), (b"2", "OFFERED"), (b":", "PROPOSED")])
def test_nothing_is_issued_before_the_request(standin: ctypes.CDLL, state: bytes, name: str) -> None:
    with pytest.raises(msdk.StateError, match=f"has not requested the credential, in state {name}"):
        issue(standin, state)
    assert standin.standin_issued() == 0
