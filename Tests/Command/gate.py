"""The way to a peer's server, which can be closed, be slow, and lose answers."""

from __future__ import annotations

import http.server
import threading
import time
import urllib.request
from typing import Any


class Gate:
    """A server that passes everything on to the server at `target`.

    It breaks off before the answer to as many messages as `losses` says: the other server has the message then. If `cut` is not
    0, the message with that number does not pass at all. Each message takes `seconds` more; `has_held` says whether one did.
    """

    def __init__(self, target: str) -> None:
        self.target, self.port, self.losses, self.cut, self.seconds = target, 0, 0, 0, 0.0
        self.has_held = False
        self.open()

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def open(self) -> None:
        self._server = Server(self)
        self.port = self._server.server_port
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


class Server(http.server.ThreadingHTTPServer):
    def __init__(self, gate: Gate) -> None:
        super().__init__(("127.0.0.1", gate.port), Passing)
        self.gate = gate


class Passing(http.server.BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        if self.server.gate.seconds:
            self.server.gate.has_held = True
            time.sleep(self.server.gate.seconds)
        if self.server.gate.cut:
            self.server.gate.cut -= 1
            if self.server.gate.cut == 0:
                self.close_connection = True
                return
        content = self.ask(self.rfile.read(int(self.headers["Content-Length"])))
        if self.server.gate.losses:
            self.server.gate.losses -= 1
            self.close_connection = True
            return
        self.answer(content)

    def do_GET(self) -> None:
        self.answer(self.ask(None))

    def ask(self, body: bytes | None) -> bytes:
        with urllib.request.urlopen(urllib.request.Request(self.server.gate.target + self.path, body)) as answer:
            return bytes(answer.read())

    def answer(self, content: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: Any) -> None:
        pass
