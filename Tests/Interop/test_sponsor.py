"""The library, the agency and the example sponsor: a token in, a notification out."""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
import pathlib
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest

from acapy import Agent
from agency import Agency
from alice import Alice, AliceError
from backends import Backend, Sponsor, post, signed
from fcm import Firebase

INVALID_PROVISION_TOKEN, INVALID_JSON = 1107, 1016


@pytest.fixture
def sponsor(tmp_path: pathlib.Path) -> Iterator[Sponsor]:
    with Sponsor(tmp_path / "sponsor") as sponsor:
        yield sponsor


@pytest.fixture
def guarded(sponsor: Sponsor, tmp_path: pathlib.Path) -> Iterator[Agency]:
    """An agency that wants the sponsor's tokens."""
    with Agency(tmp_path / "agency", sponsor.settings()) as agency:
        yield agency


@pytest.fixture
def newcomer(tmp_path: pathlib.Path) -> Iterator[Alice]:
    """A process with the library, and nothing else."""
    (tmp_path / "alice").mkdir()
    with Alice(tmp_path / "alice") as alice:
        yield alice


def test_a_notification_leads_to_the_message(
    newcomer: Alice, guarded: Agency, sponsor: Sponsor, faber: Agent
) -> None:
    newcomer.provision(guarded.provisioning(), sponsor.token())
    newcomer.ask("hear_by", "phone", "the phone of Alice", 3)
    invitation = faber.invite()
    newcomer.accept("faber", newcomer.ask("resolve", invitation["invitation_url"]))
    response = sponsor.told(1)[0]
    assert response["sponseeDetails"] == "the phone of Alice"
    newcomer.complete("faber")

    connection = faber.wait_for_state(invitation, "active")
    before = len(sponsor.told(1))
    faber.send_message(connection, "Are you there?")
    announced = json.dumps(sponsor.told(before + 1)[-1])
    assert "Are you there?" not in announced
    found = newcomer.ask("follow", announced)
    assert [json.loads(message["text"])["content"] for message in found] == ["Are you there?"]


def test_the_sponsor_is_told_later_when_it_was_not_there(
    newcomer: Alice, sponsor: Sponsor, faber: Agent, tmp_path: pathlib.Path
) -> None:
    """The agency's first attempt meets a sponsor that answers 401; the second one is signed as it should be."""
    secret = sponsor.data / "webhook-secret"
    right = sponsor.secret
    with Agency(tmp_path / "agency", sponsor.settings(webhook_secret="not the right one")) as agency:
        newcomer.provision(agency.provisioning(), sponsor.token())
        newcomer.ask("hear_by", "phone", "x", 3)
        newcomer.accept("faber", newcomer.ask("resolve", faber.invite()["invitation_url"]))
        newcomer.complete("faber")
        agency.stop()
        agency.settings = sponsor.settings()
        agency.start()
        assert sponsor.told(1, timeout=90)[0]["sponseeDetails"] == "x"
    assert secret.read_text().strip() == right


def test_a_token_serves_once(newcomer: Alice, guarded: Agency, sponsor: Sponsor, tmp_path: pathlib.Path) -> None:
    token = sponsor.token()
    newcomer.provision(guarded.provisioning(), token)
    (tmp_path / "bob").mkdir()
    with Alice(tmp_path / "bob") as bob:
        with pytest.raises(AliceError, match="already provisioned for this token") as refused:
            bob.provision(guarded.provisioning(), token)
        assert refused.value.code == INVALID_PROVISION_TOKEN
        bob.provision(guarded.provisioning(), sponsor.token("bob"))


@pytest.mark.parametrize("change", [{"sig": "AAAA"}, {"sponsorId": "nobody"}, {"timestamp": "2024-05-17T09:30:00Z"}])
def test_a_malformed_token_gives_no_account(
    newcomer: Alice, guarded: Agency, sponsor: Sponsor, change: dict[str, str]
) -> None:
    with pytest.raises(AliceError) as refused:
        newcomer.provision(guarded.provisioning(), {**sponsor.token(), **change})
    assert refused.value.code == INVALID_PROVISION_TOKEN
    newcomer.provision(guarded.provisioning(), sponsor.token())
    assert newcomer.ask("own_messages") == []


def test_half_a_token_is_refused_before_anything_is_made(newcomer: Alice, guarded: Agency) -> None:
    with pytest.raises(AliceError) as refused:
        newcomer.provision(guarded.provisioning(), {"sponseeId": "alice"})
    assert refused.value.code == INVALID_PROVISION_TOKEN
    assert not list((newcomer.home).glob("**/*.db"))


def test_the_agency_gives_no_tokens_itself(newcomer: Alice, guarded: Agency) -> None:
    with pytest.raises(AliceError, match="Tokens come from the sponsor") as refused:
        newcomer.ask("get_token", guarded.provisioning(), "alice", "example-sponsor")
    assert refused.value.code == INVALID_PROVISION_TOKEN


def test_a_token_through_the_agency(
    newcomer: Alice, sponsor: Sponsor, faber: Agent, tmp_path: pathlib.Path
) -> None:
    """An app that knows only the agency: send-token brings what the sponsor signed, and it is as good as any other."""
    settings = sponsor.settings(token_endpoint=f"{sponsor.endpoint}/generate")
    with Agency(tmp_path / "agency", settings) as agency:
        token = newcomer.ask("get_token", agency.provisioning(), "alice", sponsor.facts["id"])
        assert (token["sponseeId"], token["sponsorVerKey"]) == ("alice", sponsor.facts["verkey"])
        newcomer.provision(agency.provisioning(), token)
        newcomer.accept("faber", newcomer.ask("resolve", faber.invite()["invitation_url"]))
        newcomer.complete("faber")
        (tmp_path / "bob").mkdir()
        with Alice(tmp_path / "bob") as bob:
            for name, text in [(sponsor.facts["id"], "gave no token"), ("nobody", "Sponsor not found")]:
                with pytest.raises(AliceError, match=text) as refused:
                    bob.ask("get_token", agency.provisioning(), "a\u0001", name)
                assert refused.value.code == INVALID_PROVISION_TOKEN


def test_a_malformed_notification_is_an_error(newcomer: Alice) -> None:
    with pytest.raises(AliceError) as refused:
        newcomer.ask("follow", '{"google.message_id": "1"}')
    assert refused.value.code == INVALID_JSON


def test_a_push_from_the_agency_to_the_phone(
    newcomer: Alice, sponsor: Sponsor, faber: Agent, tmp_path: pathlib.Path
) -> None:
    """Type 4: the agency tells the relay, the relay Firebase, and what the phone gets leads to the message."""
    with contextlib.ExitStack() as stack:
        firebase = stack.enter_context(Firebase())
        arguments = ["--account", str(firebase.account(tmp_path)), "--secret", str(sponsor.data / "webhook-secret")]
        relay = Backend("push-relay", "relay.py", tmp_path, *arguments, "--firebase", firebase.endpoint)
        stack.enter_context(relay)
        settings = sponsor.settings(push_relay=f"{relay.endpoint}/notifications")
        agency = stack.enter_context(Agency(tmp_path / "agency", settings))
        newcomer.provision(agency.provisioning(), sponsor.token())
        newcomer.ask("hear_by", "phone", "FCM:token-of-the-phone", 4)
        invitation = faber.invite()
        newcomer.accept("faber", newcomer.ask("resolve", invitation["invitation_url"]))
        newcomer.complete("faber")
        before = len(relay.told(1))
        faber.send_message(faber.wait_for_state(invitation, "active"), "Look here")
        assert relay.told(before + 1)[-1]["outcome"] == "delivered"
        push = firebase.messages[-1]
        assert push["token"] == "token-of-the-phone"
        found = newcomer.ask("follow", json.dumps({"data": push["data"]}))
        assert [json.loads(message["text"])["content"] for message in found] == ["Look here"]
        assert sponsor.told(0) == []


# The sponsor alone


NO_TOKENS = [
    b"", b"[]", b"{}", b'{"sponseeId":7}', b'{"sponseeId":""}', b'{"sponseeId":"a\\u0001"}',
    b'{"sponseeId":"2024-05-17T09:30:00Zalice"}',
]


@pytest.mark.parametrize("body", NO_TOKENS)
def test_bad_requests_get_no_token(sponsor: Sponsor, body: bytes) -> None:
    assert post(f"{sponsor.endpoint}/generate", body)[0] == 400


def test_a_body_that_is_nested_too_deeply_is_refused(sponsor: Sponsor) -> None:
    body = b"[" * 60_000
    assert post(f"{sponsor.endpoint}/generate", body)[0] == 400
    assert announce(sponsor, body) == 400


def test_the_secret_is_the_text_in_the_file(tmp_path: pathlib.Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "webhook-secret").write_text("AB" * 32 + "\n")
    names = ("msgId", "msgType", "sponseeDetails", "relationshipDid")
    with Sponsor(tmp_path) as sponsor:
        assert announce(sponsor, json.dumps({name: "x" for name in names}).encode()) == 204
        assert len(sponsor.told(1)) == 1


def announce(sponsor: Sponsor, body: bytes, **signing: Any) -> int:
    return post(f"{sponsor.endpoint}/notifications", body, **signed(body, sponsor.secret, **signing))[0]


def test_only_the_agency_can_announce(sponsor: Sponsor) -> None:
    url = f"{sponsor.endpoint}/notifications"
    assert post(url, b"{}")[0] == post(url, b"{}", **signed(b"{}", "another"))[0] == 401
    older = hmac.new(sponsor.secret.encode(), b"{}", hashlib.sha256).hexdigest()
    assert post(url, b"{}", X_Msdk_Signature=f"sha256={older}")[0] == 401, "it has no time"
    assert announce(sponsor, b"{}", at=int(time.time()) - 400) == 401
    assert announce(sponsor, b"{}") == 400
    assert sponsor.told(0) == []


def test_nobody_else_reads_the_announcements(sponsor: Sponsor) -> None:
    """They name the sponsor's users and their DIDs."""
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(f"{sponsor.endpoint}/notifications", timeout=20)
    with refused.value as answer:
        assert answer.code == 405


def test_its_key_outlives_it(tmp_path: pathlib.Path) -> None:
    with Sponsor(tmp_path) as first:
        verkey = first.facts["verkey"]
    with Sponsor(tmp_path) as again:
        assert again.facts["verkey"] == verkey
    assert [path.stat().st_mode & 0o077 for path in (tmp_path / "data").iterdir()] == [0, 0]
