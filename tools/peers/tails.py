"""A tails server: keeps the files that issuers put there, and serves them to holders."""

from __future__ import annotations

import email
import email.message
import http.server
import threading
from typing import Self


class Tails:
    """Serves on loopback, from memory. `url` is its address."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _handler(self.files))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def start(self) -> Self:
        self._thread.start()
        return self

    def stop(self) -> None:
        if self._thread.is_alive():
            self._server.shutdown()
            self._thread.join()
        self._server.server_close()


def _handler(files: dict[str, bytes]) -> type[http.server.BaseHTTPRequestHandler]:
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_PUT(self) -> None:
            """A form with the file in its part `tails`."""
            head = f"Content-Type: {self.headers['Content-Type']}\r\n\r\n".encode()
            for part in email.message_from_bytes(head + self._body()).get_payload():
                assert isinstance(part, email.message.Message)
                if part.get_param("name", header="Content-Disposition") == "tails":
                    content = part.get_payload(decode=True)
                    assert isinstance(content, bytes)
                    files[self.path] = content
            self._answer(200)

        def do_GET(self) -> None:
            file = files.get(self.path)
            self._answer(404) if file is None else self._answer(200, file)

        def do_HEAD(self) -> None:
            self._answer(200 if self.path in files else 404)

        def _body(self) -> bytes:
            if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
                return self.rfile.read(int(self.headers["Content-Length"]))
            pieces = []
            while size := int(self.rfile.readline().split(b";")[0], 16):
                pieces.append(self.rfile.read(size))
                self.rfile.readline()
            self.rfile.readline()
            return b"".join(pieces)

        def _answer(self, status: int, body: bytes = b"") -> None:
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Says nothing."""

    return Handler
