"""A scripted agent that is reached over a WebSocket alone, and a proxy on the way to it."""

from __future__ import annotations

import base64
import hashlib
import json
import pathlib
import select
import socket
import struct
from collections.abc import Iterator

from envelope import unpack
from loopback import Handler, LoopbackServer
from peer import Peer

GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
BINARY, CLOSE, PING, PONG = 2, 8, 9, 10


class SocketHandler(Handler):
    """Accepts a WebSocket (RFC 6455), whose client sends each message in one frame."""

    protocol_version = "HTTP/1.1"

    def upgrade(self) -> None:
        proof = hashlib.sha1((self.headers["Sec-WebSocket-Key"] + GUID).encode()).digest()
        self.send_response(101)
        self.send_header("Upgrade", "websocket")
        self.send_header("Connection", "Upgrade")
        self.send_header("Sec-WebSocket-Accept", base64.b64encode(proof).decode())
        self.end_headers()
        self.close_connection = True

    def frames(self) -> Iterator[tuple[int, bytes]]:
        """The opcode and the content of each frame until the close frame. Answers pings and the close frame."""
        while len(head := self.rfile.read(2)) == 2:
            assert head[0] & 0xF0 == 0x80 and head[1] & 0x80, "a frame of a client is masked"
            count = head[1] & 0x7F
            if count >= 126:
                (count,) = struct.unpack("!H" if count == 126 else "!Q", self.rfile.read(2 if count == 126 else 8))
            mask, masked = self.rfile.read(4), self.rfile.read(count)
            content = bytes(byte ^ mask[index % 4] for index, byte in enumerate(masked))
            if head[0] & 0x0F == CLOSE:
                self.wfile.write(bytes([0x80 | CLOSE, len(content)]) + content)
                return
            if head[0] & 0x0F == PING:
                self.wfile.write(bytes([0x80 | PONG, len(content)]) + content)
                continue
            yield head[0] & 0x0F, content


class SocketPeer(Peer):
    """A peer at a `ws://` endpoint; with a certificate, at a `wss://` one."""

    def __init__(self, certificate: pathlib.Path | None = None) -> None:
        super().__init__(certificate)
        self.endpoint = self.endpoint.replace("http", "ws", 1)

    def _handler(self) -> type[Handler]:
        keys, inbox, heard = self._keys, self._inbox, self._heard

        class Inbox(SocketHandler):
            def do_GET(self) -> None:
                self.upgrade()
                for opcode, content in self.frames():
                    assert opcode == BINARY
                    plain, sender = unpack(json.loads(content), keys)
                    inbox.put((plain, sender))
                    heard(plain, sender)

        return Inbox


class Proxy(LoopbackServer):
    """An HTTP proxy that tunnels. `asked` has the servers that it was asked for."""

    def __init__(self) -> None:
        asked: list[str] = []
        self.asked = asked

        class Tunnel(Handler):
            def do_CONNECT(self) -> None:
                asked.append(self.path)
                host, port = self.path.rsplit(":", 1)
                with socket.create_connection((host, int(port))) as server:
                    self.send_response(200)
                    self.end_headers()
                    relay(self.connection, server)
                self.close_connection = True

        super().__init__(Tunnel)


def relay(one: socket.socket, other: socket.socket) -> None:
    """Passes bytes both ways until one side ends."""
    while True:
        for source in select.select([one, other], [], [])[0]:
            if not (data := source.recv(65536)):
                return
            (other if source is one else one).sendall(data)
