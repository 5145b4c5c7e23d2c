"""From a message between two programs with the library to the notifications that announce it."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from agency import Agency
from alice import Alice, AliceError, wait_until
from authority import Authority
from backends import Backend, Sponsor
from fcm import Firebase
from process import PeerError
from webhooks import Event, Webhooks

TYPE = "https://didcomm.org/basicmessage/1.0/message"
PUSH, WEBHOOK, SPONSOR, SPONSOR_PUSH = 1, 2, 3, 4
NO_DETAILS = ("aries", "aries", "")
DETAILS = (TYPE, "basicmessage/1.0/message", "Bob")


@pytest.fixture
def stack() -> Iterator[contextlib.ExitStack]:
    with contextlib.ExitStack() as stack:
        yield stack


@pytest.fixture
def sponsor(tmp_path: pathlib.Path) -> Iterator[Sponsor]:
    with Sponsor(tmp_path / "sponsor") as sponsor:
        yield sponsor


class Pair:
    """Bob sends messages and Alice hears of them. Both have an account at the same agency."""

    def __init__(
        self, stack: contextlib.ExitStack, folder: pathlib.Path, agency: Agency, sponsor: Sponsor | None = None
    ) -> None:
        (folder / "alice").mkdir()
        (folder / "bob").mkdir()
        self.alice = stack.enter_context(Alice(folder / "alice"))
        self.bob = stack.enter_context(Alice(folder / "bob"))
        self.alice.provision(agency.provisioning(), sponsor and sponsor.token("alice"))
        self.bob.provision(agency.provisioning(), sponsor and sponsor.token("bob"))

    def connect(self, **settings: Any) -> None:
        """Bob starts again with these settings and takes up an invitation of Alice."""
        self.bob.config.update(institution_name="Bob", **settings)
        self.bob.restart()
        self.bob.accept("alice", self.alice.invite("bob", "oob"))
        wait_until("the request", lambda: self.alice.ask("update", "bob") > 2, 20)
        self.bob.complete("alice")
        self.alice.complete("bob")

    def send(self, text: str) -> str:
        """Bob sends a message. Returns its id in Alice's mailbox."""
        content = {"@id": text, "@type": TYPE, "content": text, "sent_time": "2026-01-01T00:00:00Z", "~l10n": {}}
        self.bob.ask("send", "alice", content)

        def found() -> Any:
            messages = self.alice.ask("download", "bob", "MS-103")
            return next((m["uid"] for m in messages if json.loads(m["text"]).get("content") == text), None)

        return str(wait_until("the message", found, 20))


def told(happened: Callable[[], list[Any]], uid: str) -> Any:
    """The notification of a message, among all that a receiver has seen."""

    def find() -> Any:
        return next((each for each in happened() if uid in (each.get("msgId"), each.get("msgUid"))), None)

    return wait_until("the notification", find, 20)


@pytest.mark.parametrize(("settings", "expected"), [({}, NO_DETAILS), ({"push_details": True}, DETAILS)])
def test_notifications_tell_what_the_sender_wants_them_to_tell(
    stack: contextlib.ExitStack, tmp_path: pathlib.Path, sponsor: Sponsor, webhooks: Webhooks,
    settings: dict[str, Any], expected: tuple[str, str, str],
) -> None:
    """To the sponsor, to a webhook, and over the relay to Firebase."""
    firebase = stack.enter_context(Firebase())
    arguments = ["--account", str(firebase.account(tmp_path)), "--secret", str(sponsor.data / "webhook-secret")]
    relay = Backend("push-relay", "relay.py", tmp_path, *arguments, "--firebase", firebase.endpoint)
    stack.enter_context(relay)
    rules = {**sponsor.settings(push_relay=f"{relay.endpoint}/notifications"), "private_webhooks": True}
    pair = Pair(stack, tmp_path, stack.enter_context(Agency(tmp_path / "agency", rules)), sponsor)
    pair.alice.ask("hear_by", "sponsor", "the phone of Alice", SPONSOR)
    pair.alice.ask("hear_by", "push", "FCM:token-of-the-phone", SPONSOR_PUSH)
    pair.alice.ask("hear_by", "webhook", f"{webhooks.url}/topic/heard", WEBHOOK)
    pair.connect(**settings)
    uid = pair.send("Are you there?")

    to_sponsor = told(lambda: sponsor.told(0), uid)
    details = to_sponsor["metaData"]
    assert (to_sponsor["msgType"], details["msgType"], details["msgSenderName"]) == expected
    assert told(lambda: webhooks.find("heard", every), uid)["msgType"] == expected[0]
    data = told(lambda: [message["data"] for message in firebase.messages], uid)
    details = json.loads(data["metaData"])
    assert (data["msgType"], details["msgType"], details["msgSenderName"]) == expected


def every(event: Event) -> bool:
    return True


# The agency sends the push


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture
def google(authority: Authority) -> Iterator[Firebase]:
    """Google, over TLS."""
    with Firebase(authority.certificate("IP:127.0.0.1")) as google:
        yield google
        assert not google.problems


def start(folder: pathlib.Path, google: Firebase, authority: Authority, **settings: Any) -> Agency:
    """An agency with the service account of the project, which trusts the authority."""
    (folder / "agency").mkdir()
    google.account(folder / "agency")
    push = {"service_account": "service-account.json", "endpoint": google.endpoint}
    environment = {**os.environ, "SSL_CERT_FILE": str(authority.file)}
    return Agency(folder / "agency", {"push": push, **settings}, environment)


@pytest.mark.parametrize("method", [PUSH, SPONSOR_PUSH])
def test_the_agency_wakes_the_app_itself(
    stack: contextlib.ExitStack, tmp_path: pathlib.Path, google: Firebase, authority: Authority, method: int
) -> None:
    """The device's notification leads to the message, and contains the sender's details."""
    agency = stack.enter_context(start(tmp_path, google, authority))
    pair = Pair(stack, tmp_path, agency)
    pair.alice.ask("hear_by", "push", "FCM:token-of-the-phone", method)
    pair.connect(push_details=True)
    uid = pair.send("Look here")
    data = told(lambda: [message["data"] for message in google.messages], uid)
    details = json.loads(data["metaData"])
    assert (data["msgType"], details["msgType"], details["msgSenderName"]) == DETAILS
    assert {message["token"] for message in google.messages} == {"token-of-the-phone"}
    found = pair.alice.ask("follow", json.dumps({"data": data}))
    assert [json.loads(message["text"])["content"] for message in found] == ["Look here"]
    assert google.access_tokens == 1
    log = agency.log.read_text()
    assert all(secret not in log for secret in ("token-of-the-phone", "access-1", "PRIVATE KEY", "assertion"))


def test_a_push_that_fails_is_sent_again_and_a_device_that_is_gone_is_not_called_again(
    stack: contextlib.ExitStack, tmp_path: pathlib.Path, google: Firebase, authority: Authority
) -> None:
    agency = stack.enter_context(start(tmp_path, google, authority))
    pair = Pair(stack, tmp_path, agency)
    pair.connect()
    pair.alice.ask("hear_by", "push", "FCM:token-of-the-phone", SPONSOR_PUSH)
    told(lambda: [message["data"] for message in google.messages], pair.send("1"))

    google.access_tokens += 1  # the token that the agency has is now an old one
    google.statuses, google.retry_after = [(503, "UNAVAILABLE")], 2
    told(lambda: [message["data"] for message in google.messages], pair.send("2"))
    assert google.access_tokens == 3

    google.statuses = [(404, "UNREGISTERED")]
    pair.send("3")
    wait_until("the end of the registration", lambda: "registration removed" in agency.log.read_text(), 20)
    pair.send("4")
    pair.alice.ask("hear_by", "push", "FCM:token-of-the-next-phone", SPONSOR_PUSH)
    told(lambda: [message["data"] for message in google.messages], pair.send("5"))
    assert [message["token"] for message in google.messages][2:] == ["token-of-the-next-phone"]


def test_a_google_without_the_right_certificate_gets_nothing(
    stack: contextlib.ExitStack, tmp_path: pathlib.Path, google: Firebase, authority: Authority
) -> None:
    agency = start(tmp_path, google, authority)
    agency.environment = {name: value for name, value in os.environ.items() if name != "SSL_CERT_FILE"}
    stack.enter_context(agency)
    pair = Pair(stack, tmp_path, agency)
    pair.connect()
    pair.alice.ask("hear_by", "push", "FCM:token-of-the-phone", SPONSOR_PUSH)
    pair.send("1")
    wait_until("the failure", lambda: "no access token: no answer" in agency.log.read_text(), 20)
    assert google.access_tokens == 0


@pytest.mark.parametrize("method", [PUSH, SPONSOR, SPONSOR_PUSH])
def test_without_a_push_account_a_device_cannot_register(alice: Alice, method: int) -> None:
    with pytest.raises(AliceError, match="the agent has no sponsor"):
        alice.ask("hear_by", "push", "FCM:token-of-the-phone", method)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"private_key": None}, "private_key is missing"),
        ({"private_key": "secret"}, "private_key is not a private key in PEM"),
        ({"token_uri": "http://127.0.0.1/token"}, "token_uri is not an https URL"),
    ],
)
def test_an_agency_with_an_unusable_account_does_not_start(
    tmp_path: pathlib.Path, google: Firebase, authority: Authority, change: dict[str, Any], reason: str
) -> None:
    agency = start(tmp_path, google, authority)
    account = tmp_path / "agency" / "service-account.json"
    account.write_text(json.dumps({**json.loads(account.read_text()), **change}))
    with pytest.raises(PeerError) as failed:
        agency.start()
    assert f"the file that push.service_account names: {reason}" in str(failed.value)
