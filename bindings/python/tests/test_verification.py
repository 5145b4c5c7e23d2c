"""Requested proofs: what is asked for, the verdict, and what was shown."""

from __future__ import annotations

import asyncio
import ctypes
import json

import pytest

import msdk_vcx as msdk
from msdk_vcx.verification import _shown

HERE = [{"cred_def_id": "d"}]


def test_items_become_the_texts_of_the_library(standin: ctypes.CDLL) -> None:
    async def run() -> str:
        before = standin.standin_releases()
        attributes = [msdk.Wanted("name", HERE), msdk.Wanted(["x", "y"], may_be_self_attested=False)]
        predicates = [msdk.WantedPredicate("age", ">=", 18, HERE, {"to": 7})]
        with await msdk.ProofRequest.create("Check", attributes, predicates, {"from": 1}) as request:
            text = await request.serialize()
        assert standin.standin_releases() == before + 1
        return text

    assert json.loads(asyncio.run(run())) == [
        [{"name": "name", "restrictions": HERE}, {"names": ["x", "y"], "self_attest_allowed": False}],
        [{"name": "age", "p_type": ">=", "p_value": 18, "restrictions": HERE, "non_revoked": {"to": 7}}],
        {"from": 1},
        "Check",
    ]


def test_items_have_the_names_of_mappings(standin: ctypes.CDLL) -> None:
    async def run() -> str:
        attributes = {"holder": msdk.Wanted("name")}
        predicates = {"adult": msdk.WantedPredicate("age", ">=", 18)}
        with await msdk.ProofRequest.create("Check", attributes, predicates) as request:
            return await request.serialize()

    assert json.loads(asyncio.run(run()))[:2] == [
        {"holder": {"name": "name"}}, {"adult": {"name": "age", "p_type": ">=", "p_value": 18}}
    ]


def test_a_program_chooses_the_version(standin: ctypes.CDLL) -> None:
    async def run() -> str:
        with await msdk.ProofRequest.create("Check", version="2.0", format="anoncreds") as request:
            return await request.serialize()

    assert json.loads(asyncio.run(run()))[-1] == {"version": "2.0", "format": "anoncreds"}


@pytest.mark.parametrize("states, verified", [(b"224", True), (b"20", False)])
def test_a_verdict_has_its_reasons(standin: ctypes.CDLL, states: bytes, verified: bool) -> None:
    async def run() -> msdk.Verdict:
        with await msdk.ProofRequest.create("Check", [msdk.Wanted("name")]) as request:
            standin.standin_states(states)
            return await request.verdict(timeout=5, interval=0.001)

    verdict = asyncio.run(run())
    assert bool(verdict) is verdict.is_verified is verified
    assert verdict.reasons == (() if verified else (msdk.Remark("value", "t", "a"),))


def test_a_request_that_was_not_sent_gets_no_verdict(standin: ctypes.CDLL) -> None:
    async def run() -> None:
        with await msdk.ProofRequest.create("Check", [msdk.Wanted("name")]) as request:
            standin.standin_states(b"1")
            with pytest.raises(msdk.StateError, match="the request was not sent"):
                await request.verdict(timeout=5, interval=0.001)
            await request.message()
            standin.standin_states(b"114")
            assert await request.verdict(timeout=5, interval=0.001)

    asyncio.run(run())


@pytest.mark.parametrize("states", [b"29", b"23"])
def test_a_prover_that_declines_or_proposes_gives_no_verdict(standin: ctypes.CDLL, states: bytes) -> None:
    async def run() -> None:
        with await msdk.ProofRequest.create("Check", [msdk.Wanted("name")]) as request:
            standin.standin_states(states)
            with pytest.raises(msdk.EndedError):
                await request.verdict(timeout=5, interval=0.001)
            assert await request.result() is None

    asyncio.run(run())


def test_the_values_are_those_of_each_item() -> None:
    async def run() -> msdk.Shown:
        with await msdk.ProofRequest.create("Check", [msdk.Wanted("name")]) as request:
            return await request.shown()

    credential = msdk.ProvedCredential("s", "d")
    assert asyncio.run(run()) == msdk.Shown(
        {"a": {"name": "Alice"}, "g": {"x": "1"}},
        {"s": "555"},
        ("u",),
        {"p": msdk.WantedPredicate("age", ">=", 18)},
        {"a": credential, "g": credential, "u": credential, "p": credential},
    )


def test_an_item_has_the_credential_of_its_own_kind() -> None:
    """An older request may name an attribute and a predicate alike."""
    theirs, ours = ({"schema_id": "s", "cred_def_id": each} for each in ("theirs", "ours"))
    condition = {"name": "age", "p_type": ">=", "p_value": 18, "credential": ours}
    content = {
        "revealed": {"r": {"values": {"name": "President"}, "credential": theirs}},
        "self_attested": {"s": {"values": {"name": "President"}}},
        "unrevealed": {"u": {"names": ["name"], "credential": theirs}},
        "predicates": {"r": condition, "s": condition, "u": condition, "p": condition},
    }
    shown = _shown(content)
    assert {each: credential.cred_def_id for each, credential in shown.credentials.items()} == {
        "r": "theirs",
        "u": "theirs",
        "p": "ours",
    }
