"""Proofs that this side requests and verifies: what is asked for, the exchange, and the result with its reasons."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence
from typing import Any, Optional, Union

from ._calls import call
from ._checked import checked
from ._held import Held, name_in, object_in, options_of
from ._waiting import INTERVAL, reach
from .connection import Connection
from .errors import MsdkError, StateError, not_ready
from .messages import HandedMessage, text_of_content, text_of_message
from .state import RequestState

Restrictions = Union[Mapping[str, Any], Sequence[Mapping[str, Any]]]
"""Conditions on a credential: filters of which one has to hold, such as `[{"cred_def_id": ...}]`, or one query."""


@checked
@dataclasses.dataclass(frozen=True)
class Wanted:
    """An attribute that is asked for, or several from one credential.

    Without `restrictions`, a credential of any issuer is good, and for a single attribute also the prover's own word,
    unless `may_be_self_attested` is false.
    """

    names: Union[str, Sequence[str]]
    restrictions: Optional[Restrictions] = None
    may_be_self_attested: Optional[bool] = None
    non_revoked: Optional[Mapping[str, int]] = None

    def _members(self) -> dict[str, Any]:
        names: dict[str, Any] = (
            {"name": self.names} if isinstance(self.names, str) else {"names": list(self.names)}
        )
        members = {"restrictions": self.restrictions, "self_attest_allowed": self.may_be_self_attested}
        return _given({**names, **members, "non_revoked": self.non_revoked})


@checked
@dataclasses.dataclass(frozen=True)
class WantedPredicate:
    """A condition that is asked for: the value of an attribute compared with a number by ">=", ">", "<=" or "<"."""

    name: str
    comparison: str
    bound: int
    restrictions: Optional[Restrictions] = None
    non_revoked: Optional[Mapping[str, int]] = None

    def _members(self) -> dict[str, Any]:
        condition = {"name": self.name, "p_type": self.comparison, "p_value": self.bound}
        return _given({**condition, "restrictions": self.restrictions, "non_revoked": self.non_revoked})


WantedItems = Union[Sequence[Wanted], Mapping[str, Wanted]]
"""Attributes in their order, or by the names of the items."""

WantedPredicates = Union[Sequence[WantedPredicate], Mapping[str, WantedPredicate]]
"""Predicates in their order, or by the names of the items."""


@dataclasses.dataclass(frozen=True)
class Remark:
    """A reason or a warning. `code` is for programs, `text` for developers; `referent` names the item that it is about, and
    `check` the check of the proof that failed, such as `B1`."""

    code: str
    text: str
    referent: Optional[str] = None
    check: Optional[str] = None


@dataclasses.dataclass(frozen=True)
class Verdict:
    """The result of a proof. Without `reasons` it is verified. `warnings` tell of gaps that the request permits."""

    reasons: tuple[Remark, ...]
    warnings: tuple[Remark, ...]

    @property
    def is_verified(self) -> bool:
        """Whether there is no reason against it. A verdict itself is true then."""
        return not self.reasons

    def __bool__(self) -> bool:
        return self.is_verified


@dataclasses.dataclass(frozen=True)
class ProvedCredential:
    """The credential that proves an item, by the ids of its public objects.

    `timestamp`, in seconds since 1970, is the time for which the proof shows that it was not revoked. Without such a proof
    it is None, and so is `rev_reg_id`.
    """

    schema_id: str
    cred_def_id: str
    rev_reg_id: Optional[str] = None
    timestamp: Optional[int] = None


@dataclasses.dataclass(frozen=True)
class Shown:
    """The content of a verified presentation, by referent.

    `revealed` has the values of credentials, by name; `self_attested` the prover's own, without a credential;
    `unrevealed` the items whose values were withheld; `predicates` the conditions that are proved; `credentials` the
    credential of each item that has one.
    """

    revealed: Mapping[str, Mapping[str, str]]
    self_attested: Mapping[str, str]
    unrevealed: tuple[str, ...]
    predicates: Mapping[str, WantedPredicate] = dataclasses.field(default_factory=dict)
    credentials: Mapping[str, ProvedCredential] = dataclasses.field(default_factory=dict)


@checked
class ProofRequest(Held):
    """A proof that this side requests. Its items have the names of mappings, and else `attribute_0` …, `predicate_0` …

    Made by one of the class methods. Release it with `release`, by leaving a `with` block, or by forgetting it.
    """

    _kind = "requested proof"
    _unknown_handle = 1017
    _release_function = "vcx_proof_release"
    _kept_type = "proof"

    @classmethod
    async def create(
        cls,
        name: str,
        attributes: WantedItems = (),
        predicates: WantedPredicates = (),
        non_revoked: Optional[Mapping[str, int]] = None,
        source_id: str = "proof request",
        version: Optional[str] = None,
        format: Optional[str] = None,
    ) -> ProofRequest:
        """A request. `name` is for the prover's user.

        The keys of a mapping name its items, in the request and in all results; an attribute and a predicate may not have
        one name. `non_revoked` has the bounds `from` and `to`, as seconds, in which no credential may be revoked. With `to`
        alone it is that time; with `from` alone the prover chooses a time since then. `version` ("1.0", "2.0") and `format`
        ("hlindy", "anoncreds") are those of the protocol; without them the configuration and the peer decide.
        """
        arguments = (source_id, *_texts(attributes, predicates, non_revoked), name, options_of(version, format))
        return cls(await call("msdk_proof_create_with_options", *arguments, unclaimed=cls._release), source_id)

    @classmethod
    async def from_proposal(cls, proposal: HandedMessage, source_id: str = "proof request") -> ProofRequest:
        """The answer to a proposal that arrived. `send` requests what is proposed, `send_instead` something else."""
        name = "vcx_proof_create_with_proposal"
        text = text_of_content(proposal)
        return cls(await call(name, source_id, text, "proposal", unclaimed=cls._release), source_id)

    @classmethod
    async def deserialize(cls, data: str) -> ProofRequest:
        """Restores a request from the text of `serialize`, in this process or another with the same wallet."""
        return cls(await call("vcx_proof_deserialize", data, unclaimed=cls._release), name_in(data))

    async def send(self, connection: Connection) -> None:
        """Sends the request over a connection. Over an invitation that carries it, waits for the answer there."""
        await call("vcx_proof_send_request", self._handle, connection._handle)

    async def send_instead(
        self,
        connection: Connection,
        name: str,
        attributes: WantedItems = (),
        predicates: WantedPredicates = (),
        non_revoked: Optional[Mapping[str, int]] = None,
    ) -> None:
        """Answers a proposal with another request than the proposed one."""
        texts = _texts(attributes, predicates, non_revoked)
        await call("vcx_proof_request_proof", self._handle, connection._handle, *texts, name)

    async def decline(self, connection: Connection, reason: Optional[str] = None) -> None:
        """Declines a proposal, or withdraws the request that was sent, and tells the prover the reason."""
        await call("msdk_proof_decline_proposal", self._handle, connection._handle, reason)

    async def message(self) -> dict[str, Any]:
        """The request's message, to be attached to an invitation, or shown as a QR code. Call `await_over` before `verdict`."""
        message: dict[str, Any] = json.loads(await call("vcx_proof_get_request_msg", self._handle))
        return message

    async def await_over(self, connection: Connection) -> None:
        """Says over which connection the answer comes to a `message` that the program sends by itself."""
        await call("vcx_proof_set_connection", self._handle, connection._handle)

    async def proposal(self) -> dict[str, Any]:
        """The presentation that the prover proposes instead, in state PROPOSED."""
        proposal: dict[str, Any] = json.loads(await call("vcx_get_proof_proposal", self._handle))
        return proposal

    async def verdict(self, timeout: Optional[float] = None, interval: float = INTERVAL) -> Verdict:
        """Waits until a presentation was judged, and returns the result.

        Raises `EndedError` if the prover declines or proposes something else, and `asyncio.TimeoutError` after `timeout`
        seconds: `verdict` may be called again then. A prover does not have to answer. Raises `StateError` if the program has
        called neither `send` nor `message`. After `message` alone no answer is found: `verdict` waits for the whole
        `timeout`, and without one for ever, unless the program calls `await_over`.
        """
        if await self.state() is RequestState.CREATED:
            await self._require_message()

        async def look() -> RequestState:
            state = await self.update_state()
            return RequestState.VERIFIED if state is RequestState.NOT_VERIFIED else state

        over = (RequestState.PROPOSED, RequestState.REJECTED)
        await reach("proof request", RequestState.VERIFIED, over, look, self.problem_report, timeout, interval)
        result = await self.result()
        if result is None:
            raise MsdkError("the proof request has ended without a presentation")
        return result

    async def _require_message(self) -> None:
        """Raises `StateError` if there is no message yet, so that nobody can answer. The state does not tell: a request in an
        invitation stays CREATED until its answer."""
        try:
            await self.thread_id()
        except StateError:
            raise not_ready("the request was not sent: call `send` first, or `message` and `await_over`") from None

    async def result(self) -> Optional[Verdict]:
        """The result, if a presentation was judged. Sends no request."""
        explained = json.loads(await call("msdk_proof_explain", self._handle))
        if explained["verified"] is None:
            return None
        return Verdict(_remarks(explained["reasons"]), _remarks(explained["warnings"]))

    async def shown(self) -> Shown:
        """The content of the presentation, as it was judged. Raises `MsdkError` with code 1023 if it is not verified."""
        return _shown(json.loads(await call("msdk_proof_content", self._handle)))

    async def presentation(self) -> dict[str, Any]:
        """The message with the judged presentation alone, also one that is not verified. `shown` reads its values."""
        _, text = await call("vcx_get_proof_msg", self._handle)
        message: dict[str, Any] = json.loads(text)
        return message

    async def update_state(self) -> RequestState:
        """Looks into the mailbox, applies at most one message of this proof, and returns the state after it."""
        return RequestState(await call("vcx_proof_update_state", self._handle))

    async def update_state_with_message(self, message: HandedMessage) -> RequestState:
        """Applies a downloaded message, from the sender that its envelope in the mailbox proves. Mark it as read then."""
        name = "vcx_proof_update_state_with_message"
        return RequestState(await call(name, self._handle, text_of_message(message)))

    async def state(self) -> RequestState:
        """The state now. Sends no request."""
        return RequestState(await call("vcx_proof_get_state", self._handle))

    async def problem_report(self) -> Optional[dict[str, Any]]:
        """The report that ended the exchange, of either side, if there is one."""
        return object_in(await call("vcx_proof_get_problem_report", self._handle))

    async def thread_id(self) -> str:
        """The id of the exchange's thread; an error (1005) before there is a message."""
        thread: str = await call("msdk_proof_get_thread_id", self._handle)
        return thread

    async def serialize(self) -> str:
        """The whole request as JSON text, to be stored and restored with `deserialize`."""
        data: str = await call("vcx_proof_serialize", self._handle)
        return data


def _texts(
    attributes: WantedItems, predicates: WantedPredicates, non_revoked: Optional[Mapping[str, int]]
) -> tuple[str, str, str]:
    return _items(attributes), _items(predicates), json.dumps(dict(non_revoked or {}))


def _items(wanted: Union[WantedItems, WantedPredicates]) -> str:
    if isinstance(wanted, Mapping):
        return json.dumps({name: each._members() for name, each in wanted.items()})
    return json.dumps([each._members() for each in wanted])


def _given(members: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in members.items() if value is not None}


def _remarks(remarks: Sequence[Mapping[str, Any]]) -> tuple[Remark, ...]:
    return tuple(Remark(each["code"], each["text"], each["referent"], each.get("check")) for each in remarks)


def _shown(content: Mapping[str, Mapping[str, Any]]) -> Shown:
    # An older request may name an attribute and a predicate alike: the credential is then that of the attribute, and a
    # value without a credential gets none.
    kinds = (content["predicates"], content["unrevealed"], content["revealed"])
    items = {each: item for kind in kinds for each, item in kind.items() if each not in content["self_attested"]}
    return Shown(
        {each: item["values"] for each, item in content["revealed"].items()},
        {each: next(iter(item["values"].values())) for each, item in content["self_attested"].items()},
        tuple(content["unrevealed"]),
        {
            each: WantedPredicate(item["name"], item["p_type"], item["p_value"])
            for each, item in content["predicates"].items()
        },
        {each: ProvedCredential(**item["credential"]) for each, item in items.items()},
    )
