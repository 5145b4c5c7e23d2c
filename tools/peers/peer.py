"""A scripted Aries agent: it also commits the faults that no real agent commits.

It listens on loopback, keeps what it receives, and answers a connection request only when told to, and how.
"""

from __future__ import annotations

import json
import pathlib
import queue
import urllib.request
import uuid
from collections.abc import Mapping
from typing import Any

from envelope import JSON, Key, forward, pack, signed, unpack
from loopback import Handler, LoopbackServer

PREFIX = "https://didcomm.org/"
MEDIA_TYPE = "application/didcomm-envelope-enc"
_FEATURES = "discover-features/1.0/query"


def message(kind: str, thread: str | None = None, **body: Any) -> JSON:
    """An Aries message such as "trust_ping/1.0/ping" with a fresh id."""
    made: JSON = {"@type": PREFIX + kind, "@id": str(uuid.uuid4()), **body}
    if thread is not None:
        made["~thread"] = {"thid": thread}
    return made


def did_document(key: Key, endpoint: str) -> JSON:
    """The document of a DID with one key and one service, in the form of connections/1.0."""
    reference = f"{key.did}#1"
    public = {"id": reference, "type": "Ed25519VerificationKey2018", "controller": key.did}
    service = {"id": f"{key.did};indy", "type": "IndyAgent", "priority": 0, "recipientKeys": [key.verkey]}
    return {
        "@context": "https://w3id.org/did/v1",
        "id": key.did,
        "publicKey": [{**public, "publicKeyBase58": key.verkey}],
        "authentication": [{"type": "Ed25519SignatureAuthentication2018", "publicKey": reference}],
        "service": [{**service, "routingKeys": [], "serviceEndpoint": endpoint}],
    }


class Peer(LoopbackServer):
    """An agent with a key for its invitations and another for its connections."""

    def __init__(self, certificate: pathlib.Path | None = None) -> None:
        self.invitation_key, self.key = Key(), Key()
        self._keys = {key.verkey: key for key in (self.invitation_key, self.key)}
        self._inbox: queue.Queue[tuple[JSON, str | None]] = queue.Queue()
        self._requests: dict[str | None, JSON] = {}
        """The requests of invitees that have had no message from our new key, by their senders."""
        super().__init__(self._handler(), certificate)

    def _handler(self) -> type[Handler]:
        keys, inbox, heard = self._keys, self._inbox, self._heard

        class Inbox(Handler):
            def do_POST(self) -> None:
                plain, sender = unpack(json.loads(self.body()), keys)
                inbox.put((plain, sender))
                self.answer()
                heard(plain, sender)

        return Inbox

    def _heard(self, plain: JSON, sender: str | None) -> None:
        """Shows our key to an invitee that knows it from a response only, and asks for a sign of life."""
        if plain["@type"].endswith("connections/1.0/request"):
            self._requests[sender] = plain
        elif plain["@type"].endswith("trust_ping/1.0/ping") and plain.get("response_requested", True):
            if (request := self._requests.get(sender)) is not None:
                self.send(message("trust_ping/1.0/ping_response", plain["@id"]), request, self.key)

    def receive(self, *kinds: str, timeout: float = 20) -> tuple[JSON, str | None]:
        """The next message, which must be of one of these kinds, and its sender's verkey. Passes over a question for our
        protocols, which the library asks once beside the first message of an exchange."""
        received, sender = self._inbox.get(timeout=timeout)
        if received["@type"].endswith(_FEATURES) and not _FEATURES.endswith(kinds):
            received, sender = self._inbox.get(timeout=timeout)
        assert received["@type"].endswith(kinds), f"expected {' or '.join(kinds)}, got {received}"
        return received, sender

    def receive_confirmation(self) -> None:
        """The message that ends a handshake: RFC 0160 leaves open which."""
        self.receive("trust_ping/1.0/ping", "notification/1.0/ack")

    # An inviter

    def invitation(self) -> JSON:
        keys, endpoint = [self.invitation_key.verkey], self.endpoint
        return message("connections/1.0/invitation", label="Mallory", recipientKeys=keys, serviceEndpoint=endpoint)

    def response(self, request: JSON, signer: Key | None = None, key: Key | None = None) -> JSON:
        """The response to a request: signed with the invitation's key, for our key, unless a test wants others."""
        offered = key or self.key
        connection = {"DID": offered.did, "DIDDoc": did_document(offered, self.endpoint)}
        field = signed(connection, signer or self.invitation_key)
        return message("connections/1.0/response", request["@id"], **{"connection~sig": field})

    def send(self, plain: Mapping[str, Any], request: JSON, sender: Key | None) -> None:
        """Sends a message to the author of the request, through the mailbox in it; without `sender`, anonymously."""
        service = request["connection"]["DIDDoc"]["service"][0]
        recipient = service["recipientKeys"][0]
        if sender is self.key:
            self._requests.pop(recipient, None)
        packed = pack(plain, [recipient], sender)
        post(service["serviceEndpoint"], forward(packed, recipient, service.get("routingKeys", [])))

    def is_quiet(self, seconds: float = 1) -> bool:
        """Whether nothing is received for a while."""
        try:
            self._inbox.get(timeout=seconds)
        except queue.Empty:
            return True
        return False

    # An invitee, to try the peer itself against a real agent

    def request(self, invitation: JSON) -> JSON:
        """Accepts an invitation; returns the request that was sent."""
        connection = {"DID": self.key.did, "DIDDoc": did_document(self.key, self.endpoint)}
        request = message("connections/1.0/request", label="Mallory", connection=connection)
        (recipient,) = invitation["recipientKeys"]
        packed = pack(request, [recipient], self.key)
        post(invitation["serviceEndpoint"], forward(packed, recipient, invitation.get("routingKeys", [])))
        return request


def post(endpoint: str, envelope: JSON) -> None:
    """Delivers an envelope; an answer outside 2xx raises `urllib.error.HTTPError`."""
    request = urllib.request.Request(endpoint, json.dumps(envelope).encode(), {"Content-Type": MEDIA_TYPE})
    with urllib.request.urlopen(request, timeout=20) as answer:
        answer.read()
