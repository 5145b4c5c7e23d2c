"""The older protocol: invitations in full and abbreviated, accepted in one step, and redirected."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from agency import Agency
from alice import wait_until
from app import App, text_of

CHAPTER = "Proprietary connections"
RECEIVED, ACCEPTED, REDIRECTED = 3, 4, 8
NOT_READY = 1005


@pytest.fixture
def inviter(agency: Agency, start: Callable[[str], App]) -> App:
    """A program whose connections are of the older protocol."""
    inviter = start("Inviter")
    inviter.begin(agency.provisioning(), protocol_type="2.0")
    return inviter


def invited(inviter: App, abbreviated: bool) -> tuple[int, Any]:
    """The inviter's connection, and its invitation."""
    handle = inviter.vcx("connection_create", "app")
    inviter.vcx("connection_connect", handle, '{"use_public_did":true}')
    return handle, inviter.given("connection_invite_details", handle, abbreviated)


def await_state(app: App, handle: int, state: int) -> None:
    wait_until(f"state {state}", lambda: app.vcx("connection_update_state", handle) == state, 20)


def accepted(app: App, inviter: App, abbreviated: bool = False) -> tuple[int, int]:
    """A connection that both sides have."""
    theirs, invitation = invited(inviter, abbreviated)
    handle = app.vcx("connection_create_with_invite", "inviter", invitation)
    app.vcx("connection_connect", handle, "{}")
    await_state(inviter, theirs, ACCEPTED)
    return handle, theirs


@pytest.mark.parametrize("abbreviated", [False, True], ids=["full", "abbreviated"])
def test_1_an_invitation_makes_a_connection(app: App, inviter: App, abbreviated: bool) -> None:
    _, invitation = invited(inviter, abbreviated)
    assert {"s", "sa", "id"} <= set(invitation) if abbreviated else {"senderDetail", "connReqId"} <= set(invitation)
    handle = app.vcx("connection_create_with_invite", "inviter", invitation)
    assert app.vcx("connection_get_state", handle) == RECEIVED


@pytest.mark.parametrize("abbreviated", [False, True], ids=["full", "abbreviated"])
def test_3_accepting_completes_the_connection_without_polling(app: App, inviter: App, abbreviated: bool) -> None:
    theirs, invitation = invited(inviter, abbreviated)
    handle = app.vcx("connection_create_with_invite", "inviter", invitation)
    app.vcx("connection_connect", handle, "{}")
    assert app.vcx("connection_get_state", handle) == ACCEPTED
    await_state(inviter, theirs, ACCEPTED)
    assert app.refusal("connection_connect", handle, "{}").code == NOT_READY


def test_4_polling_an_accepted_connection_changes_nothing(app: App, inviter: App) -> None:
    handle, _ = accepted(app, inviter)
    assert app.vcx("connection_update_state", handle) == ACCEPTED


def test_5_an_accepted_connection_is_stored_and_restored(app: App, inviter: App) -> None:
    handle, theirs = accepted(app, inviter)
    text = app.vcx("connection_serialize", handle)
    app.restart()
    again = app.vcx("connection_deserialize", text)
    assert app.vcx("connection_get_state", again) == ACCEPTED
    app.vcx("connection_send_message", again, "hello", {"msg_type": "text", "msg_title": "hello"})
    assert text_of(inviter.await_pending(theirs, "text")) == "hello"


def test_redirection_a_new_invitation_of_a_known_inviter_is_redirected(app: App, inviter: App) -> None:
    existing, _ = accepted(app, inviter)
    theirs, invitation = invited(inviter, abbreviated=False)
    known = app.given("connection_invite_details", existing, False)["senderDetail"]["publicDID"]
    assert known and known == invitation["senderDetail"]["publicDID"]
    again = app.vcx("connection_deserialize", app.vcx("connection_serialize", existing))
    handle = app.vcx("connection_create_with_invite", "inviter", invitation)
    app.vcx("connection_redirect", handle, again)
    assert app.vcx("connection_get_state", handle) == REDIRECTED
    await_state(inviter, theirs, REDIRECTED)
    details = inviter.given("connection_get_redirect_details", theirs)
    assert details["theirDID"] == app.vcx("connection_get_pw_did", existing)
