"""Messages of strangers and faulty peers are refused, and the connection stays as it was."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from alice import COMPLETED, REQUESTED, Alice, AliceError, wait_until
from envelope import JSON, Key, b64decode, b64encode
from peer import Peer, message

INVALID_JSON = 1016
OUT_OF_THREAD = 1109


def requested(alice: Alice, mallory: Peer) -> JSON:
    """Alice accepts an invitation of Mallory; returns her request."""
    alice.accept("mallory", mallory.invitation())
    return mallory.receive("connections/1.0/request")[0]


def connected(alice: Alice, mallory: Peer) -> JSON:
    """The same, and Mallory responds as she should. Returns the request."""
    request = requested(alice, mallory)
    mallory.send(mallory.response(request), request, mallory.key)
    alice.complete("mallory")
    mallory.receive_confirmation()
    return request


def completes_in_the_end(alice: Alice) -> bool:
    """Polls on, past errors, as an application does."""
    try:
        return bool(alice.ask("update", "mallory") == COMPLETED)
    except AliceError:
        return False


# Responses that are not the inviter's


def signed_by_a_stranger(mallory: Peer, request: JSON) -> JSON:
    return mallory.response(request, signer=Key())


def stranger_in_the_inviters_name(mallory: Peer, request: JSON) -> JSON:
    response = mallory.response(request, signer=Key())
    response["connection~sig"]["signer"] = mallory.invitation_key.verkey
    return response


def changed_after_signing(mallory: Peer, request: JSON) -> JSON:
    response = mallory.response(request)
    field = response["connection~sig"]
    data = b64decode(field["sig_data"]).replace(b"127.0.0.1", b"127.0.0.2")
    return {**response, "connection~sig": {**field, "sig_data": b64encode(data)}}


def without_signature(mallory: Peer, request: JSON) -> JSON:
    response = mallory.response(request)
    data = b64decode(response.pop("connection~sig")["sig_data"])
    return {**response, "connection": json.loads(data[8:])}


def with_a_short_signature(mallory: Peer, request: JSON) -> JSON:
    response = mallory.response(request)
    response["connection~sig"]["signature"] = b64encode(bytes(63))
    return response


@pytest.mark.parametrize(
    "tampered",
    [
        signed_by_a_stranger,
        stranger_in_the_inviters_name,
        changed_after_signing,
        without_signature,
        with_a_short_signature,
    ],
)
def test_a_tampered_response_is_refused_and_the_genuine_one_still_completes(
    alice: Alice, mallory: Peer, tampered: Callable[[Peer, JSON], JSON]
) -> None:
    request = requested(alice, mallory)
    before = alice.ask("serialize", "mallory")
    mallory.send(tampered(mallory, request), request, mallory.invitation_key)
    with pytest.raises(AliceError) as refused:
        alice.ask("update", "mallory")
    assert refused.value.code == INVALID_JSON
    assert alice.ask("state", "mallory") == REQUESTED
    assert alice.ask("serialize", "mallory") == before

    mallory.send(mallory.response(request), request, mallory.key)
    wait_until("the genuine response", lambda: completes_in_the_end(alice), 20)


def test_a_response_of_another_thread_is_refused(alice: Alice, mallory: Peer) -> None:
    request = requested(alice, mallory)
    with pytest.raises(AliceError) as refused:  # the signature of a response suffices to look at its thread
        alice.ask("update_with", "mallory", json.dumps(mallory.response({"@id": "another request"})))
    assert refused.value.code == OUT_OF_THREAD
    assert alice.ask("state", "mallory") == REQUESTED
    mallory.send(mallory.response(request), request, mallory.key)
    wait_until("the genuine response", lambda: completes_in_the_end(alice), 20)


def test_a_second_response_changes_nothing(alice: Alice, mallory: Peer) -> None:
    request = requested(alice, mallory)
    response = mallory.response(request)
    for _ in range(2):
        mallory.send(response, request, mallory.key)
    alice.complete("mallory")
    before = alice.ask("serialize", "mallory")

    mallory.send(mallory.response(request, key=Key()), request, mallory.invitation_key)
    for _ in range(3):
        assert alice.ask("update", "mallory") == COMPLETED
    assert alice.ask("serialize", "mallory") == before
    mallory.receive_confirmation()
    alice.ask("send", "mallory", "hello")
    assert mallory.receive("basicmessage/1.0/message")[0]["content"] == "hello"


# Senders that are not the peer


@pytest.mark.parametrize("stranger", [Key(), None], ids=["with a key", "anonymous"])
def test_a_strangers_ping_is_not_answered(alice: Alice, mallory: Peer, stranger: Key | None) -> None:
    request = connected(alice, mallory)
    before = alice.ask("serialize", "mallory")
    mallory.send(message("trust_ping/1.0/ping", response_requested=True), request, stranger)
    assert alice.ask("update", "mallory") == COMPLETED
    assert mallory.is_quiet()
    assert alice.ask("serialize", "mallory") == before


@pytest.mark.parametrize("stranger", [Key(), None], ids=["with a key", "anonymous"])
def test_a_stranger_cannot_fail_a_connection(alice: Alice, mallory: Peer, stranger: Key | None) -> None:
    request = requested(alice, mallory)
    report = {"problem-code": "request_not_accepted", "explain": "go away"}
    mallory.send(message("connections/1.0/problem_report", request["@id"], **report), request, stranger)
    assert alice.ask("update", "mallory") == REQUESTED
    mallory.send(mallory.response(request), request, mallory.key)
    wait_until("the genuine response", lambda: completes_in_the_end(alice), 20)


def test_a_message_nobody_can_read_does_not_hide_the_next(alice: Alice, mallory: Peer) -> None:
    request = connected(alice, mallory)
    other = {"recipientKeys": [Key().verkey]}
    service = {**request["connection"]["DIDDoc"]["service"][0]}
    unreadable = {"connection": {"DIDDoc": {"service": [{**service, "routingKeys": service["routingKeys"], **other}]}}}
    with pytest.raises(OSError):  # the agency refuses what is not for the mailbox's owner
        mallory.send(message("basicmessage/1.0/message", content="for another"), unreadable, mallory.key)
    mallory.send(message("basicmessage/1.0/message", content="for Alice"), request, mallory.key)
    assert "for Alice" in alice.receive("mallory", "message")["text"]
