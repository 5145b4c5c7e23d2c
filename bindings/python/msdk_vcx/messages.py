"""The mailbox: messages that waited at the Cloud Agent."""

from __future__ import annotations

import dataclasses
import json
import logging
import re
import time
from collections.abc import AsyncIterator, Collection, Iterable
from typing import Any, Optional, Union

from ._arrivals import Arrivals, note_read
from ._calls import call
from ._checked import checked
from ._held import JSONObject, text_of_json
from ._serving import OfAgent, serving
from .errors import MsdkError, VcxError
from .state import MessageStatus

UNNAMED = "aries"
"""The kind of messages whose type has no short name, such as those of the handshake."""
_SPELLED = {"ping_response": "ping-response", "connReqAnswer": "connection-answer", "connReqRedirect": "connection-redirect"}
"""Kinds that the library spells in another way than all others."""
_REVOCATION = re.compile(r"/revocation_notification/[\d.]+/revoke$")

_log = logging.getLogger("msdk.messages")


@dataclasses.dataclass(frozen=True)
class Applied:
    """The kept object to which the library has applied a message: open it with `open` of its class. `type` is that of
    `KeptObject`, and `state` is a number of the class's states, after the message."""

    id: str
    type: str
    state: int


@dataclasses.dataclass(frozen=True)
class Message:
    """A message of the mailbox, decrypted.

    `pairwise_did` is our DID in the connection it came over. `kind` is a short name of its type: "message", "question",
    "ping-response", "credential-offer", "credential-proposal", "presentation-request", "revocation", …, and "aries" for types
    without one, such as those of the handshake. `text` is the Aries message itself; None when it could not be decrypted. Functions that read a
    message, such as `Credential.from_offer` and `update_state_with_message`, take the whole `Message`.

    `sender_verkey` is the key that sent the message, as its envelope proves, or None for an anonymous one. Anybody who
    knows our key can write to it: the message is the peer's only if the key is one of the peer's.

    `applied` is set for messages of `listen` if the configuration has `"apply_messages": true` and the message is for an object
    that the wallet keeps. Anybody can write a message for it: the object's state tells whether the library has believed it.
    """

    pairwise_did: str
    uid: str
    status: MessageStatus
    sender_did: str
    sender_verkey: Optional[str]
    kind: str
    text: Optional[str]
    applied: Optional[Applied] = None

    @property
    def content(self) -> dict[str, Any]:
        """The Aries message as a dictionary; empty when it could not be decrypted, and when the text is no JSON object:
        a message of the proprietary kind has any text."""
        try:
            content = json.loads(self.text or "{}")
        except (ValueError, RecursionError):
            return {}
        return content if isinstance(content, dict) else {}

    @property
    def thread(self) -> Optional[str]:
        """The thread that the message belongs to: that of its `~thread`, else its own id. None if it names neither."""
        content = self.content
        decorator = content.get("~thread")
        thread = decorator.get("thid") if isinstance(decorator, dict) else None
        thread = content.get("@id") if thread is None else thread
        return thread if isinstance(thread, str) else None


HandedMessage = Union[Message, JSONObject]
"""A downloaded message, or the text or the members of one."""


def spelled(kind: str) -> str:
    """The kind as this package spells it, with hyphens."""
    return _SPELLED.get(kind, kind)


def text_of_content(message: HandedMessage) -> str:
    """The Aries message alone, as text. Raises `MsdkError` for a message that could not be decrypted."""
    if not isinstance(message, Message):
        return text_of_json(message)
    if message.text is None:
        raise MsdkError(f"the message {message.uid} could not be decrypted")
    return message.text


def text_of_message(message: HandedMessage) -> str:
    """The message as the library takes it: an entry of the mailbox, or the Aries message alone."""
    if not isinstance(message, Message):
        return text_of_json(message)
    payload = json.dumps({"@msg": message.text or "{}"})
    return json.dumps({"uid": message.uid, "pairwiseDID": message.pairwise_did, "decryptedPayload": payload})


@checked
async def download(
    status: Optional[MessageStatus] = None,
    uids: Optional[Iterable[str]] = None,
    pairwise_dids: Optional[Iterable[str]] = None,
) -> list[Message]:
    """The messages with this status, these ids, over these connections; None means all. The messages stay in the mailbox."""
    filters = (None if status is None else status.value, _joined(uids), _joined(pairwise_dids))
    if "" in filters:  # a filter that lets nothing through
        return []
    mailboxes = json.loads(await call("vcx_messages_download", *filters))
    return [_message(mailbox["pairwiseDID"], entry) for mailbox in mailboxes for entry in mailbox["msgs"]]


@checked
def listen(*kinds: str, timeout: Optional[float] = None) -> AsyncIterator[Message]:
    """The unread messages of all connections, of these kinds or of all, and then each new one as it comes.

        async for message in msdk.messages.listen("message", timeout=60):
            print(message.pairwise_did, message.content.get("content"))
            await msdk.messages.mark_read(message)

    Ends when no message has come for `timeout` seconds, and when the agent ends; without a timeout only then. A message that
    the program does not mark as read comes again in the next loop. The messages are as they came: anybody may have sent them,
    and some are for the library, which `Connection.update_state_with_message` applies. The other calls that wait take their
    messages beside this one. A mailbox whose unread messages exceed the limit of one download is logged and left out.

    Listening begins with the call, and not with the loop: no message is missed that the library applies between the two. With
    `"apply_messages": true` each message comes after the library has tried to apply it, so the program may mark it as read.
    """
    arrivals = Arrivals()
    arrivals.begin()
    return _listened(arrivals, set(map(spelled, kinds)), timeout)


async def _listened(arrivals: Arrivals, kinds: Collection[str], timeout: Optional[float]) -> AsyncIterator[Message]:
    last = time.monotonic()
    known: set[tuple[str, str]] = set()
    with arrivals:
        if arrivals.refusal is not None:
            raise arrivals.refusal
        async for unread in _unread(arrivals.agent):
            fresh = [each for each in unread if not arrivals.will_tell(each.pairwise_did, each.uid)]
            known.update((each.pairwise_did, each.uid) for each in fresh)
            for message in fresh:
                if not kinds or message.kind in kinds:
                    yield message
                    last = time.monotonic()
        while not arrivals.has_ended:
            rest = None if timeout is None else last + timeout - time.monotonic()
            if rest is not None and rest <= 0:
                return
            await arrivals.wait(rest)
            for message in [_message(each["pairwiseDID"], each) for each in arrivals.take()]:
                is_new = (message.pairwise_did, message.uid) not in known
                if is_new and (not kinds or message.kind in kinds):
                    yield message
                    last = time.monotonic()


_TOO_MUCH = 1020
"""The error of a download that exceeds the limit of one download; also of an answer that is not valid."""


async def _unread(agent: int) -> AsyncIterator[list[Message]]:
    """The unread messages of all connections. If one download cannot bring them all, those of one connection after the other:
    a mailbox that is too large alone is logged, and hides no other. Raises if each of them fails so."""
    try:
        with serving(agent):
            together = await download(MessageStatus.RECEIVED)
    except VcxError as error:
        if error.code != _TOO_MUCH:
            raise
        refusal = error
    else:
        yield together
        return
    is_any = False
    with serving(agent):
        mailboxes = await _mailboxes()
    for mailbox in mailboxes:
        try:
            with serving(agent):
                alone = await download(MessageStatus.RECEIVED, pairwise_dids=[mailbox])
        except VcxError as error:
            if error.code != _TOO_MUCH:
                raise
            _log.error("the unread messages of the connection %s cannot be downloaded: %s", mailbox, error)
            continue
        is_any = True
        yield alone
    if not is_any:
        raise refusal


async def _mailboxes() -> list[str]:
    """Our DIDs in all connections, by the library's own records of their mailboxes."""
    from . import wallet  # which imports this module

    async with await wallet.search("msdk.mailbox", value=False) as records:
        return [each.id async for each in records]


@checked
async def get(uid: str) -> Message:
    """The message with this id; raises when there is not exactly one. It stays in the mailbox."""
    entry = json.loads(await call("vcx_download_message", uid))
    return _message(entry["pairwiseDID"], entry)


@checked
async def extract_attached_message(message: HandedMessage) -> str:
    """The first attachment of a message or an invitation, decoded."""
    content: str = await call("vcx_extract_attached_message", text_of_content(message))
    return content


@checked
async def extract_thread_id(message: HandedMessage) -> str:
    """The thread that a message belongs to: that of its `~thread`, else its own id."""
    thread: str = await call("vcx_extract_thread_id", text_of_content(message))
    return thread


@checked
async def download_own(
    status: Optional[MessageStatus] = None, uids: Optional[Iterable[str]] = None
) -> list[dict[str, Any]]:
    """The messages to the account itself, which belong to no connection, as the Cloud Agent stores them."""
    filters = (None if status is None else status.value, _joined(uids))
    if "" in filters:  # a filter that lets nothing through
        return []
    messages: list[dict[str, Any]] = json.loads(await call("vcx_download_agent_messages", *filters))
    return messages


@dataclasses.dataclass(frozen=True)
class Notification(OfAgent):
    """A push notification: the message that it announces, its type and its sender. Absent members are None."""

    uid: str
    pairwise_did: str
    message_type: Optional[str]
    sender: Optional[str]

    async def download(self) -> list[Message]:
        """The message, if it is still there."""
        return await download(uids=[self.uid], pairwise_dids=[self.pairwise_did])


@checked
async def parse_push(payload: str) -> Notification:
    """Reads a push notification as it reached the app, as JSON text."""
    call_to_make = json.loads(await call("msdk_parse_push", payload))
    return Notification(
        uid=call_to_make["uids"],
        pairwise_did=call_to_make["pw_dids"],
        message_type=call_to_make["msgType"],
        sender=call_to_make["sender"],
    )


@checked
async def mark_read(*messages: Message) -> None:
    """Marks messages as read at the Cloud Agent. Mark a message only after you have acted on it. Messages that the library has
    marked as read, since it has applied them, cost no request."""
    await update_status(each for each in messages if each.status is not MessageStatus.REVIEWED)


@checked
async def update_status(messages: Iterable[Message], status: MessageStatus = MessageStatus.REVIEWED) -> None:
    """Sets the status of messages at the Cloud Agent. Mark a message as read only after you have acted on it."""
    uids: dict[str, list[str]] = {}
    for message in messages:
        uids.setdefault(message.pairwise_did, []).append(message.uid)
    if uids:
        listed = [{"pairwiseDID": did, "uids": each} for did, each in uids.items()]
        await call("vcx_messages_update_status", status.value, json.dumps(listed))
        note_read((did, uid) for did, each in uids.items() for uid in each)


def _joined(values: Optional[Iterable[str]]) -> Optional[str]:
    return None if values is None else ",".join(values)


def _message(pairwise_did: str, entry: dict[str, Any]) -> Message:
    payload = json.loads(entry.get("decryptedPayload") or "null") or {}
    message = Message(
        pairwise_did=pairwise_did,
        uid=entry["uid"],
        status=MessageStatus(entry["statusCode"]),
        sender_did=entry.get("senderDID") or "",
        sender_verkey=entry.get("senderVerkey"),
        kind=spelled(payload.get("@type", {}).get("name", "")),
        text=payload.get("@msg"),
        applied=Applied(**entry["object"]) if entry.get("object") else None,
    )
    is_revocation = message.kind == UNNAMED and _REVOCATION.search(str(message.content.get("@type")))
    return dataclasses.replace(message, kind="revocation") if is_revocation else message
