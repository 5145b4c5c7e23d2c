"""A web server on loopback, with a free port and a thread of its own."""

from __future__ import annotations

import http.server
import pathlib
import ssl
import threading
from typing import Self


class Handler(http.server.BaseHTTPRequestHandler):
    """Reads requests and answers them. Writes no log."""

    def body(self) -> bytes:
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def answer(self, status: int = 200, body: bytes = b"", headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {**(headers or {}), "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def cut_off(self, body: bytes) -> None:
        """Answers with a half of the body, and ends the connection."""
        self.send_response(200)
        self.send_header("Content-Length", str(len(body) + 1))
        self.end_headers()
        self.wfile.write(body[: len(body) // 2])
        self.close_connection = True

    def log_message(self, *_: object) -> None:
        """Says nothing."""


class LoopbackServer:
    """Serves from `start` until `stop`, or in a `with` block. With a certificate it speaks TLS.

    `endpoint` is its URL, without a slash at its end.
    """

    def __init__(self, handler: type[Handler], certificate: pathlib.Path | None = None, port: int = 0) -> None:
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", port), handler)
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self.endpoint = f"{'https' if certificate else 'http'}://127.0.0.1:{self._server.server_port}"

    def start(self) -> Self:
        self._thread.start()
        return self

    def stop(self) -> None:
        """Ends the server. A second call does nothing."""
        if self._thread.is_alive():
            self._server.shutdown()
            self._thread.join()
        self._server.server_close()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()
