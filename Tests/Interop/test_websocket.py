"""Peers that are reached over a WebSocket alone: an unmodified ACA-Py, and scripted ones behind TLS and a proxy."""

from __future__ import annotations

import pathlib
from collections.abc import Iterator

import pytest

from acapy import Agent, python
from agency import Agency
from alice import Alice, AliceError
from authority import Authority
from process import PeerError
from socketpeer import Proxy, SocketPeer

REQUEST = "connections/1.0/request"


@pytest.fixture(scope="module", params=["0.12", "1.7"])
def socket_faber(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Agent]:
    try:
        python(request.param)
    except PeerError as error:
        pytest.skip(error.what)
    with Agent("Faber", tmp_path_factory.mktemp("faber"), request.param, scheme="ws") as faber:
        yield faber


def test_a_peer_at_a_websocket_is_connected_and_gets_messages(socket_faber: Agent, alice: Alice) -> None:
    made = socket_faber.invite(kind="oob", version="1.0", handshake=("didexchange/1.0",))
    assert "ws://" in str(made["invitation"]) and "http://" not in str(made["invitation"])
    alice.accept("faber", made["invitation"])
    alice.complete("faber")
    connection = socket_faber.wait_for_state(made, "active")
    alice.ask("send", "faber", "Grüße, “Faber”")
    assert socket_faber.wait_for_message(connection) == "Grüße, “Faber”"
    socket_faber.send_message(connection, "and back")
    assert "and back" in alice.receive("faber", "message")["text"]


def test_a_peer_at_a_websocket_that_is_gone_is_an_error(alice: Alice) -> None:
    with SocketPeer() as mallory:
        invitation = mallory.invitation()
    with pytest.raises(AliceError, match="ws://127.0.0.1"):
        alice.accept("mallory", invitation)


def test_each_message_is_one_binary_frame(alice: Alice) -> None:
    with SocketPeer() as mallory:
        alice.accept("mallory", mallory.invitation())
        request, _ = mallory.receive(REQUEST)
        mallory.send(mallory.response(request), request, mallory.key)
        alice.complete("mallory")
        mallory.receive_confirmation()
        text = "long " * 100_000
        alice.ask("send", "mallory", text)
        message, _ = mallory.receive("basicmessage/1.0/message")
        assert message["content"] == text


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.mark.parametrize("is_trusted", [True, False], ids=["trusted", "unknown"])
def test_the_certificate_of_a_websocket_is_verified(
    agency: Agency, authority: Authority, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, is_trusted: bool
) -> None:
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    if is_trusted:
        monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
    with Alice(tmp_path) as alice, SocketPeer(authority.certificate("IP:127.0.0.1")) as mallory:
        alice.provision(agency.provisioning())
        if is_trusted:
            alice.accept("mallory", mallory.invitation())
            mallory.receive(REQUEST)
        else:
            with pytest.raises(AliceError, match="wss://127.0.0.1.*certificate"):
                alice.accept("mallory", mallory.invitation())
            assert mallory.is_quiet(0)


def test_a_websocket_goes_through_the_proxy_of_the_environment(
    agency: Agency, authority: Authority, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
    with Proxy() as proxy, SocketPeer(authority.certificate("IP:127.0.0.1")) as mallory:
        monkeypatch.setenv("https_proxy", proxy.endpoint)
        with Alice(tmp_path) as alice:
            alice.provision(agency.provisioning())
            alice.accept("mallory", mallory.invitation())
            mallory.receive(REQUEST)
        assert proxy.asked == [mallory.endpoint.removeprefix("wss://")]
