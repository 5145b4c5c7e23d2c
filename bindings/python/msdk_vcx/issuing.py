"""Schemas, credential definitions, and credentials that this side issues."""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Iterable, Mapping
from typing import Any, Optional, Union

from ._calls import call
from ._checked import checked
from ._held import FilePath, Held, name_in, object_in, options_of, text_of_json
from ._waiting import INTERVAL, reach
from .connection import Connection
from .errors import not_ready
from .messages import HandedMessage, text_of_content, text_of_message
from .state import IssuerState


@checked
class Schema(Held):
    """The attributes of a kind of credential, published under an id. Release it as any object; it stays published."""

    _kind = "schema"
    _unknown_handle = 1042
    _release_function = "vcx_schema_release"
    _kept_type = "schema"

    @classmethod
    async def create(
        cls, name: str, version: str, attributes: Iterable[str], source_id: str = "schema"
    ) -> Schema:
        """Publishes a schema of the institution in the registry that the configuration opens for writing.

        `version` has digits and dots. To publish the same schema again succeeds.
        """
        names = json.dumps(list(attributes))
        made = await call("vcx_schema_create", source_id, name, version, names, 0, unclaimed=cls._release)
        return cls(made, source_id)

    @classmethod
    async def fetch(cls, schema_id: str, source_id: str = "schema") -> Schema:
        """The published schema of this id."""
        handle, _ = await call("vcx_schema_get_attributes", source_id, schema_id, unclaimed=cls._release_first)
        return cls(handle, source_id)

    @classmethod
    async def deserialize(cls, data: str) -> Schema:
        """Restores a schema from the text of `serialize`."""
        return cls(await call("vcx_schema_deserialize", data, unclaimed=cls._release), name_in(data))

    async def id(self) -> str:
        """The id, which definitions and proof requests name."""
        schema_id: str = await call("vcx_schema_get_schema_id", self._handle)
        return schema_id

    async def attributes(self) -> list[str]:
        """The names of the attributes. A ledger does not keep their order."""
        names: list[str] = json.loads(await self.serialize())["data"]["data"]
        return names

    async def is_published(self) -> bool:
        """Whether the schema is published, after a look if it was not."""
        return bool(await call("vcx_schema_update_state", self._handle))

    async def serialize(self) -> str:
        """The schema as JSON text."""
        data: str = await call("vcx_schema_serialize", self._handle)
        return data


@checked
class CredentialDefinition(Held):
    """An issuer's keys for credentials of a schema. The public ones are published, the private ones are in the wallet."""

    _kind = "credential definition"
    _unknown_handle = 1037
    _release_function = "vcx_credentialdef_release"
    _kept_type = "credentialdef"

    @classmethod
    async def create(
        cls,
        schema_id: str,
        tag: str,
        name: str = "credential",
        max_credentials: Optional[int] = None,
        tails_folder: Optional[FilePath] = None,
        source_id: str = "definition",
    ) -> CredentialDefinition:
        """Makes keys, which takes seconds, and publishes them. A call that failed to publish can be repeated.

        With `max_credentials`, so many credentials can be issued and revoked; the registry's tails file goes into the
        folder `tails_folder`.
        """
        details: dict[str, Any] = {}
        if max_credentials is not None:
            folder = None if tails_folder is None else os.fspath(tails_folder)
            details = {"support_revocation": True, "max_creds": max_credentials, "tails_file": folder}
        arguments = (source_id, name, schema_id, None, tag, json.dumps(details), 0)
        return cls(await call("vcx_credentialdef_create", *arguments, unclaimed=cls._release), source_id)

    @classmethod
    async def deserialize(cls, data: str) -> CredentialDefinition:
        """Restores a definition from the text of `serialize`, with the wallet that has its keys."""
        return cls(await call("vcx_credentialdef_deserialize", data, unclaimed=cls._release), name_in(data))

    async def id(self) -> str:
        """The id, which offers and proof requests name."""
        definition_id: str = await call("vcx_credentialdef_get_cred_def_id", self._handle)
        return definition_id

    async def publish_rest(self) -> bool:
        """Publishes what is not published yet, revocations too. Returns whether the definition is published."""
        return bool(await call("vcx_credentialdef_update_state", self._handle))

    async def serialize(self) -> str:
        """The definition as JSON text, without its keys."""
        data: str = await call("vcx_credentialdef_serialize", self._handle)
        return data


@dataclasses.dataclass(frozen=True)
class Proposal:
    """A credential that a holder proposes. `attributes` are the values, by name; `filter` has what the holder asks of the
    definition, such as its `cred_def_id`."""

    attributes: Mapping[str, Any]
    filter: Mapping[str, str]
    comment: Optional[str]
    thread_id: str


@dataclasses.dataclass(frozen=True)
class Place:
    """The place of an issued credential in its revocation registry; both ids are None if it cannot be revoked.

    `is_revoked` says whether this side has revoked it.
    """

    rev_reg_id: Optional[str]
    cred_rev_id: Optional[str]
    is_revoked: bool


@checked
class IssuerCredential(Held):
    """A credential that this side issues.

    Store `serialize` after each step: a process that ends between two steps goes on with `deserialize`, and issues
    neither no credential nor two.
    """

    _kind = "issued credential"
    _unknown_handle = 1015
    _release_function = "vcx_issuer_credential_release"
    _kept_type = "issuer_credential"

    @classmethod
    async def create(
        cls,
        definition: CredentialDefinition,
        values: Union[Mapping[str, Union[str, int]], str],
        name: str = "credential",
        source_id: str = "issued",
        version: Optional[str] = None,
        format: Optional[str] = None,
    ) -> IssuerCredential:
        """A credential to be offered. `values` has a value for each attribute, `name` is for the holder's user.

        `version` ("1.0", "2.0") and `format` ("hlindy", "anoncreds") are those of the protocol; without them the
        configuration and the peer decide.
        """
        arguments = (source_id, definition._handle, text_of_json(values), name, options_of(version, format))
        return cls(await call("msdk_issuer_create_credential_with_options", *arguments, unclaimed=cls._release), source_id)

    @classmethod
    async def from_proposal(cls, proposal: HandedMessage, source_id: str = "issued") -> IssuerCredential:
        """The answer to a proposal that arrived. `plan` decides about the offer, and `offer` sends it."""
        name = "msdk_issuer_credential_create_with_proposal"
        return cls(await call(name, source_id, text_of_content(proposal), unclaimed=cls._release), source_id)

    @classmethod
    async def deserialize(cls, data: str) -> IssuerCredential:
        """Restores a credential from the text of `serialize`, with the same wallet."""
        return cls(await call("vcx_issuer_credential_deserialize", data, unclaimed=cls._release), name_in(data))

    async def proposal(self) -> Proposal:
        """The credential that the holder proposes, until the offer that answers it is sent."""
        read = json.loads(await call("msdk_issuer_credential_get_proposal", self._handle))
        attributes = {each["name"]: each["value"] for each in read["attributes"]}
        return Proposal(attributes, read["filter"], read["comment"], read["thid"])

    async def plan(
        self,
        definition: CredentialDefinition,
        values: Union[Mapping[str, Union[str, int]], str],
        name: str = "credential",
    ) -> None:
        """Decides about the offer that answers a proposal, in state PROPOSED. `offer` sends it on the proposal's thread.

        The values may be those of the proposal or others: no value is offered that is not given here.
        """
        arguments = (self._handle, definition._handle, text_of_json(values), name)
        await call("msdk_issuer_credential_plan_offer", *arguments)

    async def decline(self, connection: Connection, reason: Optional[str] = None) -> None:
        """Declines a proposal, or withdraws an offer until the credential is issued, and tells the holder the reason."""
        await call("msdk_issuer_credential_decline_proposal", self._handle, connection._handle, reason)

    async def offer(self, connection: Connection) -> None:
        """Sends the offer.

        If the connection is an out-of-band invitation without a handshake that carries `offer_message`, only waits for the
        answer to it.
        """
        await call("vcx_issuer_send_credential_offer", self._handle, connection._handle)

    async def offer_message(self) -> dict[str, Any]:
        """The message with the offer, for an out-of-band invitation without a handshake."""
        message: dict[str, Any] = json.loads(await call("vcx_issuer_get_credential_offer_msg", self._handle))
        return message

    async def requested(self, timeout: Optional[float] = None, interval: float = INTERVAL) -> None:
        """Waits until the holder has requested the credential.

        Raises `EndedError` if the holder declines, or proposes another credential, in state PROPOSED; and
        `asyncio.TimeoutError` after `timeout` seconds: a holder may never answer. `requested` may be called again then.
        """
        over = (IssuerState.FAILED, IssuerState.REJECTED, IssuerState.ISSUED, IssuerState.PROPOSED)
        await reach(
            "issued credential", IssuerState.REQUESTED, over, self.update_state, self.problem_report, timeout, interval
        )

    async def issue(self) -> None:
        """Makes the credential for the holder's request and sends it. A call that failed may be repeated; once the credential is
        sent, a repetition does nothing. Raises `StateError` before the holder's request: wait with `requested`."""
        state = await self.state()
        if state in (IssuerState.CREATED, IssuerState.OFFERED, IssuerState.PROPOSED):
            raise not_ready(f"the holder has not requested the credential, in state {state}: wait with `requested` first")
        await call("vcx_issuer_send_credential", self._handle, 0)

    async def revoke(self) -> None:
        """Revokes the issued credential, publishes that, and tells the holder.

        Revocations of one registry that are asked for at the same time are published together.
        """
        await call("vcx_issuer_revoke_credential", self._handle)

    async def update_state(self) -> IssuerState:
        """Looks into the mailbox, applies at most one message of this credential, and returns the state after it."""
        return IssuerState(await call("vcx_issuer_credential_update_state", self._handle))

    async def update_state_with_message(self, message: HandedMessage) -> IssuerState:
        """Applies a downloaded message, from the sender that its envelope in the mailbox proves. Mark it as read then."""
        name = "vcx_issuer_credential_update_state_with_message"
        return IssuerState(await call(name, self._handle, text_of_message(message)))

    async def state(self) -> IssuerState:
        """The state now. Sends no request."""
        return IssuerState(await call("vcx_issuer_credential_get_state", self._handle))

    async def thread_id(self) -> str:
        """The id of the exchange's thread, which the offer begins."""
        thread: str = await call("msdk_issuer_credential_get_thread_id", self._handle)
        return thread

    async def place(self) -> Place:
        """The place of the issued credential in its revocation registry; an error (1005) before it is issued."""
        place = json.loads(await call("msdk_issuer_credential_get_place", self._handle))
        return Place(place["rev_reg_id"], place["cred_rev_id"], place["revoked"])

    async def problem_report(self) -> Optional[dict[str, Any]]:
        """The report that ended the exchange, if one did."""
        return object_in(await call("vcx_issuer_credential_get_problem_report", self._handle))

    async def serialize(self) -> str:
        """The exchange as JSON text, to be stored and restored with `deserialize`."""
        data: str = await call("vcx_issuer_credential_serialize", self._handle)
        return data
