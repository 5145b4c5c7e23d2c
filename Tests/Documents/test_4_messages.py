"""Messages: downloaded, told apart by their kind, and marked as reviewed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from app import JSON, PENDING, REVIEWED, App, content_of, kind_of
from meeting import Contact, meet_peer
from peer import Peer, message
from samples import (
    COMMITTED_QUESTION, CREDENTIAL, CREDENTIAL_OFFER, PROOF_REQUEST, QUESTION, DIDCOMM, fresh,
)

CHAPTER = "4 Messages flow"

MEMBERS = {"statusCode", "payload", "senderDID", "uid", "type", "refMsgId", "deliveryDetails", "decryptedPayload"}


def of_kind(kind: str, **body: Any) -> JSON:
    return {"@type": DIDCOMM + kind, "@id": "1", **body}


BEGINNINGS = {
    "credential-offer": CREDENTIAL_OFFER,
    "presentation-request": PROOF_REQUEST,
    "committed-question": COMMITTED_QUESTION,
    "question": QUESTION,
}
CONTINUATIONS = {
    "credential": CREDENTIAL,
    "handshake-reuse-accepted": of_kind("out-of-band/1.0/handshake-reuse-accepted"),
    "problem-report": of_kind("issue-credential/1.0/problem-report"),
    "aries": of_kind("present-proof/1.0/ack", status="OK"),
}


@pytest.fixture
def contact(app: App, peer: Peer) -> Contact:
    return meet_peer(app, peer)


def test_1_all_pending_messages_are_downloaded(contact: Contact) -> None:
    contact.send(fresh(QUESTION))
    contact.send(fresh(COMMITTED_QUESTION))
    found = contact.app.given("messages_download", PENDING, None, None)
    assert [(each["pairwiseDID"], len(each["msgs"])) for each in found if each["msgs"]] == [(contact.did, 2)]


def test_1_one_message_is_downloaded_by_its_uid_and_its_connection(contact: Contact) -> None:
    contact.send(fresh(QUESTION))
    wanted = contact.send(fresh(QUESTION))
    uids = {content_of(each)["@id"]: each["uid"] for each in contact.app.pending()}
    found = contact.app.given("messages_download", PENDING, uids[wanted["@id"]], contact.did)
    assert [content_of(each)["@id"] for entry in found for each in entry["msgs"]] == [wanted["@id"]]


def test_1_messages_of_one_connection_are_downloaded(app: App, peer: Peer) -> None:
    with Peer() as another:
        first, second = meet_peer(app, peer), meet_peer(app, another)
        first.send(fresh(QUESTION))
        second.send(fresh(COMMITTED_QUESTION))
        assert [kind_of(each) for each in app.pending(second.handle)] == ["committed-question"]


@pytest.mark.parametrize("status", ["MS-101", "MS-102", "MS-104", "MS-105", "MS-106"])
def test_1_each_status_selects_messages(contact: Contact, status: str) -> None:
    contact.send(fresh(QUESTION))
    found = contact.app.given("messages_download", status, None, contact.did)
    assert QUESTION["@type"] not in json.dumps(found), "the question is pending"


def test_2_a_downloaded_message_has_the_members_of_the_sample(contact: Contact) -> None:
    contact.send(PROOF_REQUEST)
    (received,) = contact.app.pending()
    assert MEMBERS <= set(received)
    told = (received["statusCode"], received["payload"], received["type"], received["deliveryDetails"])
    assert told == (PENDING, None, "aries", [])
    payload = json.loads(received["decryptedPayload"])
    assert payload["@type"] == {"fmt": "json", "name": "presentation-request", "ver": "1.0"}
    assert json.loads(payload["@msg"]) == PROOF_REQUEST


@pytest.mark.parametrize("kind", BEGINNINGS)
def test_2_a_message_that_begins_a_protocol_is_told_by_its_kind(contact: Contact, kind: str) -> None:
    contact.send(BEGINNINGS[kind])
    assert [kind_of(each) for each in contact.app.pending()] == [kind]


@pytest.mark.parametrize("kind", CONTINUATIONS)
def test_2_a_message_that_continues_a_protocol_is_told_by_its_kind(contact: Contact, kind: str) -> None:
    contact.send(CONTINUATIONS[kind])
    assert [kind_of(each) for each in contact.app.pending()] == [kind]


def test_3_messages_are_grouped_by_connection(app: App, peer: Peer) -> None:
    with Peer() as another:
        contacts = [meet_peer(app, peer), meet_peer(app, another)]
        sent = {each.did: each.send(fresh(QUESTION))["@id"] for each in contacts}
        found = app.given("messages_download", PENDING, None, None)
        assert {each["pairwiseDID"]: content_of(each["msgs"][0])["@id"] for each in found if each["msgs"]} == sent


def test_4_messages_are_marked_as_reviewed(contact: Contact) -> None:
    for _ in range(2):
        contact.send(fresh(QUESTION))
    uids = [each["uid"] for each in contact.app.pending()]
    contact.app.vcx("messages_update_status", REVIEWED, [{"pairwiseDID": contact.did, "uids": uids}])
    assert contact.app.pending() == []
    reviewed = contact.app.given("messages_download", REVIEWED, None, contact.did)
    assert {each["uid"] for entry in reviewed for each in entry["msgs"]} >= set(uids)


def test_a_message_that_is_read_is_not_lost_before_it_is_marked(contact: Contact) -> None:
    contact.send(message("basicmessage/1.0/message", content="once"))
    contact.app.pending()
    contact.app.restart()
    assert [kind_of(each) for each in contact.app.pending()] == ["message"]
