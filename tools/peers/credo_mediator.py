"""Stands in for Credo's mediator, which cannot be installed here: it keeps the rules that its source shows, each as a switch.

    with CredoMediator(Rules(marks_as_sending=True)) as mediator:
        alice.provision(mediator.provisioning())

It is no proof of anything about Credo itself.
"""

from __future__ import annotations

import base64
import contextlib
import dataclasses
import json
import random
import socket
import struct
import threading
import uuid
from collections.abc import Callable, Iterator
from typing import Any

from envelope import JSON, Key, b58encode, pack, signed, unpack
from loopback import Handler, LoopbackServer
from peer import MEDIA_TYPE, PREFIX, did_document, message
from socketpeer import SocketHandler

TEXT, BINARY, PING, PONG = 1, 2, 9, 10
OLDER_PREFIX = "did:sov:BzCbsNYhMrjHiqZDTUASHg;spec/"
TYPES = ("application/ssi-agent-wire", MEDIA_TYPE)


@dataclasses.dataclass
class Rules:
    """The rules of the mediator, which differ between its storages and settings."""

    queues_only_for_queue_endpoint: bool = True
    """A message for a client whose document has another endpoint is dropped."""
    second_request_spoils: bool = True
    """After a second request for mediation, updates of keys and forwards on the connection fail."""
    marks_as_sending: bool = True
    """Delivered messages are neither counted nor delivered again before the end of a live session."""
    deletes: bool = True
    """Acknowledged messages, and those of a batch, are deleted."""
    discloses: bool = True
    """It answers questions about its protocols."""
    older_prefix: bool = False
    """It writes types with the older prefix."""
    did_keys: bool = True
    """The keys of the grant are `did:key`, without fragment."""
    encoding: str = "json"
    """`json`, `base64` or `base64url`: the data of attachments."""
    pickup: tuple[str, ...] = ("2.0", "1.0")
    """The versions of messagepickup."""
    grants: bool = True
    """It grants mediation."""
    live: str | None = None
    """`bare`, `delivery`: what it sends over a WebSocket as messages arrive; None without a WebSocket. Bare envelopes are not
    queued; messages of deliveries are, until they are acknowledged."""
    live_from_pings: bool = False
    """A ping begins live delivery, and the request for it does not."""
    refuses_sockets: bool = False
    """It answers 503 to the request for a WebSocket."""
    disorder: int = 0
    """The seed of a random order, in which it delivers some messages twice; 0 for the order of arrival."""
    cuts: int = 0
    """It cuts off each so-many-th answer in its midst; 0 for none."""


class Session:
    """A WebSocket of a client, which takes one text frame for each envelope."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        # As the WebSockets of Node.js do: a frame does not wait for the acknowledgement of the one before.
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._lock = threading.Lock()

    def send(self, text: bytes, opcode: int = 1, is_cut: bool = False) -> bool:
        """Returns whether the socket has taken the frame. With `is_cut`, the connection ends within the frame."""
        count = len(text)
        if count < 126:
            head = struct.pack("!BB", 0x80 | opcode, count)
        elif count < 1 << 16:
            head = struct.pack("!BBH", 0x80 | opcode, 126, count)
        else:
            head = struct.pack("!BBQ", 0x80 | opcode, 127, count)
        with self._lock, contextlib.suppress(OSError):
            if is_cut:
                self._connection.sendall((head + text)[: len(head) + count // 2])
                self.cut()
                return False
            self._connection.sendall(head + text)
            return True
        return False

    def cut(self) -> None:
        """Ends the connection without a goodbye."""
        with contextlib.suppress(OSError):
            self._connection.shutdown(socket.SHUT_RDWR)


@dataclasses.dataclass
class Client:
    """A connection of the mediator."""

    endpoint: str
    requests: int = 0
    keys: set[str] = dataclasses.field(default_factory=set)
    queue: list[tuple[str, JSON]] = dataclasses.field(default_factory=list)
    sending: set[str] = dataclasses.field(default_factory=set)
    live: Session | None = None

    @property
    def waiting(self) -> list[tuple[str, JSON]]:
        return [each for each in self.queue if each[0] not in self.sending]


class CredoMediator(LoopbackServer):
    """The mediator. `before` sees each request of a client, by its name, and returns whether the answer is lost."""

    def __init__(self, rules: Rules | None = None, port: int = 0, new_key: Callable[[], Key] = Key) -> None:
        self.rules = rules or Rules()
        self.before: Callable[[str], bool] = lambda _: False
        self.received: list[str] = []
        self.clients: dict[str, Client] = {}
        self._invitation_key, self._key, self._routing = new_key(), new_key(), new_key()
        self._keys = {key.verkey: key for key in (self._invitation_key, self._key, self._routing)}
        self._lock = threading.RLock()
        self.sessions: list[Session] = []
        self._queued = self._answers = 0
        self._random = random.Random(self.rules.disorder)
        super().__init__(self._handler(), port=port)

    def _handler(self) -> type[Handler]:
        mediator = self

        class Posts(SocketHandler):
            protocol_version = "HTTP/1.0"

            def do_GET(self) -> None:
                if mediator.rules.live is None or mediator.rules.refuses_sockets:
                    self.answer(503)
                    return
                self.protocol_version = "HTTP/1.1"
                self.upgrade()
                with contextlib.suppress(OSError):
                    mediator._serve(Session(self.connection), self.frames())

            def do_POST(self) -> None:
                body = self.body()
                if self.headers.get("Content-Type") not in TYPES:
                    self.answer(415)
                    return
                with mediator._lock:
                    answer = mediator._receive(json.loads(body))
                packed = b"" if answer is None else json.dumps(answer).encode()
                if mediator._is_cut():
                    self.cut_off(packed)
                    return
                self.answer(body=packed, headers={"Content-Type": self.headers["Content-Type"]})

        return Posts

    def invitation(self) -> JSON:
        """An out-of-band invitation with two services of one id, the first of which is a WebSocket."""
        service = {
            "id": "#inline",
            "type": "did-communication",
            "recipientKeys": [did_key(self._invitation_key)],
            "routingKeys": [],
        }
        return {
            "@type": PREFIX + "out-of-band/1.1/invitation",
            "@id": str(uuid.uuid4()),
            "label": "Mediator",
            "handshake_protocols": [PREFIX + "connections/1.0"],
            "services": [
                {**service, "serviceEndpoint": "ws://127.0.0.1:1"},
                {**service, "serviceEndpoint": self.endpoint},
            ],
        }

    def provisioning(self, **more: Any) -> dict[str, Any]:
        """The mediator's part of a provisioning configuration, with `more` beside it."""
        return {"mediator_invitation": json.dumps(self.invitation()), **more}

    @property
    def waiting(self) -> int:
        """The number of messages that the mediator has, of all clients."""
        with self._lock:
            return sum(len(client.queue) for client in self.clients.values())

    def _serve(self, session: Session, frames: Iterator[tuple[int, bytes]]) -> None:
        """Answers the frames of a WebSocket, until it ends. Messages that were being sent wait again then."""
        self.sessions.append(session)
        try:
            for opcode, content in frames:
                if opcode == PING:
                    session.send(content, PONG)
                if opcode in (TEXT, BINARY):
                    with self._lock:
                        answer = self._receive(json.loads(content), session)
                    if answer is not None:
                        session.send(json.dumps(answer).encode(), is_cut=self._is_cut())
        finally:
            with self._lock:
                self.sessions.remove(session)
                for client in self.clients.values():
                    if client.live is session:
                        client.live, client.sending = None, set()

    def cut(self) -> None:
        """Cuts all WebSockets."""
        for session in list(self.sessions):
            session.cut()

    @property
    def live_clients(self) -> int:
        with self._lock:
            return sum(client.live is not None for client in self.clients.values())

    def _deliver_live(self, client: Client, sender: str, envelope: JSON) -> bool:
        """Sends a message that has arrived to the client's live session. Returns whether nothing else is to be done."""
        if client.live is None:
            return False
        if self.rules.live == "bare":
            return client.live.send(json.dumps(envelope).encode())
        name = self._queue(client, envelope)
        client.sending.add(name)
        attached: Any = [{"@id": name, "data": self._data(envelope)}]
        delivery = message("messagepickup/2.0/delivery", **{"~attach": attached})
        client.live.send(json.dumps(pack(delivery, [sender], self._key)).encode(), is_cut=self._is_cut())
        return True

    def _is_cut(self) -> bool:
        """Whether this answer is to be cut off."""
        self._answers += 1
        return self.rules.cuts > 0 and self._answers % self.rules.cuts == 0

    def _receive(self, envelope: JSON, session: Session | None = None) -> JSON | None:
        plain, sender = unpack(envelope, self._keys)
        name = name_of(plain)
        self._keep(name, plain, sender)
        if name == "forward":
            self._forward(plain)
            return None
        if sender is None or plain.get("~transport") != {"return_route": "all"}:
            if session is not None:
                session.cut()
            return None
        client = self.clients.get(sender)
        if session is not None and client is not None and name == ("ping" if self.rules.live_from_pings else "live-delivery-change"):
            client.live = session
        self.received.append(name)
        is_lost = self.before(name)
        reply = self._answer(name, plain, sender)
        if reply is None or is_lost:
            return None
        if self.rules.older_prefix:
            reply["@type"] = reply["@type"].replace(PREFIX, OLDER_PREFIX)
        return pack(reply, [sender], self._key)

    def _keep(self, name: str, plain: JSON, sender: str | None) -> None:
        """Sees each message before it has an effect. This mediator has everything in memory."""

    def _forward(self, plain: JSON) -> None:
        for sender, client in self.clients.items():
            is_spoilt = client.requests > 1 and self.rules.second_request_spoils
            if plain["to"] not in client.keys or is_spoilt:
                continue
            if self._deliver_live(client, sender, plain["msg"]):
                continue
            if client.endpoint == "didcomm:transport/queue" or not self.rules.queues_only_for_queue_endpoint:
                self._queue(client, plain["msg"])

    def _queue(self, client: Client, envelope: JSON) -> str:
        """Queues a message; returns its name."""
        self._queued += 1
        name = str(uuid.UUID(int=self._queued))
        client.queue.append((name, envelope))
        return name

    def _answer(self, name: str, plain: JSON, sender: str) -> JSON | None:
        if name == "request":
            document = plain["connection"]["DIDDoc"]
            self.clients.setdefault(sender, Client(document["service"][0]["serviceEndpoint"]))
            own = {"DID": self._key.did, "DIDDoc": self._document()}
            field = {"connection~sig": signed(own, self._invitation_key), "~please_ack": {}}
            return message("connections/1.0/response", plain["@id"], **field)
        client = self.clients.get(sender)
        if client is None:
            return None
        answers = {
            "mediate-request": self._mediate,
            "keylist-update": self._update,
            "query": self._disclose,
            "ping": self._pong,
            "status-request": self._status,
            "delivery-request": self._deliver,
            "messages-received": self._forget,
            "batch-pickup": self._batch,
            "live-delivery-change": self._live,
        }
        return answers[name](client, plain) if name in answers else None

    def _document(self) -> JSON:
        document = did_document(self._key, self.endpoint)
        if self.rules.live is not None:
            service = document["service"][0]
            document["service"].append({**service, "id": "#socket", "serviceEndpoint": self.endpoint.replace("http", "ws", 1)})
        return document

    def _mediate(self, client: Client, plain: JSON) -> JSON:
        client.requests += 1
        if not self.rules.grants:
            return message("coordinate-mediation/1.0/mediate-deny", plain["@id"])
        key = did_key(self._routing) if self.rules.did_keys else self._routing.verkey
        granted = {"endpoint": self.endpoint, "routing_keys": [key]}
        return message("coordinate-mediation/1.0/mediate-grant", plain["@id"], **granted)

    def _update(self, client: Client, plain: JSON) -> JSON | None:
        if client.requests > 1 and self.rules.second_request_spoils:
            return None
        updated = []
        for update in plain["updates"]:
            key, is_added = update["recipient_key"], update["action"] == "add"
            result = "success" if (key in client.keys) != is_added else "no_change"
            client.keys = client.keys | {key} if is_added else client.keys - {key}
            updated.append({**update, "result": result})
        return message("coordinate-mediation/1.0/keylist-update-response", plain["@id"], updated=updated)

    def _disclose(self, _: Client, plain: JSON) -> JSON | None:
        if not self.rules.discloses:
            return None
        wanted = str(plain["query"]).rstrip("*")
        spoken = [f"{PREFIX}messagepickup/{version}" for version in self.rules.pickup]
        protocols = [{"pid": each, "roles": ["mediator"]} for each in spoken if each.startswith(wanted)]
        return message("discover-features/1.0/disclose", plain["@id"], protocols=protocols)

    @staticmethod
    def _pong(_: Client, plain: JSON) -> JSON | None:
        asked = plain.get("response_requested", True)
        return message("trust_ping/1.0/ping_response", plain["@id"]) if asked else None

    def _status(self, client: Client, plain: JSON) -> JSON | None:
        version = plain["@type"].split("/")[-2]
        if version not in self.rules.pickup:
            return None
        return message(f"messagepickup/{version}/status", plain["@id"], message_count=len(client.waiting))

    def _deliver(self, client: Client, plain: JSON) -> JSON | None:
        if "2.0" not in self.rules.pickup:
            return None
        found = self._chosen(client.waiting, plain["limit"])
        if not found:
            return message("messagepickup/2.0/status", plain["@id"], message_count=0)
        if self.rules.marks_as_sending:
            client.sending |= {name for name, _ in found}
        attached = [{"@id": name, "lastmod_time": "2026-01-01", "data": self._data(each)} for name, each in found]
        return message("messagepickup/2.0/delivery", plain["@id"], **{"~attach": attached})

    def _chosen(self, waiting: list[tuple[str, JSON]], limit: int) -> list[tuple[str, JSON]]:
        """The messages of the next delivery."""
        if not self.rules.disorder:
            return waiting[:limit]
        chosen = self._random.sample(waiting, min(limit, len(waiting)))
        # The second of two has another name, as if the sender had repeated it.
        twice = [(str(uuid.uuid4()), envelope) for _, envelope in chosen[::4]]
        return self._random.sample(both := chosen + twice, len(both))

    def _data(self, envelope: JSON) -> JSON:
        text = json.dumps(envelope).encode()
        if self.rules.encoding == "json":
            return {"json": envelope}
        if self.rules.encoding == "base64":
            return {"base64": base64.b64encode(text).decode()}
        return {"base64": base64.urlsafe_b64encode(text).decode().rstrip("=")}

    def _forget(self, client: Client, plain: JSON) -> JSON:
        gone = set(plain["message_id_list"])
        if self.rules.deletes:
            client.queue = [each for each in client.queue if each[0] not in gone]
        return message("messagepickup/2.0/status", plain["@id"], message_count=len(client.waiting))

    def _batch(self, client: Client, plain: JSON) -> JSON | None:
        if "1.0" not in self.rules.pickup:
            return None
        found = client.queue[: plain["batch_size"]]
        if self.rules.deletes:
            client.queue = client.queue[len(found) :]
        entries = [{"@id": name, "message": each} for name, each in found]
        return message("messagepickup/1.0/batch", plain["@id"], **{"messages~attach": entries})

    @staticmethod
    def _live(client: Client, plain: JSON) -> JSON:
        """The live session ends with the request, and takes back what is being sent."""
        client.sending = set()
        live = {"live_delivery": plain["live_delivery"], "message_count": len(client.queue)}
        return message("messagepickup/2.0/status", plain["@id"], **live)


def name_of(plain: JSON) -> str:
    """The last part of a message's type."""
    return str(plain["@type"]).rsplit("/", 1)[-1]


def did_key(key: Key) -> str:
    """The key as `did:key`."""
    return "did:key:z" + b58encode(b"\xed\x01" + key.public)
