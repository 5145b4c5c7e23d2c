"""Credentials of ACA-Py: offered, asked for, stored; declined; and what happens when a process ends between two steps."""

from __future__ import annotations

import json
import os
import pathlib
from collections.abc import Iterator
from typing import Any

import pytest

from alice import Alice, AliceError, wait_until
from issuer import Issuer, Offer

VALUES = {"name": "Alice Andersen", "age": "28", "degree": "Maths"}
REQUEST_SENT, OFFERED, STORED, REJECTED = 2, 3, 4, 9
VERSIONS = (1, 2)
OVER = {"connection": "faber"}


@pytest.fixture(scope="module")
def issuer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Issuer, str]]:
    """An issuer and its credential definition."""
    with Issuer("Faber", tmp_path_factory.mktemp("issuer")) as faber:
        yield faber, faber.define(VALUES)


def engine() -> str:
    """The library that `scripts/setup credentials` installs."""
    cache = pathlib.Path(os.environ.get("MSDK_CACHE") or pathlib.Path(__file__).parents[2] / ".build")
    return str(cache / "credentials" / "libanoncreds.so")


class Holder:
    """Alice with a connection to the issuer, and the credentials that she is offered over it."""

    def __init__(self, alice: Alice, faber: Issuer, definition: str) -> None:
        self.alice, self.faber, self.definition = alice, faber, definition
        alice.config = json.loads(alice.config) if isinstance(alice.config, str) else alice.config
        alice.config["anoncreds_library_path"] = engine()
        alice.config["anoncreds_registries"] = [{"type": "file", "path": str(faber.registry)}]
        alice.restart()

    def connect(self) -> None:
        invitation = self.faber.invite("oob", handshake=("didexchange/1.0",))
        self.alice.accept("faber", invitation["invitation"])
        self.alice.complete("faber")
        self.connection = self.faber.wait_for_state(invitation, "active")

    def offer(self, version: int) -> Offer:
        return self.faber.offer(self.connection, self.definition, VALUES, version)

    def call(self, function: str, *arguments: Any) -> Any:
        return self.alice.ask("vcx", function, *arguments)

    @property
    def handle(self) -> int:
        return int(self.alice.ask("handle", "faber"))

    def receive_offer(self) -> int:
        """The handle of the offered credential."""
        message = self.alice.receive("faber", "credential-offer")
        handle, _ = self.call("vcx_credential_create_with_msgid", "degree", self.handle, message["uid"])
        assert self.call("vcx_credential_get_state", handle) == OFFERED
        self.alice.ask("mark_read", message)
        return int(handle)

    def request(self, credential: int, connection: int | None = None) -> None:
        self.call("vcx_credential_send_request", credential, self.handle if connection is None else connection, 0)

    def update(self, credential: int) -> int:
        return int(self.call("vcx_credential_update_state", credential))

    def store(self, credential: int) -> None:
        wait_until("the credential", lambda: self.update(credential) == STORED, 20)

    def restart(self, credential: int) -> int:
        """Another process goes on with the credential."""
        text, connection = self.call("vcx_credential_serialize", credential), self.alice.ask("serialize", "faber")
        self.alice.kill()
        self.alice.start()
        self.alice.ask("init", self.alice.config)
        self.alice.ask("deserialize", "faber", connection)
        return int(self.call("vcx_credential_deserialize", text))

    def stored(self, credential: int) -> Any:
        return json.loads(self.call("vcx_credential_get_info", credential))


@pytest.fixture
def holder(alice: Alice, issuer: tuple[Issuer, str]) -> Holder:
    return Holder(alice, *issuer)


@pytest.mark.parametrize("version", VERSIONS)
def test_a_credential_is_issued(holder: Holder, version: int) -> None:
    """By the Python package's class, as is the next; the others use the functions of the C API."""
    holder.connect()
    offer = holder.offer(version)
    alice, message = holder.alice, holder.alice.receive("faber", "credential-offer")
    assert alice.ask("take_offer", "degree", "faber", message["uid"]) == OFFERED
    alice.ask("credential", "degree", "accept", OVER)
    assert alice.ask("credential", "degree", "state") == REQUEST_SENT
    wait_until("the credential", lambda: alice.ask("credential", "degree", "update_state") == STORED, 20)
    info = alice.ask("credential", "degree", "info")
    assert (info["attributes"], info["cred_def_id"]) == (VALUES, holder.definition)
    assert not alice.ask("credential", "degree", "is_revoked")
    holder.faber.wait_for_issue(offer)
    alice.ask("credential", "degree", "delete")
    with pytest.raises(AliceError, match="the credential was released"):
        alice.ask("credential", "degree", "info")


@pytest.mark.parametrize("version", VERSIONS)
def test_an_offer_is_declined(holder: Holder, version: int) -> None:
    holder.connect()
    offer = holder.offer(version)
    message = holder.alice.receive("faber", "credential-offer")
    holder.alice.ask("take_offer", "degree", "faber", message["uid"])
    holder.alice.ask("credential", "degree", "decline", OVER, "not now")
    assert holder.alice.ask("credential", "degree", "state") == REJECTED
    holder.faber.wait_for_refusal(offer)


@pytest.mark.parametrize("version", VERSIONS)
def test_a_killed_process_goes_on_between_any_two_steps(holder: Holder, version: int) -> None:
    holder.connect()
    offer = holder.offer(version)
    credential = holder.restart(holder.receive_offer())
    holder.request(credential)
    credential = holder.restart(credential)
    holder.store(credential)
    credential = holder.restart(credential)
    assert holder.stored(credential)["attrs"] == VALUES
    holder.faber.wait_for_issue(offer)


def test_a_request_is_sent_twice_and_one_credential_is_stored(holder: Holder) -> None:
    """The process ends after it has sent the request, and before it has noted that."""
    holder.connect()
    holder.offer(2)
    credential = holder.receive_offer()
    before = holder.call("vcx_credential_serialize", credential)
    holder.request(credential)
    again = int(holder.call("vcx_credential_deserialize", before))
    holder.request(again)
    holder.store(again)
    assert holder.stored(again)["attrs"] == VALUES


@pytest.mark.parametrize("version", VERSIONS)
def test_an_offer_without_a_connection_is_answered_at_once(holder: Holder, version: int) -> None:
    offer, invitation = holder.faber.offer_without_connection(holder.definition, VALUES, version)
    message = holder.call("vcx_extract_attached_message", json.dumps(invitation))
    credential = int(holder.call("vcx_credential_create_with_offer", "degree", message))
    holder.request(credential, connection=0)
    assert holder.call("vcx_credential_get_state", credential) == STORED
    assert holder.stored(credential)["attrs"] == VALUES
    holder.faber.wait_for_issue(offer)


def test_without_the_engine_the_offer_stays(holder: Holder) -> None:
    holder.connect()
    holder.offer(2)
    credential = holder.receive_offer()
    text, connection = holder.call("vcx_credential_serialize", credential), holder.alice.ask("serialize", "faber")
    holder.alice.config["anoncreds_library_path"] = "/nowhere/libanoncreds.so"
    holder.alice.restart()
    holder.alice.ask("deserialize", "faber", connection)
    credential = int(holder.call("vcx_credential_deserialize", text))
    with pytest.raises(AliceError) as refused:
        holder.request(credential)
    assert refused.value.code == 1103 and "AnonCreds engine not available" in refused.value.cause
    assert holder.call("vcx_credential_get_state", credential) == OFFERED
