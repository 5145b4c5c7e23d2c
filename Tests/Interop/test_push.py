"""From a message between two programs with the library to the notifications that announce it."""

from __future__ import annotations

import contextlib
import json
import pathlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from agency import Agency
from alice import Alice, wait_until
from backends import Backend, Sponsor
from fcm import Firebase
from webhooks import Event, Webhooks

TYPE = "https://didcomm.org/basicmessage/1.0/message"
DIRECT_WEBHOOK, SPONSOR, SPONSOR_PUSH = 2, 3, 4
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


@pytest.fixture
def webhooks() -> Iterator[Webhooks]:
    webhooks = Webhooks()
    webhooks.start()
    yield webhooks
    webhooks.stop()


class Pair:
    """Alice, whom the agency tells of messages, and Bob, who sends them. Both are at the same agency."""

    def __init__(self, stack: contextlib.ExitStack, folder: pathlib.Path, agency: Agency, sponsor: Sponsor) -> None:
        (folder / "alice").mkdir()
        (folder / "bob").mkdir()
        self.alice = stack.enter_context(Alice(folder / "alice"))
        self.bob = stack.enter_context(Alice(folder / "bob"))
        self.alice.provision(agency.provisioning(), sponsor.token("alice"))
        self.bob.provision(agency.provisioning(), sponsor.token("bob"))

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
            return next((m["uid"] for m in messages if text in m["text"]), None)

        return str(wait_until("the message", found, 20))


def told(happened: Callable[[], list[Any]], uid: str) -> Any:
    """The notification of a message, among those that a receiver has seen."""

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
    pair.alice.ask("hear_by", "webhook", f"{webhooks.url}/topic/heard", DIRECT_WEBHOOK)
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
