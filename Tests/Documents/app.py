"""An app as the documents write it: functions by their names, JSON as text, objects by their handles."""

from __future__ import annotations

import json
import pathlib
from collections.abc import Mapping
from typing import Any

import pytest

from alice import Alice, AliceError, wait_until

JSON = dict[str, Any]
RAW_KEY = "8dvfYSt5d1taSd6yJdpjq4emkwsPDDLYxkNFysFD2cZY"
ACTION_NOT_SUPPORTED = 1103
PENDING, REVIEWED = "MS-103", "MS-106"


class App(Alice):
    """A process with the library. It has no wallet before it is provisioned."""

    def vcx(self, function: str, *arguments: Any) -> Any:
        """Calls `vcx_` + `function`; objects and arrays among the arguments are given as their texts."""
        texts = [json.dumps(each) if isinstance(each, (dict, list)) else each for each in arguments]
        return self.ask("vcx", f"vcx_{function}", *texts)

    def given(self, function: str, *arguments: Any) -> Any:
        """The result of a function that gives JSON."""
        return json.loads(self.vcx(function, *arguments))

    def refusal(self, function: str, *arguments: Any) -> AliceError:
        """The error of a call that must fail."""
        with pytest.raises(AliceError) as raised:
            self.vcx(function, *arguments)
        return raised.value

    def begin(self, provisioning: Mapping[str, Any], **more: Any) -> JSON:
        """Provisions and initialises, with a wallet that opens fast. Returns the configuration."""
        wallet = {"wallet_name": "app", "wallet_key": RAW_KEY, "wallet_key_derivation": "RAW"}
        self.config = self.given("agent_provision_async", {**provisioning, **wallet, "name": self.home.name, **more})
        self.vcx("init_with_config", self.config)
        return dict(self.config)

    # The mailbox

    def pending(self, connection: int | None = None) -> list[JSON]:
        """The unread messages of a connection, or of all, each with its `pairwiseDID` in it."""
        did = None if connection is None else self.vcx("connection_get_pw_did", connection)
        found = self.given("messages_download", PENDING, None, did)
        return [{**message, "pairwiseDID": each["pairwiseDID"]} for each in found for message in each["msgs"]]

    def await_pending(self, connection: int, kind: str) -> JSON:
        """The first unread message of a kind."""

        def find() -> JSON | None:
            return next((each for each in self.pending(connection) if kind_of(each) == kind), None)

        return dict(wait_until(f"a message of kind {kind}", find, 20))

    def review(self, message: JSON) -> None:
        """Marks a downloaded message as reviewed."""
        self.vcx("messages_update_status", REVIEWED, [{"pairwiseDID": message["pairwiseDID"], "uids": [message["uid"]]}])


def kind_of(message: JSON) -> str:
    return str(json.loads(message["decryptedPayload"])["@type"]["name"])


def content_of(message: JSON) -> JSON:
    """The Aries message in a downloaded message."""
    content: JSON = json.loads(text_of(message))
    return content


def text_of(message: JSON) -> str:
    return str(json.loads(message["decryptedPayload"])["@msg"])
