"""Every handshake with every version of ACA-Py, from either side, over every form of invitation."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from acapy import Agent
from alice import FAILED, Alice, wait_until

CONNECTIONS, EXCHANGE_0, EXCHANGE_1 = "connections/1.0", "didexchange/1.0", "didexchange/1.1"
HANDSHAKES = {"0.12": (CONNECTIONS, EXCHANGE_0, EXCHANGE_1), "1.7": (EXCHANGE_0, EXCHANGE_1)}
OUT_OF_BAND = {
    "out-of-band 1.0": {"version": "1.0"},
    "out-of-band 1.1": {"version": "1.1"},
    "out-of-band 1.1, did:peer:2": {"did_method": "did:peer:2"},
    "out-of-band 1.1, did:peer:4": {"did_method": "did:peer:4"},
}

INVITEE = [
    ("invitee", "connection", CONNECTIONS, "0.12", {"kind": "c_i"}),
    *(
        ("invitee", form, handshake, version, {"kind": "oob", "handshake": (handshake,), **more})
        for form, more in OUT_OF_BAND.items()
        for version, handshakes in HANDSHAKES.items()
        for handshake in handshakes
    ),
]
PEER_DIDS = ("did:peer:2", "did:peer:4")
EXCHANGES = [(version, exchange) for version in HANDSHAKES for exchange in (EXCHANGE_0, EXCHANGE_1)]
INVITEE_BY_PEER_DID = [
    ("invitee", f"out-of-band 1.1, own {method}", exchange, version, method)
    for version, exchange in EXCHANGES
    for method in PEER_DIDS
]
INVITER = [
    ("inviter", "connection", CONNECTIONS, "0.12", {"kind": "c_i"}),
    *(
        ("inviter", "out-of-band 1.1", handshake, version, {"kind": "oob", "handshake": handshake})
        for version, handshakes in HANDSHAKES.items()
        for handshake in handshakes
    ),
    *(("inviter", "out-of-band 1.1", "all offered", version, {"kind": "oob"}) for version in HANDSHAKES),
    *(
        ("inviter", f"out-of-band 1.1, {method}", exchange, version)
        + ({"kind": "oob", "handshake": exchange, "did_method": method},)
        for version, exchange in EXCHANGES
        for method in PEER_DIDS
    ),
]

Record = Callable[[str, Any], None]


def names(cells: list[Any]) -> list[str]:
    return [", ".join(cell[:4]) for cell in cells]


@pytest.mark.parametrize("cell", INVITEE, ids=names(INVITEE))
def test_as_invitee(cell: Any, acapy: Callable[[str], Agent], alice: Alice, record_property: Record) -> None:
    *words, version, form = cell
    record_property("handshakes", (*words, f"ACA-Py {version}"))
    faber = acapy(version)
    made = faber.invite(**form)
    alice.accept("faber", alice.ask("resolve", made["invitation_url"]))
    alice.complete("faber")
    works_both_ways(faber, faber.wait_for_state(made, "active"), alice)


@pytest.mark.parametrize("cell", INVITEE_BY_PEER_DID, ids=names(INVITEE_BY_PEER_DID))
def test_as_invitee_by_peer_did(
    cell: Any, acapy: Callable[[str], Agent], alice: Alice, record_property: Record
) -> None:
    *words, version, method = cell
    record_property("handshakes", (*words, f"ACA-Py {version}"))
    faber = acapy(version)
    made = faber.invite(kind="oob", handshake=(words[2],))
    alice.accept("faber", made["invitation"], did_method=method)
    alice.complete("faber")
    assert alice.ask("do", "faber", "info")["my"]["did"].startswith(method)
    works_both_ways(faber, faber.wait_for_state(made, "active"), alice)


@pytest.mark.parametrize("cell", INVITER, ids=names(INVITER))
def test_as_inviter(cell: Any, acapy: Callable[[str], Agent], alice: Alice, record_property: Record) -> None:
    *words, version, form = cell
    record_property("handshakes", (*words, f"ACA-Py {version}"))
    faber = acapy(version)
    connection = faber.accept(alice.invite("faber", **form))
    alice.complete("faber")
    faber.wait_until_active(connection)
    assert faber.call("GET", f"/connections/{connection}")["their_label"] == "Alice"
    works_both_ways(faber, connection, alice)


def did_name(did: str) -> str:
    """A DID as both sides may call it: without `did:sov:`, and the short form of a `did:peer:4`."""
    return ":".join(did.removeprefix("did:sov:").split(":")[:3]) if did.startswith("did:peer:4") else did.removeprefix("did:sov:")


def works_both_ways(faber: Agent, connection: str, alice: Alice) -> None:
    """Messages and pings arrive and are answered, also after the connection has moved to another process. Each side
    knows the DID that the other one presents."""
    theirs, info = faber.call("GET", f"/connections/{connection}"), alice.ask("do", "faber", "info")
    assert did_name(info["my"]["did"]) == did_name(theirs["their_did"])
    assert did_name(info["their"]["did"]) == did_name(theirs["my_did"])
    alice.ask("send", "faber", "hello")
    assert faber.wait_for_message(connection) == "hello"
    text = alice.ask("serialize", "faber")
    alice.restart()
    alice.ask("deserialize", "faber", text)
    assert alice.ask("serialize", "faber") == text

    faber.send_message(connection, "welcome")
    message = alice.receive("faber", "message")
    assert json.loads(message["text"])["content"] == "welcome"
    alice.ask("mark_read", message)
    thread = faber.send_ping(connection)

    def is_answered() -> bool:
        """There may be an older ping: as an invitee, ACA-Py begins with one."""
        alice.ask("update", "faber")
        return faber.has_ping_response(thread)

    faber.wait_until("the answer to its ping", is_answered)


@pytest.mark.parametrize("kind, handshake", [("c_i", None), *(("oob", name) for name in HANDSHAKES["0.12"])])
def test_between_two_programs(
    kind: str, handshake: str | None, alice: Alice, bob: Alice, record_property: Record
) -> None:
    form = "connection" if kind == "c_i" else "out-of-band 1.1"
    record_property("handshakes", ("both", form, handshake or CONNECTIONS, "msdk"))
    bob.accept("alice", alice.invite("bob", kind, handshake))
    both = (alice, "bob"), (bob, "alice")
    wait_until("both to be connected", lambda: [who.ask("update", peer) for who, peer in both] == [4, 4], 20)
    for (sender, to), (receiver, of) in (both, both[::-1]):
        sender.ask("send", to, "hello")
        message = receiver.receive(of, "message")
        assert json.loads(message["text"])["content"] == "hello"
        receiver.ask("mark_read", message)
        sender.ask("ping", to, "are you there?")
        receiver.receive(of, "ping")
        receiver.ask("update", of)
        sender.ask("mark_read", sender.receive(to, "ping-response"))


def test_an_invitation_is_for_one(alice: Alice, bob: Alice) -> None:
    invitation = alice.invite("anybody", "c_i")
    text = bob.ask("accept", "first", invitation)
    assert json.loads(text)["state"]["Invitee"]["Requested"]
    alice.ask("update", "anybody")
    bob.accept("second", invitation)

    def is_turned_away() -> bool:
        alice.ask("update", "anybody")
        return bool(bob.ask("update", "second") == FAILED)

    wait_until("the second to be turned away", is_turned_away, 20)
    bob.complete("first")
    alice.complete("anybody")


@pytest.mark.parametrize("version", HANDSHAKES)
def test_the_invitations_first_handshake_counts_unless_another_is_named(
    acapy: Callable[[str], Agent], alice: Alice, version: str
) -> None:
    faber = acapy(version)
    offered = [EXCHANGE_0, EXCHANGE_1]
    for name, named, expected in [("first", None, EXCHANGE_0), ("named", EXCHANGE_1, EXCHANGE_1)]:
        made = faber.invite("oob", handshake=offered)
        alice.accept(name, made["invitation"], named)
        request = json.loads(alice.ask("serialize", name))["state"]["Invitee"]["Requested"]["request"]
        assert request["@type"] == f"https://didcomm.org/{expected}/request"
        alice.complete(name)
        faber.wait_for_state(made, "active")
