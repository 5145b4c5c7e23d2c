"""`connect` shows the inviter that gets the request."""

from __future__ import annotations

import base64
import json
import urllib.parse
from collections.abc import Callable
from typing import Any

import pytest

from command import FAILED
from conftest import User

OTHER_KEY = "8HH5gYEeNc3z7PYXmd54d4x6qAfCNrqQqEB3nS7Zfu7K"
OTHER_ENDPOINT = "https://university.example/agent"
OTHER = {"id": "#0", "type": "did-communication", "recipientKeys": [OTHER_KEY], "serviceEndpoint": OTHER_ENDPOINT}
PUBLIC_DID = "did:sov:V4SGRU86Z58d6TV7PBUe6f"


def shown(user: User, invitation: object) -> list[str]:
    """The lines above the question."""
    text = invitation if isinstance(invitation, str) else json.dumps(invitation)
    ran = user.on_terminal(["connect", text], [("Connect? [y/N] ", "n\n")])
    assert ran.status == FAILED and "Nothing was sent." in ran.output
    return ran.output.replace("\r", "").split("Connect?")[0].splitlines()


def invited(faber: User) -> Any:
    url = faber.done("invite", "--no-wait")[0]["url"]
    query = urllib.parse.parse_qs(urllib.parse.urlsplit(url).query)["oob"][0]
    return json.loads(base64.urlsafe_b64decode(query + "=" * (-len(query) % 4)))


def before(service: Any) -> Callable[[Any], Any]:
    return lambda invitation: {**invitation, "services": [service, *invitation["services"]]}


def as_older(invitation: Any) -> Any:
    """In the older form, where a DID beside keys does not count."""
    service = invitation["services"][0]
    return {
        "@type": "https://didcomm.org/connections/1.0/invitation", "@id": invitation["@id"], "did": PUBLIC_DID,
        **{name: service[name] for name in ("recipientKeys", "routingKeys", "serviceEndpoint")},
        "label": invitation["label"],
    }


@pytest.mark.parametrize(
    "change",
    [
        lambda invitation: {**invitation, "recipientKeys": [OTHER_KEY], "serviceEndpoint": OTHER_ENDPOINT},
        lambda invitation: {**invitation, "recipientKeys": [], "serviceEndpoint": ""},
        before({**OTHER, "serviceEndpoint": "ftp://university.example"}),
        before({**OTHER, "recipientKeys": []}),
        before(PUBLIC_DID),
        before("did:example:university"),
        before(None),
        as_older,
    ],
    ids=["members beside", "empty members beside", "no address", "no keys", "a public DID", "no DID", "null", "older"])
def test_the_shown_key_and_endpoint_are_the_used_ones(alice: User, faber: User, change: Callable[[Any], Any]) -> None:
    invitation = invited(faber)
    honest = shown(alice, invitation)
    assert [line.split()[0] for line in honest] == ['"Faber"', "endpoint", "key"]
    assert honest[1].split()[1] == invitation["services"][0]["serviceEndpoint"]
    assert shown(alice, change(invitation)) == honest


def test_a_further_key_of_the_inviter_is_not_shown(alice: User, faber: User) -> None:
    """The request is for the first key, which signs the response."""
    invitation = invited(faber)
    honest = shown(alice, invitation)
    invitation["services"][0]["recipientKeys"].append(OTHER_KEY)
    assert shown(alice, invitation) == honest


def test_a_public_did_takes_the_place_of_a_key(alice: User, faber: User) -> None:
    leads = f"DID       {PUBLIC_DID}, which leads to the endpoint and the key"
    named = {**invited(faber), "services": [PUBLIC_DID], "recipientKeys": [OTHER_KEY]}
    assert shown(alice, named) == ['"Faber" invites you (nobody has checked this name).', leads]
    assert shown(alice, PUBLIC_DID) == [f'"{PUBLIC_DID}" invites you.', leads]


def test_an_invitation_without_a_usable_service_is_refused_before_the_question(alice: User, faber: User) -> None:
    unusable = {**invited(faber), "services": [{**OTHER, "serviceEndpoint": "ftp://university.example"}]}
    refused = alice.msdk("connect", json.dumps(unusable))
    assert refused.status == FAILED and "cannot be accepted" in refused.complaint
