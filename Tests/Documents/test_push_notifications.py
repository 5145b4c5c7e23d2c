"""Push notifications: the app registers, the sponsor is told of a message, and the app fetches it."""

from __future__ import annotations

import os
import pathlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from agency import Agency
from alice import wait_until
from app import PENDING, RAW_KEY, App, content_of
from authority import Authority
from backends import Sponsor
from fcm import Firebase
from meeting import meet_faber
from samples import CREDENTIAL_OFFER, fresh

CHAPTER = "Push notifications"
DIRECT, FORWARDING, PUSH = 1, 3, 4
INVALID_AGENCY_REQUEST = 1029
Start = Callable[[str], App]


def registered(start: Start, agency: Agency, sponsor: Sponsor, method: int, value: str) -> App:
    """An app with a sponsor's token, whose messages are announced."""
    app = start("Alice")
    wallet = {"wallet_name": "app", "wallet_key": RAW_KEY, "wallet_key_derivation": "RAW"}
    app.config = app.given("provision_agent_with_token_async", {**agency.provisioning(), **wallet}, sponsor.token())
    app.vcx("init_with_config", app.config)
    app.vcx("agent_update_info", {"id": "device", "type": method, "value": value})
    return app


def sender(start: Start, agency: Agency, sponsor: Sponsor, **settings: Any) -> App:
    """The program that writes to the app."""
    faber = start("Faber")
    wallet = {"wallet_name": "app", "wallet_key": RAW_KEY, "wallet_key_derivation": "RAW", "name": "Faber"}
    config = {**agency.provisioning(), **wallet}
    faber.config = {**faber.given("provision_agent_with_token_async", config, sponsor.token("faber")), **settings}
    faber.vcx("init_with_config", faber.config)
    return faber


@pytest.fixture
def google(tmp_path: pathlib.Path) -> Iterator[tuple[Firebase, Agency]]:
    """Firebase, and an agency that has a service account there."""
    authority = Authority(tmp_path)
    with Firebase(authority.certificate("IP:127.0.0.1")) as firebase:
        account = firebase.account(tmp_path)
        push = {"service_account": str(account), "endpoint": firebase.endpoint}
        environment = {**os.environ, "SSL_CERT_FILE": str(authority.file)}
        with Agency(tmp_path / "agency", {"push": push}, environment) as agency:
            yield firebase, agency


def announced(sponsor: Sponsor, app: App, message: str) -> Any:
    """The notification of a message, which is known by its id."""
    uid = next(each["uid"] for each in app.pending() if content_of(each)["@id"] == message)
    return wait_until("the notification", lambda: next((n for n in sponsor.told(0) if n["msgId"] == uid), None), 20)


@pytest.mark.parametrize("method", [FORWARDING, PUSH])
def test_2_the_app_registers_for_notifications(start: Start, sponsored: Agency, sponsor: Sponsor, method: int) -> None:
    app = registered(start, sponsored, sponsor, method, "FCM:push-token")
    app.vcx("agent_update_info", {"id": "device", "type": method, "value": "FCM:another-push-token"})


@pytest.mark.parametrize("method", [FORWARDING, PUSH])
def test_2_a_registration_that_could_never_be_delivered_is_refused(
    start: Start, sponsor: Sponsor, tmp_path: pathlib.Path, method: int
) -> None:
    """The sponsor has named no endpoint, so the agency could tell nobody."""
    settings = sponsor.settings()
    del settings["sponsors"][0]["endpoint"], settings["sponsors"][0]["webhook_secret"]
    with Agency(tmp_path / "agency", settings) as agency:
        app = sender(start, agency, sponsor)
        error = app.refusal("agent_update_info", {"id": "device", "type": method, "value": "FCM:push-token"})
        assert error.code == INVALID_AGENCY_REQUEST and error.cause


@pytest.mark.parametrize("method", [FORWARDING, PUSH])
def test_3_the_sponsor_is_told_of_a_message(start: Start, sponsored: Agency, sponsor: Sponsor, method: int) -> None:
    app = registered(start, sponsored, sponsor, method, "FCM:push-token")
    faber = sender(start, sponsored, sponsor)
    handle, theirs, _ = meet_faber(app, faber)
    sent = fresh(CREDENTIAL_OFFER)
    faber.vcx("connection_send_message", theirs, sent, {"msg_type": "offer", "msg_title": "offer"})
    told = announced(sponsor, app, sent["@id"])
    assert {"msgId", "sponseeDetails", "relationshipDid", "metaData"} <= set(told)
    assert {"msgType", "msgSenderName"} <= set(told["metaData"])
    assert told["sponseeDetails"] == "FCM:push-token"
    assert told["relationshipDid"] == app.vcx("connection_get_pw_did", handle)


def test_3_the_sender_may_tell_its_name_and_the_type(start: Start, sponsored: Agency, sponsor: Sponsor) -> None:
    app = registered(start, sponsored, sponsor, FORWARDING, "FCM:push-token")
    faber = sender(start, sponsored, sponsor, push_details=True)
    _, theirs, _ = meet_faber(app, faber)
    sent = fresh(CREDENTIAL_OFFER)
    faber.vcx("connection_send_message", theirs, sent, {"msg_type": "offer", "msg_title": "offer"})
    told = announced(sponsor, app, sent["@id"])["metaData"]
    assert told["msgType"].endswith("issue-credential/1.0/offer-credential")
    assert told["msgSenderName"] == "Faber"


@pytest.mark.parametrize("method", [DIRECT, PUSH])
def test_3_the_agency_sends_the_push_itself(start: Start, google: tuple[Firebase, Agency], method: int) -> None:
    firebase, agency = google
    app, faber = start("Alice"), start("Faber")
    app.begin(agency.provisioning())
    faber.begin(agency.provisioning())
    app.vcx("agent_update_info", {"id": "device", "type": method, "value": "FCM:push-token"})
    handle, theirs, _ = meet_faber(app, faber)
    sent = fresh(CREDENTIAL_OFFER)
    faber.vcx("connection_send_message", theirs, sent, {"msg_type": "offer", "msg_title": "offer"})
    uid = next(each["uid"] for each in app.pending() if content_of(each)["@id"] == sent["@id"])

    def pushed() -> Any:
        return next((each for each in firebase.messages if each["data"]["msgId"] == uid), None)

    message = wait_until("the push", pushed, 20)
    assert message["token"] == "push-token"
    assert message["data"]["relationshipDid"] == app.vcx("connection_get_pw_did", handle)


def test_4_the_app_fetches_the_message_that_was_announced(start: Start, sponsored: Agency, sponsor: Sponsor) -> None:
    app = registered(start, sponsored, sponsor, FORWARDING, "FCM:push-token")
    faber = sender(start, sponsored, sponsor)
    _, theirs, _ = meet_faber(app, faber)
    sent = fresh(CREDENTIAL_OFFER)
    faber.vcx("connection_send_message", theirs, sent, {"msg_type": "offer", "msg_title": "offer"})
    told = announced(sponsor, app, sent["@id"])
    found = app.given("messages_download", PENDING, told["msgId"], told["relationshipDid"])
    assert [content_of(each)["@id"] for entry in found for each in entry["msgs"]] == [sent["@id"]]
