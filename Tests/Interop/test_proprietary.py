"""Evernym's proprietary protocol between two programs with the library, at a real agency."""

from __future__ import annotations

import json
import pathlib
from collections.abc import Iterator
from typing import Any

import pytest

from agency import Agency
from alice import Alice, AliceError

PROPRIETARY = "2.0"
OFFERED, INVITED, ACCEPTED, REDIRECTED = 2, 3, 4, 8
NOT_READY, OTHER_PROTOCOL, INVALID_INVITATION = 1005, 1103, 1045


@pytest.fixture
def faber(agency: Agency, tmp_path: pathlib.Path) -> Iterator[Alice]:
    """An inviter, in a process of its own."""
    with Alice(tmp_path / "faber") as faber:
        faber.provision(agency.provisioning(protocol_type=PROPRIETARY))
        yield faber


def kept(who: Alice, name: str) -> None:
    """The connection goes through its text, into another process."""
    text = who.ask("serialize", name)
    assert json.loads(text)["version"] == "1.0"
    who.restart()
    who.ask("deserialize", name, text)
    assert who.ask("serialize", name) == text


def invited(faber: Alice, alice: Alice, name: str, abbreviated: bool = True) -> None:
    """Both sides exist, and nothing is answered."""
    short = faber.invite(name, "c_i")
    assert "s" in short and "senderDetail" not in short
    invitation = short if abbreviated else faber.ask("do", name, "invite_details")
    assert faber.ask("state", name) == OFFERED
    alice.ask("create", name, invitation)
    assert alice.ask("state", name) == INVITED
    assert alice.ask("do", name, "invite_details") == faber.ask("do", name, "invite_details")


def connected(faber: Alice, alice: Alice, name: str) -> None:
    invited(faber, alice, name)
    alice.ask("connect", name)
    assert faber.ask("update", name) == ACCEPTED


@pytest.mark.parametrize("abbreviated", [True, False])
def test_an_invitation_becomes_a_connection(faber: Alice, alice: Alice, abbreviated: bool) -> None:
    invited(faber, alice, "first", abbreviated)
    kept(faber, "first")
    kept(alice, "first")
    assert faber.ask("update", "first") == OFFERED
    alice.ask("connect", "first")
    assert alice.ask("state", "first") == ACCEPTED
    assert faber.ask("update", "first") == ACCEPTED
    kept(faber, "first")
    kept(alice, "first")
    assert faber.ask("do", "first", "their_pw_did") == alice.ask("pw_did", "first")
    assert alice.ask("do", "first", "their_pw_did") == faber.ask("pw_did", "first")

    for sender, reader in ((faber, alice), (alice, faber)):
        assert sender.ask("send", "first", "hello")
        message = reader.receive("first", "message")
        assert message["text"] == "hello"
        signature = sender.ask("sign", "first", "hello")
        assert reader.ask("verify", "first", "hello", signature)
        assert not reader.ask("verify", "first", "other", signature)
    for who in (faber, alice):
        with pytest.raises(AliceError) as refused:
            who.ask("connect", "first")
        assert refused.value.code == NOT_READY
        who.ask("do", "first", "delete")


def test_a_second_invitation_is_redirected_to_the_first_connection(faber: Alice, alice: Alice) -> None:
    connected(faber, alice, "first")
    invited(faber, alice, "second")
    alice.ask("redirect", "second", "first")
    assert alice.ask("state", "second") == REDIRECTED
    assert faber.ask("update", "second") == REDIRECTED
    kept(faber, "second")
    details = faber.ask("do", "second", "redirect_details")
    assert details == alice.ask("do", "second", "redirect_details")
    assert details["theirDID"] == alice.ask("pw_did", "first")
    with pytest.raises(AliceError) as refused:
        alice.ask("redirect", "second", "first")
    assert refused.value.code == NOT_READY


def test_the_first_acceptance_counts(faber: Alice, alice: Alice, bob: Alice) -> None:
    invited(faber, alice, "first")
    bob.ask("create", "first", faber.ask("do", "first", "invite_details"))
    alice.ask("connect", "first")
    bob.ask("connect", "first")
    assert faber.ask("update", "first") == ACCEPTED
    assert faber.ask("update", "first") == ACCEPTED
    assert faber.ask("do", "first", "their_pw_did") == alice.ask("pw_did", "first")


def test_a_redirection_to_a_connection_with_somebody_else_is_refused(faber: Alice, alice: Alice, bob: Alice) -> None:
    bob.config["protocol_type"] = PROPRIETARY
    bob.restart()
    connected(bob, alice, "other")
    invited(faber, alice, "first")
    alice.ask("redirect", "first", "other")
    assert faber.ask("update", "first") == OFFERED


def test_a_tampered_invitation_is_not_accepted(faber: Alice, alice: Alice) -> None:
    faber.invite("first", "c_i")
    invitation: dict[str, Any] = faber.ask("do", "first", "invite_details")
    own = invitation["senderDetail"]
    own["agentKeyDlgProof"]["agentDelegatedKey"] = own["verKey"]
    alice.ask("create", "first", invitation)
    with pytest.raises(AliceError) as refused:
        alice.ask("connect", "first")
    assert refused.value.code == INVALID_INVITATION
    assert alice.ask("state", "first") == INVITED


def test_aries_connections_are_not_redirected(alice: Alice, bob: Alice) -> None:
    invitation = bob.invite("aries", "c_i")
    alice.ask("create", "aries", invitation)
    with pytest.raises(AliceError) as refused:
        alice.ask("redirect", "aries", "aries")
    assert refused.value.code == OTHER_PROTOCOL
