"""Credentials of ACA-Py: offered, asked for, stored; declined; and what happens when a process ends between two steps."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import pytest

from alice import Alice, AliceError, wait_until
from holder import DIALECTS, OFFERED, REJECTED, REQUEST_SENT, STORED, VALUES, Faber, Holder, with_service

OVER = {"connection": "faber"}
EVERYWHERE = pytest.mark.parametrize("peer, version", DIALECTS)


@pytest.fixture
def holder(request: pytest.FixtureRequest, alice: Alice, publisher: Callable[[str], Faber]) -> Holder:
    """Alice beside the peer of the test's cell."""
    cell = getattr(request.node, "callspec", None)
    return Holder(alice, publisher(cell.params["peer"] if cell else "0.12"))


@EVERYWHERE
@pytest.mark.exchange("issue-credential", "issue")
def test_a_credential_is_issued(holder: Holder, peer: str, version: int) -> None:
    """By the Python package's class, as is the next; the others use the functions of the C API."""
    holder.connect()
    offer = holder.offer(version)
    alice, message = holder.alice, holder.alice.receive("faber", "credential-offer")
    assert alice.ask("take_offer", "degree", "faber", message["uid"]) == OFFERED
    alice.ask("credential", "degree", "accept", OVER)
    assert alice.ask("credential", "degree", "state") == REQUEST_SENT
    wait_until("the credential", lambda: alice.ask("credential", "degree", "update_state") == STORED, 20)
    info = alice.ask("credential", "degree", "info")
    assert (info["attributes"], info["cred_def_id"]) == (VALUES, holder.definition)
    assert not alice.ask("credential", "degree", "is_revoked")
    holder.faber.wait_for_issue(offer)
    alice.ask("credential", "degree", "delete")
    with pytest.raises(AliceError, match="the credential was released"):
        alice.ask("credential", "degree", "info")


@EVERYWHERE
@pytest.mark.exchange("issue-credential", "find it in the wallet")
def test_a_stored_credential_is_found_in_the_wallet(holder: Holder, peer: str, version: int) -> None:
    holder.connect()
    before = int(time.time())
    _, credential = holder.take(version)
    thread = holder.call("msdk_credential_get_thread_id", credential)
    connection = holder.call("vcx_connection_get_pw_did", holder.handle)
    found = json.loads(holder.call("msdk_credentials_get", thread))
    assert found["attrs"] == VALUES and found["cred_def_id"] == holder.definition
    assert (found["connection"], found["revoked"]) == (connection, False)
    assert before <= found["received"] <= time.time()
    query = {"attributes": {"name": VALUES["name"]}, "connection": connection, "cred_def_id": holder.definition}
    search = holder.call("msdk_credentials_open_search", json.dumps(query))
    (listed,) = json.loads(holder.call("msdk_credentials_search_next", search, 10))
    assert listed["referent"] == thread and json.loads(holder.call("msdk_credentials_search_next", search, 10)) == []
    holder.call("msdk_credentials_close_search", search)


@EVERYWHERE
@pytest.mark.exchange("issue-credential", "decline the offer")
def test_an_offer_is_declined(holder: Holder, peer: str, version: int) -> None:
    holder.connect()
    offer = holder.offer(version)
    message = holder.alice.receive("faber", "credential-offer")
    holder.alice.ask("take_offer", "degree", "faber", message["uid"])
    holder.alice.ask("credential", "degree", "decline", OVER, "not now")
    assert holder.alice.ask("credential", "degree", "state") == REJECTED
    holder.faber.wait_for_refusal(offer)


@EVERYWHERE
@pytest.mark.exchange("issue-credential", "killed between any two steps")
def test_a_killed_process_goes_on_between_any_two_steps(holder: Holder, peer: str, version: int) -> None:
    holder.connect()
    offer = holder.offer(version)
    credential = holder.restart(holder.receive_offer())
    holder.request(credential)
    credential = holder.restart(credential)
    holder.store(credential)
    credential = holder.restart(credential)
    assert holder.stored(credential)["attrs"] == VALUES
    holder.faber.wait_for_issue(offer)
    assert len(holder.held()) == 1


def test_a_request_is_sent_twice_and_one_credential_is_stored(holder: Holder) -> None:
    """The process ends after it has sent the request, and before it has noted that."""
    holder.connect()
    holder.offer(2)
    credential = holder.receive_offer()
    before = holder.call("vcx_credential_serialize", credential)
    holder.request(credential)
    again = int(holder.call("vcx_credential_deserialize", before))
    holder.request(again)
    holder.store(again)
    assert holder.stored(again)["attrs"] == VALUES
    assert len(holder.held()) == 1


def test_a_credential_is_taken_twice_and_one_is_stored(holder: Holder) -> None:
    """The process ends after the credential is in the wallet, and before the program has kept the new state."""
    holder.connect()
    offer = holder.offer(2)
    credential = holder.receive_offer()
    holder.request(credential)
    before = holder.call("vcx_credential_serialize", credential)
    holder.store(credential)
    again = int(holder.call("vcx_credential_deserialize", before))
    holder.store(again)
    assert holder.stored(again)["attrs"] == VALUES
    holder.faber.wait_for_issue(offer)
    assert len(holder.held()) == 1


@EVERYWHERE
@pytest.mark.exchange("issue-credential", "issue without a connection, by invitation")
def test_an_offer_without_a_connection_is_answered_at_once(holder: Holder, peer: str, version: int) -> None:
    offer, invitation = holder.faber.offer_without_connection(holder.definition, VALUES, version)
    message = holder.call("vcx_extract_attached_message", json.dumps(invitation))
    take_at_once(holder, message)
    holder.faber.wait_for_issue(offer)


@EVERYWHERE
@pytest.mark.exchange("issue-credential", "issue without a connection, by ~service")
def test_an_offer_that_names_its_service_is_answered_at_once(holder: Holder, peer: str, version: int) -> None:
    """In the older shape, the offer stands alone and says where the answer goes."""
    offer, invitation = holder.faber.offer_without_connection(holder.definition, VALUES, version)
    take_at_once(holder, json.dumps(with_service(invitation)))
    holder.faber.wait_for_issue(offer)


def take_at_once(holder: Holder, message: str) -> None:
    credential = int(holder.call("vcx_credential_create_with_offer", "degree", message))
    holder.request(credential, connection=0)
    assert holder.call("vcx_credential_get_state", credential) == STORED
    assert holder.stored(credential)["attrs"] == VALUES


def test_without_the_engine_the_offer_stays(holder: Holder) -> None:
    holder.connect()
    holder.offer(2)
    credential = holder.receive_offer()
    text, connection = holder.call("vcx_credential_serialize", credential), holder.alice.ask("serialize", "faber")
    holder.alice.config["anoncreds_library_path"] = "/nowhere/libanoncreds.so"
    holder.alice.restart()
    holder.alice.ask("deserialize", "faber", connection)
    credential = int(holder.call("vcx_credential_deserialize", text))
    with pytest.raises(AliceError) as refused:
        holder.request(credential)
    assert refused.value.code == 1103 and "AnonCreds engine not available" in refused.value.cause
    assert holder.call("vcx_credential_get_state", credential) == OFFERED
