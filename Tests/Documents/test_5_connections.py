"""Connections: from an invitation until they are completed, stored, reused and deleted."""

from __future__ import annotations

import base64
import json
import pathlib
import threading
from collections.abc import Iterator

import pytest

from app import ACTION_NOT_SUPPORTED, JSON, PENDING, REVIEWED, App, content_of, text_of
from links import Links
from meeting import COMPLETED, complete, invite, meet_faber, meet_peer
from one_node_ledger import Ledger
from peer import Peer
from samples import (
    ABBREVIATED_INVITATION, CONNECTION_INVITATION, DID_INVITATION, OUT_OF_BAND_INVITATION, PROPRIETARY_INVITATION,
)

CHAPTER = "5 Connections"
INVITED, RECEIVED, REQUESTED = 2, 3, 3
NO_SUCH_CONNECTION = 1003


@pytest.fixture
def links() -> Iterator[Links]:
    with Links() as links:
        yield links


def encoded(invitation: JSON, padded: bool = True) -> str:
    text = base64.b64encode(json.dumps(invitation).encode()).decode()
    return text if padded else text.rstrip("=")


def requested(app: App, peer: Peer) -> tuple[int, JSON]:
    """A connection whose request has reached the peer."""
    handle = app.vcx("connection_create_with_invite", "peer", peer.invitation())
    app.vcx("connection_connect", handle, {})
    return handle, peer.receive("connections/1.0/request")[0]


# 1. The type of an invitation


@pytest.mark.parametrize(
    ("parameter", "invitation", "padded"),
    [
        ("c_i", CONNECTION_INVITATION, True),
        ("oob", OUT_OF_BAND_INVITATION, True),
        ("oob", DID_INVITATION, False),
        ("o_i", DID_INVITATION, True),
    ],
    ids=["c_i", "oob", "oob without padding", "o_i"],
)
def test_1_an_invitation_in_a_url_is_read(app: App, parameter: str, invitation: JSON, padded: bool) -> None:
    url = f"http://agency.example:80/agency/msg?{parameter}={encoded(invitation, padded)}"
    assert app.given("resolve_message_by_url", url) == invitation


def test_1_a_short_link_gives_the_invitation(app: App, links: Links) -> None:
    links.texts["/cnf4m"] = json.dumps(OUT_OF_BAND_INVITATION)
    assert app.given("resolve_message_by_url", f"{links.url}/cnf4m") == OUT_OF_BAND_INVITATION


def test_1_a_short_link_leads_to_the_invitation(app: App, links: Links) -> None:
    links.leads["/cnf4m"] = f"http://agency.example/msg?c_i={encoded(CONNECTION_INVITATION)}"
    assert app.given("resolve_message_by_url", f"{links.url}/cnf4m") == CONNECTION_INVITATION


def test_1_the_invitation_in_a_deep_link_is_read_without_the_network(app: App) -> None:
    url = f"didcomm://invite?m={encoded(CONNECTION_INVITATION, padded=False)}"
    assert app.given("resolve_message_by_url", url) == CONNECTION_INVITATION


# 2. The connection object


def test_2_a_connection_invitation_makes_a_connection(app: App) -> None:
    handle = app.vcx("connection_create_with_invite", CONNECTION_INVITATION["@id"], CONNECTION_INVITATION)
    assert app.vcx("connection_get_state", handle) == INVITED


@pytest.mark.parametrize("invitation", [OUT_OF_BAND_INVITATION, DID_INVITATION], ids=["inline service", "public DID"])
def test_2_an_out_of_band_invitation_makes_a_connection(app: App, invitation: JSON) -> None:
    handle = app.vcx("connection_create_with_outofband_invitation", invitation["@id"], invitation)
    assert app.vcx("connection_get_state", handle) == INVITED
    again = app.vcx("connection_deserialize", app.vcx("connection_serialize", handle))
    details = app.given("connection_invite_details", again, False)
    assert (details["@id"], details["goal"], details["service"]) == tuple(
        invitation[name] for name in ("@id", "goal", "service")
    )


@pytest.mark.parametrize("invitation", [PROPRIETARY_INVITATION, ABBREVIATED_INVITATION], ids=["full", "abbreviated"])
def test_2_a_proprietary_invitation_makes_a_connection(app: App, invitation: JSON) -> None:
    handle = app.vcx("connection_create_with_invite", "faber", invitation)
    assert app.vcx("connection_get_state", handle) == RECEIVED


# 3. Whether there is such a connection already


def test_3_the_invitation_of_a_stored_connection_is_read(app: App) -> None:
    text = app.vcx("connection_serialize", app.vcx("connection_create_with_invite", "acme", CONNECTION_INVITATION))
    details = app.given("connection_invite_details", app.vcx("connection_deserialize", text), False)
    assert details == CONNECTION_INVITATION


@pytest.mark.parametrize("abbreviated", [False, True])
@pytest.mark.parametrize("invitation", [PROPRIETARY_INVITATION, ABBREVIATED_INVITATION], ids=["full", "short"])
def test_3_proprietary_invitations_are_compared_in_both_forms(app: App, invitation: JSON, abbreviated: bool) -> None:
    details = app.given("connection_invite_details", app.vcx("connection_create_with_invite", "x", invitation), abbreviated)
    sender = details["s"] if abbreviated else details["senderDetail"]
    did = sender["d"] if abbreviated else sender["DID"]
    expected = PROPRIETARY_INVITATION["senderDetail"]
    assert (did, sender["publicDID"]) == (expected["DID"], expected["publicDID"])


@pytest.mark.parametrize("change", [{}, {"@id": "another"}, {"@id": "another", "recipientKeys": ["another"]}])
def test_3_connection_invitations_match_by_id_or_by_key(app: App, change: JSON) -> None:
    handle = app.vcx("connection_create_with_invite", "acme", CONNECTION_INVITATION)
    details = app.given("connection_invite_details", handle, False)
    received = {**CONNECTION_INVITATION, **change}
    by_id = details["@id"] == received["@id"]
    by_key = details["recipientKeys"][0] == received["recipientKeys"][0]
    assert (by_id, by_key) == ("@id" not in change, "recipientKeys" not in change)


def test_3_invitations_of_one_inviter_match_by_the_public_did(app: App, faber: App) -> None:
    handle, _, first = meet_faber(app, faber)
    _, second = invite(faber, public_did=True)
    details = app.given("connection_invite_details", handle, False)
    assert details["@id"] == first["@id"] != second["@id"]
    assert details["public_did"] == second["public_did"] == faber.config["institution_did"]


# 4. Accepting


def test_4_connecting_sends_the_request_with_keys_and_mailbox(app: App, peer: Peer) -> None:
    handle, request = requested(app, peer)
    assert app.vcx("connection_get_state", handle) == REQUESTED
    service = request["connection"]["DIDDoc"]["service"][0]
    assert service["serviceEndpoint"] == f"{app.config['agency_endpoint']}/agency/msg"
    assert len(service["recipientKeys"]) == 1 and app.config["agency_verkey"] in service["routingKeys"]


@pytest.mark.parametrize("options", ["{}", '{"connection_type":"QR"}', '{"connection_type":"SMS","phone":"1"}', None])
def test_4_connecting_takes_the_options_of_the_documents(app: App, peer: Peer, options: str | None) -> None:
    handle = app.vcx("connection_create_with_invite", "peer", peer.invitation())
    details = app.given("connection_connect", handle, options)
    assert details["@type"].endswith("connections/1.0/invitation")
    peer.receive("connections/1.0/request")


def test_4_each_connection_has_a_did_of_its_own(app: App, peer: Peer) -> None:
    dids = [app.vcx("connection_get_pw_did", requested(app, peer)[0]) for _ in range(2)]
    assert all(dids) and len(set(dids)) == 2


def test_4_the_did_is_that_of_the_serialized_connection(app: App, peer: Peer) -> None:
    handle, request = requested(app, peer)
    did = app.vcx("connection_get_pw_did", handle)
    assert app.given("connection_serialize", handle)["data"]["pw_did"] == did == request["connection"]["DID"]


def test_4_connecting_with_a_public_did_asks_the_ledger(app: App, peer: Peer, tmp_path: pathlib.Path) -> None:
    key = peer.invitation_key
    invitation = {**DID_INVITATION, "service": [f"did:sov:{key.did}"]}
    handle = app.vcx("connection_create_with_outofband_invitation", "faber", invitation)
    needed = app.refusal("connection_connect", handle, {})
    assert needed.code == ACTION_NOT_SUPPORTED and "needs a ledger" in needed.cause
    ledger = Ledger(tmp_path)
    ledger.publish(key.did, key.verkey, peer.endpoint)
    with ledger:
        app.vcx("init_pool", {"genesis_path": str(ledger.genesis)})
        app.vcx("connection_connect", handle, {})
        assert app.vcx("connection_get_state", handle) == REQUESTED
    assert peer.receive("didexchange/1.0/request")[0]["~thread"]["pthid"] == invitation["@id"]


# 5. Storing


def test_5_a_connection_is_stored_before_it_is_completed(app: App, peer: Peer) -> None:
    """The app keeps the text beside the inviter's name and logo, and its process ends."""
    handle, request = requested(app, peer)
    did, serialized = app.vcx("connection_get_pw_did", handle), app.vcx("connection_serialize", handle)
    kept = {"pwDid": did, "serialized": serialized, "name": "Acme", "logo": "", "status": "pending"}
    app.vcx("wallet_add_record", "connection", did, kept, {})
    app.restart()
    peer.send(peer.response(request), request, peer.key)
    stored = json.loads(app.given("wallet_get_record", "connection", did, {})["value"])
    again = app.vcx("connection_deserialize", stored["serialized"])
    assert app.vcx("connection_update_state", again) == COMPLETED


# 6. Completion


def test_6_polling_without_a_pause_ends_with_state_4(app: App, peer: Peer) -> None:
    handle, request = requested(app, peer)
    answer = threading.Timer(0.5, lambda: peer.send(peer.response(request), request, peer.key))
    answer.start()
    state, polls = -1, 0
    while state != COMPLETED:
        state, polls = app.vcx("connection_update_state", handle), polls + 1
    answer.join()
    assert polls > 1
    peer.receive_confirmation()
    assert app.pending() == [], "the response is marked as reviewed"


def test_6_the_downloaded_response_completes_the_connection(app: App, peer: Peer) -> None:
    handle, request = requested(app, peer)
    did = app.vcx("connection_get_pw_did", handle)
    peer.send(peer.response(request), request, peer.key)
    (received,) = app.pending()
    assert received["pairwiseDID"] == did and content_of(received)["@type"].endswith("response")
    assert app.vcx("connection_update_state_with_message", handle, text_of(received)) == COMPLETED
    app.review(received)
    assert app.pending() == []


def test_6_two_programs_complete_an_out_of_band_invitation(app: App, faber: App) -> None:
    handle, theirs, _ = meet_faber(app, faber)
    assert [app.vcx("connection_get_state", handle), faber.vcx("connection_get_state", theirs)] == [COMPLETED] * 2


# 7. Storing the completed connection


def test_7_the_stored_text_is_that_of_the_completed_connection(app: App, peer: Peer) -> None:
    contact = meet_peer(app, peer)
    app.vcx("wallet_add_record", "connection", contact.did, "pending", {})
    app.vcx("wallet_update_record_value", "connection", contact.did, app.vcx("connection_serialize", contact.handle))
    app.restart()
    again = app.vcx("connection_deserialize", app.given("wallet_get_record", "connection", contact.did, {})["value"])
    assert app.vcx("connection_get_state", again) == COMPLETED
    app.vcx("connection_send_ping", again, "still there?")
    assert peer.receive("trust_ping/1.0/ping")[0]["comment"] == "still there?"


# Reuse and deletion


def test_reusing_a_connection_for_a_new_invitation(app: App, faber: App) -> None:
    handle, theirs, _ = meet_faber(app, faber)
    _, invitation = invite(faber, public_did=True)
    existing = app.vcx("connection_deserialize", app.vcx("connection_serialize", handle))
    app.vcx("connection_send_reuse", existing, invitation)
    faber.vcx("connection_update_state", theirs)
    accepted = app.await_pending(existing, "handshake-reuse-accepted")
    assert content_of(accepted)["@type"].endswith("handshake-reuse-accepted")
    assert content_of(accepted)["~thread"]["pthid"] == invitation["@id"]
    app.review(accepted)
    assert app.pending(existing) == []


def test_deleting_a_connection(app: App, peer: Peer) -> None:
    contact = meet_peer(app, peer)
    again = app.vcx("connection_deserialize", app.vcx("connection_serialize", contact.handle))
    app.vcx("connection_delete_connection", again)
    assert app.refusal("connection_update_state", again).code == NO_SUCH_CONNECTION
    assert contact.did not in json.dumps(app.given("messages_download", None, None, None))


def test_an_invitation_that_was_used_is_known(app: App, peer: Peer) -> None:
    invitation = peer.invitation()
    handle = app.vcx("connection_create_with_invite", "peer", invitation)
    app.vcx("connection_connect", handle, {})
    stored = app.vcx("connection_serialize", handle)
    found = json.loads(app.ask("vcx", "msdk_connection_find_existing", json.dumps(invitation), json.dumps([stored])))
    assert (found["index"], found["same"]) == (0, "invitation")


@pytest.mark.parametrize("status", [PENDING, REVIEWED])
def test_a_completed_connection_leaves_no_message_pending(app: App, faber: App, status: str) -> None:
    theirs, invitation = invite(faber)
    handle = app.vcx("connection_create_with_outofband_invitation", "faber", invitation)
    app.vcx("connection_connect", handle, {})
    complete(app, handle, faber, theirs)
    found = app.given("messages_download", status, None, app.vcx("connection_get_pw_did", handle))
    assert bool([each for entry in found for each in entry["msgs"]]) == (status == REVIEWED)
