"""Credentials that issuers offer to this side."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from typing import Any, Optional, Union

from ._calls import call
from ._checked import checked
from ._held import Held, handle_of, name_in, object_in, options_of
from ._waiting import INTERVAL, reach
from .connection import Connection
from .display import Display
from .messages import HandedMessage, text_of_content, text_of_message
from .state import CredentialState


@dataclasses.dataclass(frozen=True)
class Offer:
    """The content of an offer, to show it to the user. `attributes` are the values, by name."""

    name: str
    attributes: Mapping[str, Any]
    cred_def_id: str
    schema_id: str
    thread_id: str


@dataclasses.dataclass(frozen=True)
class CredentialInfo:
    """A credential in the wallet. `referent` is its id there, `attributes` are its values, by name.

    `rev_reg_id` and `cred_rev_id` are None for a credential that cannot be revoked.
    """

    referent: str
    attributes: Mapping[str, str]
    schema_id: str
    cred_def_id: str
    rev_reg_id: Optional[str]
    cred_rev_id: Optional[str]

    @classmethod
    def _read(cls, info: Mapping[str, Any]) -> CredentialInfo:
        revocation = (info.get("rev_reg_id"), info.get("cred_rev_id"))
        return cls(info["referent"], info["attrs"], info["schema_id"], info["cred_def_id"], *revocation)


@dataclasses.dataclass(frozen=True)
class HeldCredential(CredentialInfo):
    """A credential in the wallet, with all that the wallet knows of it.

    `is_revoked` is the wallet's knowledge: `Credential.is_revoked` asks the registry. `received` is in seconds since 1970,
    and `connection` is this side's DID of the connection that brought it, as `Connection.pw_did` has it. Both are None for
    a credential that an older version or another library has stored.
    """

    schema_name: Optional[str]
    schema_version: Optional[str]
    issuer_did: Optional[str]
    is_revoked: bool
    received: Optional[int]
    connection: Optional[str]
    display: Display

    @classmethod
    def _read(cls, info: Mapping[str, Any]) -> HeldCredential:
        return cls(
            referent=info["referent"],
            attributes=info["attrs"],
            schema_id=info["schema_id"],
            cred_def_id=info["cred_def_id"],
            rev_reg_id=info["rev_reg_id"],
            cred_rev_id=info["cred_rev_id"],
            schema_name=info["schema_name"],
            schema_version=info["schema_version"],
            issuer_did=info["issuer_did"],
            is_revoked=info["revoked"],
            received=info["received"],
            connection=info["connection"],
            display=Display._read(info["display"]),
        )


@checked
class Credential(Held):
    """A credential, from its offer or from a proposal of this side on.

    Made by one of the class methods. Release it with `release`, by leaving a `with` block, or by forgetting it: the
    stored credential stays in the wallet.
    """

    _kind = "credential"
    _unknown_handle = 1053
    _release_function = "vcx_credential_release"
    _kept_type = "credential"

    @staticmethod
    async def offers(connection: Connection) -> list[Any]:
        """The offers that wait on a connection, for `from_offer`. They stay unread in the mailbox."""
        offers: list[Any] = json.loads(await call("vcx_credential_get_offers", connection._handle))
        return offers

    @staticmethod
    async def parse_offer(offer: Union[HandedMessage, list[Any]]) -> Offer:
        """Reads an offer without making a credential."""
        return await _read(_text(offer))

    @classmethod
    async def from_offer(cls, offer: Union[HandedMessage, list[Any]], source_id: str = "credential") -> Credential:
        """The credential of an offer: a message, one of `offers`, or the attachment of an invitation.

        `source_id` is a name of the program's choosing, which the library keeps with the credential.
        """
        name = "vcx_credential_create_with_offer"
        return cls(await call(name, source_id, _text(offer), unclaimed=cls._release), source_id)

    @classmethod
    async def from_message(cls, connection: Connection, uid: str, source_id: str = "credential") -> Credential:
        """Downloads the offer with this id. The program marks the message as read."""
        name = "vcx_credential_create_with_msgid"
        handle, _ = await call(name, source_id, connection._handle, uid, unclaimed=cls._release_first)
        return cls(handle, source_id)

    @classmethod
    async def proposing(
        cls,
        attributes: Optional[Mapping[str, Union[str, int]]] = None,
        filter: Optional[Mapping[str, str]] = None,
        comment: Optional[str] = None,
        source_id: str = "credential",
        version: Optional[str] = None,
        format: Optional[str] = None,
    ) -> Credential:
        """A credential that this side proposes; `propose` sends the proposal.

        `filter` names the definition by `cred_def_id`, `issuer_did`, `schema_id`, `schema_issuer_did`, `schema_name` or
        `schema_version`. `version` ("1.0", "2.0") and `format` ("hlindy", "anoncreds") are those of the protocol; without
        them the configuration and the peer decide.
        """
        arguments = (source_id, _proposal(attributes, filter), comment, options_of(version, format))
        return cls(await call("msdk_credential_create_proposal", *arguments, unclaimed=cls._release), source_id)

    @classmethod
    async def deserialize(cls, data: str) -> Credential:
        """Restores a credential from the text of `serialize`, in this process or another with the same wallet."""
        return cls(await call("vcx_credential_deserialize", data, unclaimed=cls._release), name_in(data))

    async def propose(self, connection: Connection) -> None:
        """Sends the proposal. `offered` then waits for the issuer's offer."""
        await call("msdk_credential_send_proposal", self._handle, connection._handle)

    async def propose_instead(
        self,
        connection: Connection,
        attributes: Optional[Mapping[str, Union[str, int]]] = None,
        filter: Optional[Mapping[str, str]] = None,
        comment: Optional[str] = None,
    ) -> None:
        """Answers the offer with a proposal of another credential. `offered` then waits for the next offer."""
        arguments = (self._handle, connection._handle, _proposal(attributes, filter), comment)
        await call("msdk_credential_propose_instead", *arguments)

    async def offered(self, timeout: Optional[float] = None, interval: float = INTERVAL) -> Offer:
        """Waits until the issuer has answered the proposal with an offer, and returns it.

        Raises `EndedError` if the issuer declines, and `asyncio.TimeoutError` after `timeout` seconds: `offered` may be
        called again then.
        """
        over = (CredentialState.FAILED, CredentialState.REJECTED)
        await reach("credential", CredentialState.OFFERED, over, self.update_state, self.problem_report, timeout, interval)
        return await _read(await call("msdk_credential_get_offer", self._handle))

    async def accept(self, connection: Optional[Connection] = None) -> None:
        """Requests the credential: over a connection, or without one at the service that the offer names itself.

        When it fails, the credential is as before and `accept` can be called again. Without a connection the issuer may
        answer at once: the credential is then stored.
        """
        await call("vcx_credential_send_request", self._handle, handle_of(connection), 0)

    async def decline(self, connection: Optional[Connection] = None, comment: Optional[str] = None) -> None:
        """Declines the offer, or withdraws the proposal, and tells the issuer the comment."""
        await call("vcx_credential_reject", self._handle, handle_of(connection), comment)

    async def stored(self, timeout: Optional[float] = None, interval: float = INTERVAL) -> CredentialInfo:
        """Waits until the credential that was accepted is in the wallet, and returns it.

        Raises `EndedError` if the issuer ends the exchange, and `asyncio.TimeoutError` after `timeout` seconds:
        `stored` may be called again then.
        """
        over = (CredentialState.FAILED, CredentialState.REJECTED)
        await reach("credential", CredentialState.STORED, over, self.update_state, self.problem_report, timeout, interval)
        return await self.info()

    async def update_state(self) -> CredentialState:
        """Looks into the mailbox, applies at most one message of this credential, and returns the state after it.

        A credential that arrives is checked, and stored. One that differs from the offer raises 1054.
        """
        return CredentialState(await call("vcx_credential_update_state", self._handle))

    async def update_state_with_message(self, message: HandedMessage) -> CredentialState:
        """Applies a downloaded message, from the sender that its envelope in the mailbox proves. Mark it as read then."""
        name = "vcx_credential_update_state_with_message"
        return CredentialState(await call(name, self._handle, text_of_message(message)))

    async def state(self) -> CredentialState:
        """The state now. Sends no request."""
        return CredentialState(await call("vcx_credential_get_state", self._handle))

    async def thread_id(self) -> str:
        """The id of the exchange's thread, under which the wallet keeps the credential."""
        thread: str = await call("msdk_credential_get_thread_id", self._handle)
        return thread

    async def info(self) -> CredentialInfo:
        """The stored credential: its values, and the ids of its schema and definition."""
        return CredentialInfo._read(json.loads(await call("vcx_credential_get_info", self._handle)))

    async def is_revoked(self) -> bool:
        """Asks the registry whether the issuer has revoked the stored credential. The wallet notes the answer."""
        is_revoked: bool = await call("msdk_credential_is_revoked", self._handle)
        return is_revoked

    async def problem_report(self) -> Optional[dict[str, Any]]:
        """The report that ended the exchange, if one did."""
        return object_in(await call("vcx_credential_get_problem_report", self._handle))

    async def presentation_proposal(self) -> dict[str, Any]:
        """A message that proposes to present all attributes of the stored credential."""
        name = "vcx_credential_get_presentation_proposal_msg"
        message: dict[str, Any] = json.loads(await call(name, self._handle))
        return message

    async def serialize(self) -> str:
        """The credential's exchange as JSON text, to be stored and restored with `deserialize`."""
        data: str = await call("vcx_credential_serialize", self._handle)
        return data

    async def delete(self) -> None:
        """Deletes the stored credential from the wallet, and releases the object whether that succeeds or not."""
        try:
            await call("vcx_delete_credential", self._handle)
        finally:
            self.release()


async def _read(offer: str) -> Offer:
    read = json.loads(await call("vcx_credential_parse_offer", offer))
    attributes = {each["name"]: each["value"] for each in read["attributes"]}
    return Offer(read["name"], attributes, read["cred_def_id"], read["schema_id"], read["thid"])


def _proposal(attributes: Optional[Mapping[str, Union[str, int]]], filter: Optional[Mapping[str, str]]) -> str:
    members = {"attributes": attributes, "filter": filter}
    return json.dumps({name: dict(value) for name, value in members.items() if value is not None})


def _text(offer: Union[HandedMessage, list[Any]]) -> str:
    """With `protocol_type` 3.0 or less an offer is an array of one."""
    return json.dumps(offer) if isinstance(offer, list) else text_of_content(offer)
