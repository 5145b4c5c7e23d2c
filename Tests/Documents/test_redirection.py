"""Connections that are there already: the older protocol redirects, out-of-band reuses."""

from __future__ import annotations

import pytest

from app import App, content_of
from meeting import invite, meet_faber
from samples import ABBREVIATED_INVITATION, CONNECTION_INVITATION, OUT_OF_BAND_INVITATION, PROPRIETARY_INVITATION

CHAPTER = "Connection redirection"


@pytest.mark.parametrize(
    ("invitation", "upgradable"),
    [(PROPRIETARY_INVITATION, True), (ABBREVIATED_INVITATION, True), (CONNECTION_INVITATION, False)],
    ids=["proprietary", "abbreviated", "aries"],
)
def test_1_the_type_of_the_invitation_is_told(app: App, invitation: object, upgradable: bool) -> None:
    text = app.vcx("connection_serialize", app.vcx("connection_create_with_invite", "x", invitation))
    assert app.vcx("connection_need_upgrade", text) is upgradable


def test_3_a_connection_invitation_has_no_redirection(app: App) -> None:
    first, second = (app.vcx("connection_create_with_invite", "x", CONNECTION_INVITATION) for _ in range(2))
    assert app.refusal("connection_redirect", first, second).code == 1103


def test_3_an_out_of_band_invitation_is_reused(app: App, faber: App) -> None:
    handle, theirs, _ = meet_faber(app, faber)
    _, invitation = invite(faber, public_did=True)
    existing = app.vcx("connection_deserialize", app.vcx("connection_serialize", handle))
    app.vcx("connection_send_reuse", existing, invitation)
    faber.vcx("connection_update_state", theirs)
    accepted = app.await_pending(existing, "handshake-reuse-accepted")
    assert content_of(accepted)["~thread"]["pthid"] == invitation["@id"]
    app.review(accepted)


def test_3_an_invitation_with_an_empty_list_of_attachments_is_taken(app: App) -> None:
    invitation = {**OUT_OF_BAND_INVITATION, "request~attach": []}
    assert app.vcx("connection_create_with_outofband_invitation", "x", invitation)
