"""The example push relay, between announcements as the agency makes them and a stand-in of Firebase."""

from __future__ import annotations

import hashlib
import hmac
import json
import pathlib
import time
from collections.abc import Iterator
from typing import Any

import pytest

from backends import Backend, post, signed
from fcm import Firebase

SECRET = "the text that agency and relay share"
ANNOUNCEMENT = {
    "msgId": "uid-1",
    "msgType": "aries",
    "sponseeDetails": "FCM:token-of-the-phone",
    "relationshipDid": "SnTKP3E2D6Y8zE4p62Le3n",
    "metaData": {"msgType": "aries", "msgSenderName": ""},
}


@pytest.fixture
def firebase() -> Iterator[Firebase]:
    with Firebase() as firebase:
        yield firebase
        assert not firebase.problems


@pytest.fixture
def relay(firebase: Firebase, tmp_path: pathlib.Path) -> Iterator[Backend]:
    secret = tmp_path / "secret"
    secret.write_text(SECRET + "\n")
    account = str(firebase.account(tmp_path))
    arguments = ("--account", account, "--secret", str(secret), "--firebase", firebase.endpoint)
    with Backend("push-relay", "relay.py", tmp_path, *arguments) as relay:
        yield relay


def announce(relay: Backend, announcement: Any = ANNOUNCEMENT, secret: str = SECRET, **signing: Any) -> int:
    body = json.dumps(announcement).encode()
    return post(f"{relay.endpoint}/notifications", body, **signed(body, secret, **signing))[0]


def test_an_announcement_wakes_the_app_and_carries_no_content(relay: Backend, firebase: Firebase) -> None:
    assert announce(relay) == 204
    message = firebase.messages[0]
    assert message["token"] == "token-of-the-phone"
    assert message["data"] == {
        "msgId": "uid-1",
        "msgType": "aries",
        "relationshipDid": "SnTKP3E2D6Y8zE4p62Le3n",
        "metaData": json.dumps(ANNOUNCEMENT["metaData"]),
    }
    assert "notification" not in message
    assert relay.told(1) == [{"msgId": "uid-1", "outcome": "delivered"}]


def test_one_access_token_serves_many_announcements(relay: Backend, firebase: Firebase) -> None:
    assert [announce(relay) for _ in range(5)] == [204] * 5
    assert firebase.access_tokens == 1


def test_an_access_token_that_is_not_good_any_more_is_renewed(relay: Backend, firebase: Firebase) -> None:
    assert announce(relay) == 204
    firebase.access_tokens += 1  # the token that the relay has is now an old one
    assert announce(relay) == 204
    assert len(firebase.messages) == 2


@pytest.mark.parametrize(
    ("status", "code", "answer", "outcome"),
    [
        (503, "UNAVAILABLE", 503, "try later"),
        (500, "INTERNAL", 503, "try later"),
        (429, "QUOTA_EXCEEDED", 503, "try later"),
        (404, "UNREGISTERED", 204, "device gone"),
        (400, "INVALID_ARGUMENT", 204, "refused"),
        (403, "SENDER_ID_MISMATCH", 204, "refused"),
    ],
)
def test_the_answer_of_firebase_decides_about_a_repetition(
    relay: Backend, firebase: Firebase, status: int, code: str, answer: int, outcome: str
) -> None:
    firebase.statuses = [(status, code)]
    assert announce(relay) == answer
    assert relay.told(1)[0]["outcome"] == outcome
    assert announce(relay) == 204
    assert len(firebase.messages) == 1


def test_the_agency_comes_again_when_google_is_not_there(relay: Backend, firebase: Firebase) -> None:
    firebase.stop()
    assert announce(relay) == 503


def test_the_agency_gets_its_answer_before_it_gives_up(relay: Backend, firebase: Firebase) -> None:
    assert announce(relay) == 204
    firebase.access_tokens += 1  # so that it takes three answers: refused, another access token, sent
    firebase.delay = 2
    begin = time.monotonic()
    assert announce(relay) == 503
    assert time.monotonic() - begin < 5


def test_an_account_that_google_does_not_know_delivers_nothing(
    relay: Backend, firebase: Firebase, tmp_path: pathlib.Path
) -> None:
    (tmp_path / "other").mkdir()
    firebase.account(tmp_path / "other")  # from now on only this one's key counts
    assert announce(relay) == 503
    assert not firebase.messages
    assert firebase.problems
    firebase.problems.clear()


def test_only_the_agency_is_believed(relay: Backend, firebase: Firebase) -> None:
    assert announce(relay, secret="another") == 401
    assert post(f"{relay.endpoint}/notifications", b"{}")[0] == 401
    body = json.dumps(ANNOUNCEMENT).encode()
    older = "sha256=" + hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()
    assert post(f"{relay.endpoint}/notifications", body, X_Msdk_Signature=older)[0] == 401, "it has no time"
    headers = signed(body, SECRET)
    for name, value in [("webhook_id", "another"), ("webhook_timestamp", str(int(time.time()) + 1))]:
        assert post(f"{relay.endpoint}/notifications", body, **{**headers, name: value})[0] == 401
    assert post(f"{relay.endpoint}/notifications", body + b" ", **headers)[0] == 401
    assert not firebase.messages


def test_a_recorded_announcement_is_refused_when_it_is_old(relay: Backend, firebase: Firebase) -> None:
    now = int(time.time())
    assert announce(relay, at=now - 400) == announce(relay, at=now + 400) == announce(relay, at=0) == 401
    assert not firebase.messages
    assert announce(relay, at=now - 200) == 204


def test_a_repeated_announcement_wakes_the_app_once(relay: Backend, firebase: Firebase) -> None:
    """The agency repeats it when the answer is lost; but one that Firebase did not take is tried again."""
    firebase.statuses = [(503, "UNAVAILABLE")]
    assert [announce(relay, name="first") for _ in range(3)] == [503, 204, 204]
    assert len(firebase.messages) == 1
    assert announce(relay, name="second") == 204
    assert len(firebase.messages) == 2


@pytest.mark.parametrize(
    "announcement",
    [
        [],
        {},
        {**ANNOUNCEMENT, "sponseeDetails": "FCM:"},
        {**ANNOUNCEMENT, "sponseeDetails": None},
        {**ANNOUNCEMENT, "msgId": 1},
    ],
)
def test_a_malformed_announcement_is_refused(relay: Backend, firebase: Firebase, announcement: Any) -> None:
    assert announce(relay, announcement) == 400
    assert not firebase.messages
