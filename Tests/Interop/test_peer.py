"""The peers themselves, before they judge the library: the scripted peer talks with a real ACA-Py."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from nacl.exceptions import BadSignatureError

from acapy import Agent
from envelope import Key, forward, opened, pack, signed, unpack
from peer import Peer, message, post


@pytest.fixture
def peer() -> Iterator[Peer]:
    with Peer() as peer:
        yield peer


def test_a_real_agent_accepts_the_scripted_peer(faber: Agent, peer: Peer) -> None:
    made = faber.invite()
    invitation = made["invitation"]
    request = peer.request(invitation)
    response, _ = peer.receive("connections/1.0/response")
    assert response["~thread"]["thid"] == request["@id"]
    field = response["connection~sig"]
    assert field["signer"] == invitation["recipientKeys"][0]
    service = opened(field)["DIDDoc"]["service"][0]

    ping = message("trust_ping/1.0/ping", response_requested=True, comment="from the peer")
    post(service["serviceEndpoint"], pack(ping, service["recipientKeys"], peer.key))
    connection = faber.wait_for_state(made, "active")
    answer, sender = peer.receive("trust_ping/1.0/ping_response")
    assert (answer["~thread"]["thid"], sender) == (ping["@id"], service["recipientKeys"][0])
    faber.wait_for_ping("from the peer")
    thread = faber.send_ping(connection)
    peer.receive("trust_ping/1.0/ping")
    assert faber.connections(made)[0]["connection_id"] == connection
    endpoint, keys = service["serviceEndpoint"], service["recipientKeys"]
    post(endpoint, pack(message("trust_ping/1.0/ping_response", thread), keys, peer.key))
    faber.wait_for_ping_response(thread)
    faber.send_message(connection, "hello")
    assert peer.receive("basicmessage/1.0/message")[0]["content"] == "hello"
    post(endpoint, pack(message("basicmessage/1.0/message", content="hello, Faber"), keys, peer.key))
    assert faber.wait_for_message(connection) == "hello, Faber"


def test_a_changed_signed_field_does_not_open() -> None:
    field = signed({"DID": "x"}, Key())
    assert opened(field) == {"DID": "x"}
    with pytest.raises(BadSignatureError):
        opened({**field, "signer": Key().verkey})


def test_forwards_open_from_the_outside_in() -> None:
    recipient, near, far = Key(), Key(), Key()
    wrapped = forward(pack({"content": "x"}, [recipient.verkey]), recipient.verkey, [near.verkey, far.verkey])
    outer, _ = unpack(wrapped, {far.verkey: far})
    assert outer["to"] == near.verkey
    inner, _ = unpack(outer["msg"], {near.verkey: near})
    assert inner["to"] == recipient.verkey
    assert unpack(inner["msg"], {recipient.verkey: recipient}) == ({"content": "x"}, None)
