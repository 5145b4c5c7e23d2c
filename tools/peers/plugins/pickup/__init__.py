"""Message pickup 2.0 (RFC 0685) for ACA-Py as a mediator, whose core gives waiting messages only in answers.

The messages are those of ACA-Py's own queue, so that it must run with `--enable-undelivered-queue`. Works with 0.12 and
with 1.x.
"""

from __future__ import annotations

import base64
import importlib
import json
import sys
import uuid
from typing import Any

CORE = "acapy_agent" if "acapy_agent" in sys.modules else "aries_cloudagent"
PICKUP = "https://didcomm.org/messagepickup/2.0/"
PROBLEM = "https://didcomm.org/notification/1.0/problem-report"


def core(module: str, name: str) -> Any:
    """A class of ACA-Py, in the version that runs."""
    return getattr(importlib.import_module(f"{CORE}.{module}"), name)


class Queue:
    """The waiting messages of the client that has sent a request."""

    def __init__(self, context: Any) -> None:
        self._context = context
        manager = context.inject(core("transport.inbound.manager", "InboundTransportManager"))
        self._entries = manager.undelivered_queue.queue_by_key.get(context.message_receipt.sender_verkey, [])

    async def first(self, limit: int) -> list[tuple[str, bytes]]:
        """The ids and the envelopes of the oldest messages."""
        return [(self._name(entry), await self._envelope(entry.msg)) for entry in self._entries[:limit]]

    def drop(self, names: set[str]) -> None:
        self._entries[:] = [entry for entry in self._entries if self._name(entry) not in names]

    def __len__(self) -> int:
        return len(self._entries)

    @staticmethod
    def _name(entry: Any) -> str:
        if not hasattr(entry, "pickup_name"):
            entry.pickup_name = str(uuid.uuid4())
        return str(entry.pickup_name)

    async def _envelope(self, message: Any) -> bytes:
        """The envelope; a message of the mediator itself is packed now."""
        if not message.enc_payload:
            target = message.target or message.target_list[0]
            wire = self._context.inject(core("transport.wire_format", "BaseWireFormat"))
            async with self._context.session() as session:
                message.enc_payload = await wire.encode_message(
                    session, message.payload, target.recipient_keys, [], target.sender_key
                )
        packed = message.enc_payload
        return packed if isinstance(packed, bytes) else bytes(packed.encode())


async def status(queue: Queue, _: dict[str, Any]) -> dict[str, Any]:
    """`status-request`."""
    return {"@type": PICKUP + "status", "message_count": len(queue)}


async def deliver(queue: Queue, request: dict[str, Any]) -> dict[str, Any]:
    """`delivery-request`."""
    found = await queue.first(int(request["limit"]))
    if not found:
        return await status(queue, request)
    attached = [{"@id": name, "data": {"base64": base64.b64encode(each).decode()}} for name, each in found]
    return {"@type": PICKUP + "delivery", "~attach": attached}


async def forget(queue: Queue, request: dict[str, Any]) -> dict[str, Any]:
    """`messages-received`."""
    queue.drop(set(request["message_id_list"]))
    return await status(queue, request)


async def stay(_: Queue, request: dict[str, Any]) -> dict[str, Any]:
    """`live-delivery-change`: an answer over HTTP ends the session, so that there is none to deliver to."""
    text = {"code": "e.m.live-mode-not-supported", "en": "Connection does not support Live Delivery"}
    return {"@type": PROBLEM, "description": text}


def message(answer: Any) -> Any:
    """ACA-Py's class for the messages of one type."""

    class Handling(core("messaging.base_handler", "BaseHandler")):  # type: ignore[misc]
        async def handle(self, context: Any, responder: Any) -> None:
            request = context.message.body
            reply = await answer(Queue(context), request)
            thread = {"~thread": {"thid": request["@id"]}}
            await responder.send_reply(Body({"@id": str(uuid.uuid4()), **thread, **reply}))

    class Body(core("messaging.base_message", "BaseMessage")):  # type: ignore[misc]
        _type = _message_type = property(lambda self: self.body["@type"])
        _id = _thread_id = property(lambda self: self.body["@id"])
        _thread = property(lambda _: None)
        Handler = property(lambda _: Handling)

        def __init__(self, body: dict[str, Any]) -> None:
            self.body = body

        def serialize(self, *_: Any, **__: Any) -> dict[str, Any]:
            return self.body

        def to_json(self, *_: Any, **__: Any) -> str:
            return json.dumps(self.body)

        @classmethod
        def deserialize(cls, value: dict[str, Any], *_: Any, **__: Any) -> Any:
            return cls(value)

    return Body


async def setup(context: Any) -> None:
    """ACA-Py calls this when it loads the plugin."""
    answers = {
        "status-request": status,
        "delivery-request": deliver,
        "messages-received": forget,
        "live-delivery-change": stay,
    }
    registry = context.inject(core("core.protocol_registry", "ProtocolRegistry"))
    registry.register_message_types({PICKUP + name: message(answer) for name, answer in answers.items()})
