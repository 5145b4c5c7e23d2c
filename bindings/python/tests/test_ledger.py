"""The agreement of an Indy network: read, and accepted."""

from __future__ import annotations

import asyncio
import ctypes
import time

import pytest

import msdk_vcx as msdk

AGREEMENT = msdk.AuthorAgreement("Be careful.", "2.0", "d1", {"on_file": "The form is in our files."})


@pytest.mark.parametrize("is_required", [True, False])
def test_the_agreement_is_read_if_there_is_one(standin: ctypes.CDLL, is_required: bool) -> None:
    standin.standin_requires_agreement(is_required)
    assert asyncio.run(msdk.author_agreement()) == (AGREEMENT if is_required else None)


def test_an_acceptance_is_that_of_later_starts() -> None:
    accepted = {"taaDigest": "d1", "acceptanceMechanismType": "on_file", "timeOfAcceptance": 2**33}
    assert AGREEMENT.accept("on_file", 2**33) == accepted


def test_an_acceptance_without_a_time_is_of_now() -> None:
    before = int(time.time())
    assert before <= AGREEMENT.accept("on_file")["timeOfAcceptance"] <= time.time()


def test_an_acceptance_that_the_library_refuses_raises() -> None:
    with pytest.raises(msdk.VcxError) as refused:
        AGREEMENT.accept("unknown")
    assert refused.value.code == 1007
