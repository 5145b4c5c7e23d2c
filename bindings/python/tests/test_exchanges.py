"""Credentials and proofs: arguments, results, and what is chosen."""

from __future__ import annotations

import asyncio
import ctypes
import json
from collections.abc import Coroutine
from typing import Any

import pytest

import msdk_vcx as msdk


def credential(referent: str, value: str, **more: Any) -> dict[str, Any]:
    """A credential as the library finds it."""
    info = {"referent": referent, "attrs": {"name": value}, "schema_id": "s", "cred_def_id": "d"}
    info |= {"rev_reg_id": None, "cred_rev_id": None}
    return {"cred_info": info, "interval": None, "requested_attributes": {"name": value}, **more}


def item(*credentials: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"name": "name", "credentials": list(credentials), "missing": not credentials, **more}


ADULT = item(credential("c", "28"), p_type=">=", p_value=18)
PHONE = item(self_attest_allowed=True) | {"missing": False}
MATCHING = {
    "attributes": {"who": item(credential("a", "Alice"), credential("b", "Bob")), "phone": PHONE},
    "predicates": {"adult": ADULT},
}


async def found(matching: dict[str, Any]) -> msdk.Found:
    with await msdk.Proof.from_request(matching) as proof:
        return await proof.credentials()


def test_an_offer_is_read_and_accepted(standin: ctypes.CDLL) -> None:
    async def run() -> None:
        before = standin.standin_releases()
        offer = await msdk.Credential.parse_offer({})
        assert offer == msdk.Offer("degree", {"age": "28"}, "d", "s", "t")
        with await msdk.Credential.from_offer({"@id": "1"}) as offered:
            assert await offered.state() is msdk.CredentialState.OFFERED
            await offered.accept()
            assert await offered.info() == msdk.CredentialInfo("c", {"age": "28"}, "s", "d", None, None)
        assert standin.standin_releases() == before + 1

    asyncio.run(run())


def test_the_credentials_of_the_wallet_come_page_by_page(standin: ctypes.CDLL) -> None:
    async def run() -> list[msdk.HeldCredential]:
        async with await msdk.wallet.search_credentials(schema_name="degree", attributes={"age": None}, revoked=False) as found:
            return [each async for each in found]

    newer, older = asyncio.run(run())
    standin.standin_conditions.restype = ctypes.c_char_p
    assert json.loads(standin.standin_conditions()) == {"schema_name": "degree", "attributes": {"age": None}, "revoked": False}
    assert (newer.referent, newer.attributes, newer.received, newer.connection) == ("newer", {"age": "28"}, 7, "did")
    assert newer.display == msdk.Display("Yours", attachments=(msdk.Attachment("logo", None, None, None, None),))
    assert (older.schema_name, older.received, older.connection, older.display) == ("degree", None, None, msdk.Display())


def test_a_search_for_credentials_is_closed_once() -> None:
    async def run() -> None:
        search = await msdk.wallet.search_credentials()
        await search.close()
        await search.close()

    asyncio.run(run())


def test_one_credential_has_the_data_of_its_attachments() -> None:
    async def run() -> None:
        (logo,) = (await msdk.wallet.get_credential("conditions")).display.attachments
        assert (logo.mime_type, logo.content) == ("image/png", b"hi")
        with pytest.raises(msdk.WalletError, match="no such credential"):
            await msdk.wallet.get_credential("none")

    asyncio.run(run())


@pytest.mark.parametrize(
    ("data", "content"),
    [({"base64": "_-8"}, b"\xff\xef"), ({"base64": "/+8="}, b"\xff\xef"), ({"base64": "é"}, None), ({"json": {}}, None), (None, None)],
)
def test_an_attachment_has_bytes_in_either_alphabet(data: Any, content: Any) -> None:
    assert msdk.Attachment("a", None, None, None, data).content == content


def test_a_request_is_described_in_one_call() -> None:
    async def run() -> None:
        with await msdk.Proof.from_request(MATCHING) as proof:
            request = await proof.request()
            assert (request.thread_id, request.name, request.version) == ("t", "Check", "1.0")
            assert request.display == msdk.Display(goal="To see") and list(request.items) == []
            assert await proof.thread_id() == "thread"

    asyncio.run(run())


def test_a_revoked_credential_is_presented_only_if_the_user_wants() -> None:
    async def run() -> Any:
        revoked = item(credential("a", "Alice", interval={"to": 7}, revoked=True))
        with await msdk.Proof.from_request({"attributes": {"who": revoked}, "predicates": {}}) as proof:
            found = await proof.credentials()
            with pytest.raises(LookupError, match="is revoked"):
                found.first()
            await proof.generate(found.first(present_revoked=True))
            return json.loads(await proof.serialize())

    selected, _ = asyncio.run(run())
    assert selected["attrs"] == {"who": {"credential": {"cred_info": {"referent": "a"}}, "present_revoked": True}}


def test_an_offer_in_the_mailbox_is_taken_by_its_id() -> None:
    async def run() -> None:
        with await msdk.Connection.deserialize("fast") as connection:
            (await msdk.Credential.from_message(connection, "7")).release()
            with pytest.raises(msdk.VcxError, match="no offer"):
                await msdk.Credential.from_message(connection, "8")

    asyncio.run(run())


def test_a_credential_that_is_not_deleted_is_released_too() -> None:
    async def run() -> None:
        offered = await msdk.Credential.from_offer({"@id": "1"})
        with pytest.raises(msdk.VcxError, match="it is deleted already"):
            await offered.delete()
        with pytest.raises(msdk.VcxError, match="the credential was released") as raised:
            await offered.state()
        assert raised.value.code == 1053

    asyncio.run(run())


def test_found_credentials_have_values_and_conditions() -> None:
    items = asyncio.run(found(MATCHING))
    who, adult = items.attributes["who"], items.predicates["adult"]
    assert [(each.info.referent, each.values) for each in who.candidates] == [("a", {"name": "Alice"}), ("b", {"name": "Bob"})]
    assert (who.names, who.predicate, who.may_be_self_attested) == (("name",), None, False)
    assert adult.predicate == msdk.Predicate(">=", 18)
    assert items.attributes["phone"].may_be_self_attested and items.missing == []


def test_the_first_that_fits_is_what_the_library_is_given() -> None:
    async def run() -> Any:
        with await msdk.Proof.from_request(MATCHING) as proof:
            selection = (await proof.credentials()).first({"phone": "123"})
            await proof.generate(selection.hiding("who"))
            return json.loads(await proof.serialize())

    selected, attested = asyncio.run(run())
    assert selected["attrs"] == {
        "who": {"credential": {"cred_info": {"referent": "a"}}, "revealed": False},
        "adult": {"credential": {"cred_info": {"referent": "c"}}},
    }
    assert attested == {"phone": "123"}


@pytest.mark.parametrize(
    ("candidates", "chosen"),
    [
        ([credential("a", "", revoked=True), credential("b", "")], "b"),
        ([credential("a", "", revoked=True)], "a"),
    ],
)
def test_a_revoked_credential_is_chosen_last(candidates: list[dict[str, Any]], chosen: str) -> None:
    items = asyncio.run(found({"attributes": {"who": item(*candidates)}, "predicates": {}}))
    assert items.first().choices["who"].credential.info.referent == chosen


REVOKED = credential("a", "", revoked=True, interval={"to": 1})


@pytest.mark.parametrize(
    ("candidates", "told"),
    [
        ([], "no credential fits who (name)"),
        ([REVOKED], "the one that fits who (name) is revoked"),
        ([REVOKED, REVOKED], "the 2 that fit who (name) are revoked"),
    ],
)
def test_the_reason_why_nothing_can_be_chosen_is_told(candidates: list[dict[str, Any]], told: str) -> None:
    items = asyncio.run(found({"attributes": {"who": item(*candidates)}, "predicates": {"adult": ADULT}}))
    with pytest.raises(LookupError) as raised:
        items.first()
    assert str(raised.value) == told


def received(text: str | None) -> msdk.Message:
    return msdk.Message("did", "7", msdk.MessageStatus.RECEIVED, "", "key", "credential-offer", text)


def test_offers_and_requests_are_taken_from_the_message_itself() -> None:
    async def run() -> None:
        assert (await msdk.Credential.parse_offer(received("{}"))).name == "degree"
        (await msdk.Credential.from_offer(received('{"@id": "1"}'))).release()
        with await msdk.Proof.from_request(received(json.dumps(MATCHING))) as proof:
            assert (await proof.credentials()).attributes["who"].names == ("name",)
        with pytest.raises(msdk.MsdkError, match="the message 7 could not be decrypted"):
            await msdk.Credential.from_offer(received(None))

    asyncio.run(run())


def test_the_older_form_of_what_is_found_is_refused() -> None:
    with pytest.raises(ValueError, match="protocol_type"):
        asyncio.run(found({"attrs": {}}))


@pytest.mark.parametrize(
    ("arguments", "told"),
    [({}, "without a word"), ({"reason": "no"}, "no|-"), ({"proposal": {"attributes": []}}, '-|{"attributes": []}')],
)
def test_a_request_is_declined_in_each_way(arguments: dict[str, Any], told: str) -> None:
    async def run() -> str:
        with await msdk.Proof.from_request("{}") as proof:
            await proof.decline(**arguments)
            return await proof.serialize()

    assert asyncio.run(run()) == told


def test_a_released_proof_is_not_there_any_more() -> None:
    async def run() -> None:
        proof = await msdk.Proof.from_request("{}")
        proof.release()
        asks: list[Coroutine[Any, Any, Any]] = [proof.state(), proof.credentials(), proof.send()]
        for ask in asks:
            with pytest.raises(msdk.VcxError, match="the proof was released") as raised:
                await ask
            assert raised.value.code == 1049

    asyncio.run(run())


def test_states_print_their_own_names() -> None:
    assert (str(msdk.CredentialState(3)), f"{msdk.ProofState(3)}") == ("OFFERED", "REQUESTED")
    assert f"{msdk.CredentialState.STORED:d}" == "4"
