"""A tails server: keeps the files that issuers put there, and serves them to holders."""

from __future__ import annotations

import email
import email.message
import pathlib

from loopback import Handler, LoopbackServer


class Tails(LoopbackServer):
    """Serves from memory, with a certificate over TLS. `url` is its address."""

    def __init__(self, certificate: pathlib.Path | None = None) -> None:
        self.files: dict[str, bytes] = {}
        super().__init__(_handler(self.files), certificate)
        self.url = self.endpoint


def _handler(files: dict[str, bytes]) -> type[Handler]:
    class Files(Handler):
        def do_PUT(self) -> None:
            """A form with the file in its part `tails`."""
            head = f"Content-Type: {self.headers['Content-Type']}\r\n\r\n".encode()
            for part in email.message_from_bytes(head + self.body()).get_payload():
                assert isinstance(part, email.message.Message)
                if part.get_param("name", header="Content-Disposition") == "tails":
                    content = part.get_payload(decode=True)
                    assert isinstance(content, bytes)
                    files[self.path] = content
            self.answer(200)

        def do_GET(self) -> None:
            file = files.get(self.path)
            self.answer(404) if file is None else self.answer(200, file)

        def do_HEAD(self) -> None:
            self.answer(200 if self.path in files else 404)

        def body(self) -> bytes:
            if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
                return super().body()
            pieces = []
            while size := int(self.rfile.readline().split(b";")[0], 16):
                pieces.append(self.rfile.read(size))
                self.rfile.readline()
            self.rfile.readline()
            return b"".join(pieces)

    return Files
