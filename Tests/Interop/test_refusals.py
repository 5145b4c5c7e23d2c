"""Offers and credentials of ACA-Py, altered on their way: Alice refuses them, says so to the issuer, and stores nothing."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from typing import Any

import pytest

from alice import Alice, AliceError
from holder import DIALECTS, REQUEST_SENT, VALUES, Faber, Holder
from issuer import Offer

EVERYWHERE = pytest.mark.parametrize("peer, version", DIALECTS)


def another_value(credential: Any) -> None:
    credential["values"]["age"]["raw"] = "99"


def another_signed_value(credential: Any) -> None:
    credential["values"]["age"]["encoded"] = "99"


def another_definition(credential: Any) -> None:
    credential["cred_def_id"] = credential["cred_def_id"].replace("default", "other")


def another_signature(credential: Any) -> None:
    primary = credential["signature"]["p_credential"]
    primary["v"] = str(int(primary["v"]) + 2)


@pytest.fixture
def holder(peer: str, alice: Alice, publisher: Callable[[str], Faber]) -> Holder:
    made = Holder(alice, publisher(peer))
    made.connect()
    return made


def requested(holder: Holder, version: int) -> tuple[Offer, int, Any]:
    """An exchange in which the issuer has sent the credential: its id, its handle, and the message."""
    offer = holder.offer(version)
    credential = holder.receive_offer()
    holder.request(credential)
    message = holder.alice.receive("faber", "credential")
    holder.alice.ask("mark_read", message)
    return offer, credential, json.loads(message["text"])


def is_refused(holder: Holder, offer: Offer, credential: int, message: Any) -> None:
    assert code_of_refusal(holder, credential, message) == 1054
    assert holder.held() == []
    holder.faber.wait_for_refusal(offer)


def code_of_refusal(holder: Holder, credential: int, message: Any) -> int:
    with pytest.raises(AliceError) as refused:
        holder.call("vcx_credential_update_state_with_message", credential, json.dumps(message))
    assert holder.call("vcx_credential_get_state", credential) == REQUEST_SENT
    return refused.value.code


@EVERYWHERE
@pytest.mark.exchange("issue-credential", "altered credentials are refused")
def test_an_altered_credential_is_refused(holder: Holder, peer: str, version: int) -> None:
    for alter in (another_value, another_signed_value, another_definition, another_signature):
        _, credential, message = requested(holder, version)
        attached = message["credentials~attach"][0]["data"]
        content = json.loads(base64.b64decode(attached["base64"]))
        alter(content)
        attached["base64"] = base64.b64encode(json.dumps(content).encode()).decode()
        assert code_of_refusal(holder, credential, message) == 1016, "nobody has sent it"
        assert holder.held() == []


@EVERYWHERE
@pytest.mark.exchange("issue-credential", "a credential for another link secret is refused")
def test_a_credential_for_another_link_secret_is_refused(holder: Holder, peer: str, version: int) -> None:
    offer, credential, message = requested(holder, version)
    text, connection = holder.call("vcx_credential_serialize", credential), holder.alice.ask("serialize", "faber")
    holder.alice.config["link_secret_alias"] = "another"
    holder.alice.restart()
    holder.alice.ask("deserialize", "faber", connection)
    is_refused(holder, offer, int(holder.call("vcx_credential_deserialize", text)), message)


@EVERYWHERE
@pytest.mark.exchange("issue-credential", "an offer that does not fit its definition is refused")
def test_an_offer_that_does_not_fit_its_definition_is_refused(holder: Holder, peer: str, version: int) -> None:
    offer = holder.offer(version)
    message = holder.alice.receive("faber", "credential-offer")
    content = json.loads(message["text"])
    content["credential_preview"]["attributes"].append({"name": "rank", "value": "first"})
    credential = int(holder.call("vcx_credential_create_with_offer", "degree", json.dumps(content)))
    with pytest.raises(AliceError) as refused:
        holder.request(credential)
    assert refused.value.code == 1043
    assert len(VALUES) + 1 == len(content["credential_preview"]["attributes"])
    holder.faber.wait_for_refusal(offer)
    assert holder.held() == []
