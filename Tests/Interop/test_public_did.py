"""Agents that reach each other by public DIDs on an Indy ledger, in each role, with every version of ACA-Py."""

from __future__ import annotations

import contextlib
import json
import pathlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from acapy import python
from agency import Agency
from alice import COMPLETED, REQUESTED, Alice, wait_until
from guide import Running
from holder import VALUES, Faber, Holder
from one_node_ledger import Ledger
from process import PeerError
from verifier import Verifier

EACH_PEER = pytest.mark.parametrize("peer", ["0.12", "1.7"])
EXCHANGE_1 = "didexchange/1.1"

Record = Callable[[str, Any], None]


class PublicVerifier(Verifier):
    """It also connects with agents that know only its public DID."""

    def _arguments(self, inbound: int, admin: int) -> list[str]:
        return [*super()._arguments(inbound, admin), "--public-invites", "--requests-through-public-did"]


@pytest.fixture(scope="module")
def reachable(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Faber]]:
    """An ACA-Py agent of a version, with a ledger of its own; skips where that is not installed."""
    agents: dict[str, Faber] = {}
    with contextlib.ExitStack() as stack:

        def get(version: str) -> Faber:
            if version not in agents:
                try:
                    python(version)
                except PeerError as error:
                    pytest.skip(error.what)
                ledger = stack.enter_context(Ledger(tmp_path_factory.mktemp("ledger")))
                agent = PublicVerifier("Faber", tmp_path_factory.mktemp("public"), version, ledger.genesis)
                stack.enter_context(agent)
                agents[version] = Faber(agent)
            return agents[version]

        yield get


@pytest.fixture
def faber(request: pytest.FixtureRequest, reachable: Callable[[str], Faber]) -> Faber:
    """The peer of the test's cell."""
    return reachable(request.node.callspec.params["peer"])


def cell(record: Record, role: str, invitation: str, handshake: str, peer: str) -> None:
    record("handshakes", (role, invitation, handshake, f"ACA-Py {peer}"))


def handshake_of(kind: str) -> str:
    """The protocol of a message's type."""
    return "/".join(kind.split("/")[-3:-1])


@EACH_PEER
def test_a_public_did_is_an_invitation(faber: Faber, alice: Alice, peer: str, record_property: Record) -> None:
    holder = Holder(alice, faber)
    handle = holder.call("vcx_connection_create_with_outofband_invitation", "faber", f"did:sov:{faber.agent.did}")
    holder.call("vcx_connection_connect", handle, "{}")
    assert holder.call("vcx_connection_get_state", handle) == REQUESTED
    request = json.loads(holder.call("vcx_connection_serialize", handle))["state"]["Invitee"]["Requested"]["request"]
    cell(record_property, "invitee", "public DID alone", handshake_of(request["@type"]), peer)
    wait_until("the connection", lambda: holder.call("vcx_connection_update_state", handle) == COMPLETED, 20)


@EACH_PEER
def test_an_out_of_band_invitation_names_a_public_did(
    faber: Faber, alice: Alice, peer: str, record_property: Record
) -> None:
    cell(record_property, "invitee", "out-of-band 1.1, public DID", EXCHANGE_1, peer)
    Holder(alice, faber)
    body = {"handshake_protocols": ["https://didcomm.org/didexchange/1.1"], "use_public_did": True}
    made = faber.agent.call("POST", "/out-of-band/create-invitation", body, auto_accept="true")["invitation"]
    assert made["services"] == [f"did:sov:{faber.agent.did}"]
    alice.accept("public", made)
    alice.complete("public")


@pytest.mark.parametrize("peer", ["0.12"])
def test_a_connection_invitation_names_a_public_did(
    faber: Faber, alice: Alice, peer: str, record_property: Record
) -> None:
    """ACA-Py 1.7 makes no such invitations any more."""
    cell(record_property, "invitee", "connection, public DID", "connections/1.0", peer)
    holder = Holder(alice, faber)
    made = faber.agent.call("POST", "/connections/create-invitation", {}, auto_accept="true", public="true")
    invitation = made["invitation"]
    assert "recipientKeys" not in invitation and invitation["did"].endswith(faber.agent.did)
    alice.accept("public", invitation)
    alice.complete("public")
    handle = int(alice.ask("handle", "public"))
    assert holder.call("msdk_connection_get_thread_id", handle)


@EACH_PEER
def test_a_requester_presents_its_public_did(faber: Faber, alice: Alice, peer: str, record_property: Record) -> None:
    """Its request has no document: the inviter reads key and endpoint on the ledger."""
    cell(record_property, "inviter", "out-of-band 1.1, requester's public DID", EXCHANGE_1, peer)
    Holder(alice, faber)
    invitation = alice.invite("guest", "oob", EXCHANGE_1)
    invitation = json.loads(invitation) if isinstance(invitation, str) else invitation
    query = {"auto_accept": "false", "use_existing_connection": "false"}
    received = faber.agent.call("POST", "/out-of-band/receive-invitation", invitation, **query)
    connection = received["connection_id"]
    faber.agent.call("POST", f"/didexchange/{connection}/accept-invitation", use_did=faber.agent.did)
    alice.complete("guest")
    faber.agent.wait_until_active(connection)
    assert alice.ask("vcx", "vcx_connection_get_their_pw_did", alice.ask("handle", "guest")) == faber.agent.did


@EACH_PEER
def test_an_agent_is_reached_by_its_public_did(faber: Faber, alice: Alice, peer: str, record_property: Record) -> None:
    """ACA-Py looks the DID up on the ledger, and asks without an invitation."""
    holder = Holder(alice, faber)
    did, verkey = (alice.config[f"institution_{member}"] for member in ("did", "verkey"))
    faber.agent.call("POST", "/ledger/register-nym", did=did, verkey=verkey)
    published = json.loads(holder.call("msdk_public_did_publish"))
    assert published["published"] and published["did"] == did
    assert json.loads(holder.call("msdk_public_did_publish")) == published
    listening = holder.call("msdk_public_did_listen", "anybody")
    holder.call("vcx_connection_connect", listening, "{}")
    query = {"their_public_did": f"did:sov:{did}", "auto_accept": "true"}
    asked = faber.agent.call("POST", "/didexchange/create-request", **query)
    cell(record_property, "inviter", "public DID alone", asked["connection_protocol"], peer)
    wait_until("the connection", lambda: holder.call("vcx_connection_update_state", listening) == COMPLETED, 20)
    faber.agent.wait_until_active(asked["connection_id"])


@pytest.mark.parametrize("peer", ["0.12"])
def test_the_guides_program_is_reached_by_its_public_did(
    faber: Faber, agency: Agency, tmp_path: pathlib.Path, peer: str
) -> None:
    Running(tmp_path, "begin", "faber", agency.endpoint).end()
    file = tmp_path / "faber" / "config.json"
    config = json.loads(file.read_text())
    file.write_text(json.dumps({**config, **faber.settings}))
    did, verkey = config["institution_did"], config["institution_verkey"]
    faber.agent.call("POST", "/ledger/register-nym", did=did, verkey=verkey)
    program = Running(tmp_path, "invite", "faber", "carol", "public")
    program.line(f"{did} is reached at ")
    faber.agent.call("POST", "/didexchange/create-request", their_public_did=f"did:sov:{did}", auto_accept="true")
    assert program.end()[-1] == "connected, state COMPLETED"


@pytest.mark.parametrize("peer, version", [("0.12", 2), ("1.7", 2)])
@pytest.mark.exchange("issue-credential", "issue without a connection, by an invitation of a public DID")
def test_an_offer_of_a_public_did_is_answered_without_a_handshake(
    faber: Faber, alice: Alice, peer: str, version: int
) -> None:
    holder = Holder(alice, faber)
    offer, invitation = faber.agent.offer_without_connection(faber.revocable, VALUES, public=True)
    assert invitation["services"] == [f"did:sov:{faber.agent.did}"]
    handle = holder.call("vcx_connection_create_with_outofband_invitation", "faber", json.dumps(invitation))
    holder.call("vcx_connection_connect", handle, "{}")
    assert holder.call("vcx_connection_get_state", handle) == COMPLETED
    message = holder.call("vcx_extract_attached_message", json.dumps(invitation))
    credential = int(holder.call("vcx_credential_create_with_offer", "degree", message))
    holder.request(credential, connection=handle)
    holder.store(credential)
    assert holder.stored(credential)["attrs"] == VALUES
    faber.agent.wait_for_issue(offer)
