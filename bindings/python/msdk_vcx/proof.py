"""Proofs that this side gives from its credentials: what fits a request, what the user chooses, and the exchange."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Mapping
from typing import Any, Optional

from ._calls import call
from ._checked import checked
from ._held import Held, JSONObject, handle_of, name_in, object_in, options_of, text_of_json
from ._waiting import INTERVAL, reach
from .connection import Connection
from .credential import CredentialInfo
from .display import Display
from .messages import HandedMessage, text_of_content, text_of_message
from .state import ProofState


@dataclasses.dataclass(frozen=True)
class Candidate:
    """A stored credential that fits an item. `values` are its values for the names of the item.

    `interval` has the bounds `from` and `to`, as seconds, in which the credential must not be revoked; None if the
    verifier does not ask for that. `is_revoked` is the wallet's knowledge: `Credential.is_revoked` asks the registry.
    """

    info: CredentialInfo
    values: Mapping[str, str]
    interval: Optional[Mapping[str, int]] = None
    is_revoked: bool = False

    @property
    def can_be_used(self) -> bool:
        """Whether the verifier would accept it, as far as the wallet knows."""
        return not self.is_revoked or self.interval is None


@dataclasses.dataclass(frozen=True)
class Predicate:
    """The condition of an item: the value is compared with a number by ">=", ">", "<=" or "<"."""

    comparison: str
    bound: int


@dataclasses.dataclass(frozen=True)
class Item:
    """An item of a request, and the stored credentials that fit it.

    It asks for the values of `names`, from one credential; or, with a `predicate`, only whether that holds.
    `may_be_self_attested` says whether the user may state the value without a credential. `is_missing` says that no
    credential fits, and that the user may not.
    """

    referent: str
    names: tuple[str, ...]
    candidates: tuple[Candidate, ...]
    predicate: Optional[Predicate] = None
    may_be_self_attested: bool = False
    is_missing: bool = False

    @classmethod
    def _read(cls, referent: str, item: Mapping[str, Any]) -> Item:
        return cls(
            referent=referent,
            names=tuple(item.get("names") or [item["name"]]),
            candidates=tuple(_candidate(each) for each in item["credentials"]),
            predicate=Predicate(item["p_type"], item["p_value"]) if "p_type" in item else None,
            may_be_self_attested=item.get("self_attest_allowed", False),
            is_missing=item["missing"],
        )


@checked
@dataclasses.dataclass(frozen=True)
class Choice:
    """The credential for an item. Without `revealed` the proof says only that there is a value.

    `tails_file` is the tails file of the credential's registry, or its folder; it is downloaded if that is None. With
    `present_revoked` the verifier gets the values even if the credential is revoked, and no proof that it is not.
    """

    credential: Candidate
    revealed: bool = True
    tails_file: Optional[str] = None
    present_revoked: bool = False

    def _members(self) -> dict[str, Any]:
        members: dict[str, Any] = {"credential": {"cred_info": {"referent": self.credential.info.referent}}}
        if not self.revealed:
            members["revealed"] = False
        if self.tails_file is not None:
            members["tails_file"] = self.tails_file
        if self.present_revoked:
            members["present_revoked"] = True
        return members


@checked
@dataclasses.dataclass(frozen=True)
class Selection:
    """The user's choice: a credential for each item, and the values that need none. Both are by the item's referent."""

    choices: Mapping[str, Choice]
    self_attested: Mapping[str, str] = dataclasses.field(default_factory=dict)

    def hiding(self, *referents: str) -> Selection:
        """The same choice, without the values of these items."""
        hidden = {each: dataclasses.replace(self.choices[each], revealed=False) for each in referents}
        return dataclasses.replace(self, choices={**self.choices, **hidden})

    def presenting_revoked(self) -> Selection:
        """The same choice, which is presented even if credentials are revoked: the verifier decides."""
        choices = {each: dataclasses.replace(choice, present_revoked=True) for each, choice in self.choices.items()}
        return dataclasses.replace(self, choices=choices)

    def _text(self) -> str:
        return json.dumps({"attrs": {referent: choice._members() for referent, choice in self.choices.items()}})


@checked
@dataclasses.dataclass(frozen=True)
class Found:
    """The items of a request, with the credentials that fit each. Both mappings are by the item's referent."""

    attributes: Mapping[str, Item]
    predicates: Mapping[str, Item]

    def __iter__(self) -> Iterator[Item]:
        yield from self.attributes.values()
        yield from self.predicates.values()

    @property
    def missing(self) -> list[Item]:
        """The items that this wallet cannot answer."""
        return [item for item in self if item.is_missing]

    def first(self, self_attested: Optional[Mapping[str, str]] = None, *, present_revoked: bool = False) -> Selection:
        """Chooses for each item the first credential that fits, and one that is not revoked before one that is.

        `self_attested` has the values that the user states, by referent; these items get no credential. Raises
        `LookupError` if an item has neither. Its text tells the user whether no credential fits the item, or only one that
        is revoked. With `present_revoked` a revoked one is chosen then, to be presented all the same.
        """
        stated = dict(self_attested or {})
        wanted = [item for item in self if item.referent not in stated]
        usable = {
            item.referent: [each for each in item.candidates if present_revoked or each.can_be_used] for item in wanted
        }
        if without := [_lack(item) for item in wanted if not usable[item.referent]]:
            raise LookupError("; ".join(without))
        firsts = {referent: min(each, key=lambda one: one.is_revoked) for referent, each in usable.items()}
        selection = Selection({referent: Choice(candidate) for referent, candidate in firsts.items()}, stated)
        return selection.presenting_revoked() if present_revoked else selection


@dataclasses.dataclass(frozen=True)
class ReceivedRequest:
    """All that a screen shows of a request: the verifier's words, and the items with the credentials that fit each."""

    thread_id: str
    name: str
    version: str
    display: Display
    items: Found


@checked
class Proof(Held):
    """A proof, from its request or its proposal on.

    Made by one of the class methods. Release it with `release`, by leaving a `with` block, or by forgetting it.
    """

    _kind = "proof"
    _unknown_handle = 1049
    _release_function = "vcx_disclosed_proof_release"
    _kept_type = "disclosed_proof"

    @staticmethod
    async def requests(connection: Connection) -> list[Any]:
        """The requests that wait on a connection, for `from_request`. They stay unread in the mailbox."""
        requests: list[Any] = json.loads(await call("vcx_disclosed_proof_get_requests", connection._handle))
        return requests

    @staticmethod
    async def parse_request(request: HandedMessage) -> dict[str, Any]:
        """Reads a request without making a proof: its name and version, the requested items, and its thread `thid`."""
        name = "vcx_disclosed_proof_parse_request"
        members: dict[str, Any] = json.loads(await call(name, text_of_content(request)))
        return members

    @classmethod
    async def from_request(cls, request: HandedMessage, source_id: str = "proof") -> Proof:
        """The proof of a request: a message, one of `requests`, or the attachment of an invitation.

        `source_id` is a name of the program's choosing, which the library keeps with the proof.
        """
        name = "vcx_disclosed_proof_create_with_request"
        return cls(await call(name, source_id, text_of_content(request), unclaimed=cls._release), source_id)

    @classmethod
    async def from_message(cls, connection: Connection, uid: str, source_id: str = "proof") -> Proof:
        """Downloads the request with this id. The program marks the message as read."""
        name = "vcx_disclosed_proof_create_with_msgid"
        handle, _ = await call(name, source_id, connection._handle, uid, unclaimed=cls._release_first)
        return cls(handle, source_id)

    @classmethod
    async def proposing(
        cls,
        preview: JSONObject,
        comment: str,
        source_id: str = "proof",
        version: Optional[str] = None,
        format: Optional[str] = None,
    ) -> Proof:
        """A proof that this side proposes: `preview` has `attributes` and `predicates`. `propose` sends it.

        `version` ("1.0", "2.0") and `format` ("hlindy", "anoncreds") are those of the protocol; without them the
        configuration and the peer decide.
        """
        name = "msdk_disclosed_proof_create_proposal_with_options"
        arguments = (source_id, text_of_json(preview), comment, options_of(version, format))
        return cls(await call(name, *arguments, unclaimed=cls._release), source_id)

    @classmethod
    async def deserialize(cls, data: str) -> Proof:
        """Restores a proof from the text of `serialize`, in this process or another with the same wallet."""
        return cls(await call("vcx_disclosed_proof_deserialize", data, unclaimed=cls._release), name_in(data))

    async def propose(self, connection: Connection) -> None:
        """Sends the proposal. `update_state` then waits for the verifier's request."""
        await call("vcx_disclosed_proof_send_proposal", self._handle, connection._handle)

    async def credentials(self) -> Found:
        """The items of the request, with the stored credentials that fit each. Needs `protocol_type` 4.0, the default."""
        found = json.loads(await call("vcx_disclosed_proof_retrieve_credentials", self._handle))
        if "attributes" not in found:
            raise ValueError("the configuration's protocol_type gives credentials in the older form; use 4.0")
        return Found(_items(found["attributes"]), _items(found["predicates"]))

    async def request(self) -> ReceivedRequest:
        """The request with the verifier's words, its items, and the stored credentials that fit each, in one call."""
        read = json.loads(await call("msdk_disclosed_proof_describe_request", self._handle))
        items = Found(_items(read["attributes"]), _items(read["predicates"]))
        return ReceivedRequest(read["thid"], read["name"], read["version"], Display._read(read["display"]), items)

    async def thread_id(self) -> str:
        """The id of the exchange's thread."""
        thread: str = await call("msdk_disclosed_proof_get_thread_id", self._handle)
        return thread

    async def generate(self, selection: Selection) -> None:
        """Builds the proof. `send` raises the error if it cannot be built; it may be built again with another choice."""
        attested = json.dumps(dict(selection.self_attested))
        await call("vcx_disclosed_proof_generate_proof", self._handle, selection._text(), attested)

    async def send(self, connection: Optional[Connection] = None) -> None:
        """Sends the proof: over a connection, or without one to the service that the request names itself."""
        await call("vcx_disclosed_proof_send_proof", self._handle, handle_of(connection))

    async def decline(
        self,
        connection: Optional[Connection] = None,
        reason: Optional[str] = None,
        proposal: Optional[JSONObject] = None,
    ) -> None:
        """Declines the request, or withdraws the proposal, and tells the verifier the reason; or proposes another presentation
        than the requested one, without a reason."""
        handles = (self._handle, handle_of(connection))
        if reason is None and proposal is None:
            await call("vcx_disclosed_proof_reject_proof", *handles)
        else:
            preview = None if proposal is None else text_of_json(proposal)
            await call("vcx_disclosed_proof_decline_presentation_request", *handles, reason, preview)

    async def accepted(self, timeout: Optional[float] = None, interval: float = INTERVAL) -> None:
        """Waits until the verifier has accepted the proof that was sent.

        Raises `EndedError` if it refuses, and `asyncio.TimeoutError` after `timeout` seconds: `accepted` may be called
        again then. A verifier does not have to answer.
        """
        over = (ProofState.FAILED, ProofState.REJECTED)
        await reach("proof", ProofState.ACCEPTED, over, self.update_state, self.problem_report, timeout, interval)

    async def update_state(self) -> ProofState:
        """Looks into the mailbox, applies at most one message of this proof, and returns the state after it."""
        return ProofState(await call("vcx_disclosed_proof_update_state", self._handle))

    async def update_state_with_message(self, message: HandedMessage) -> ProofState:
        """Applies a downloaded message, from the sender that its envelope in the mailbox proves. Mark it as read then."""
        name = "vcx_disclosed_proof_update_state_with_message"
        return ProofState(await call(name, self._handle, text_of_message(message)))

    async def state(self) -> ProofState:
        """The state now. Sends no request."""
        return ProofState(await call("vcx_disclosed_proof_get_state", self._handle))

    async def presentation(self) -> dict[str, Any]:
        """The message with the proof, once it is built."""
        message: dict[str, Any] = json.loads(await call("vcx_disclosed_proof_get_proof_msg", self._handle))
        return message

    async def problem_report(self) -> Optional[dict[str, Any]]:
        """The report that ended the exchange, or that says why the proof could not be built, if there is one."""
        return object_in(await call("vcx_disclosed_proof_get_problem_report", self._handle))

    async def serialize(self) -> str:
        """The whole proof as JSON text, to be stored and restored with `deserialize`."""
        data: str = await call("vcx_disclosed_proof_serialize", self._handle)
        return data


def _lack(item: Item) -> str:
    """The reason why no credential can be used for an item."""
    what = f"{item.referent} ({', '.join(item.names)})"
    count = len(item.candidates)
    if count == 0:
        return f"no credential fits {what}"
    return f"the one that fits {what} is revoked" if count == 1 else f"the {count} that fit {what} are revoked"


def _items(items: Mapping[str, Any]) -> dict[str, Item]:
    return {referent: Item._read(referent, item) for referent, item in items.items()}


def _candidate(found: Mapping[str, Any]) -> Candidate:
    info = CredentialInfo._read(found["cred_info"])
    return Candidate(info, found["requested_attributes"], found.get("interval"), found.get("revoked", False))
