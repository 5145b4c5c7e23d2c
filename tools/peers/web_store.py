"""A web server over a folder, which takes files by PUT."""

from __future__ import annotations

import hashlib
import os
import pathlib
import threading
import urllib.parse

from loopback import Handler, LoopbackServer


class WebStore(LoopbackServer):
    """Serves the files of a folder to everybody, and takes files from clients with the token, under the conditions of their
    requests. `written` lists the files in the order of their uploads."""

    def __init__(self, folder: pathlib.Path, token: str, certificate: pathlib.Path | None = None) -> None:
        self.written: list[str] = []
        super().__init__(_handler(folder, token, self.written), certificate)


def _handler(folder: pathlib.Path, token: str, written: list[str]) -> type[Handler]:
    lock = threading.Lock()

    class Files(Handler):
        def do_GET(self) -> None:
            content = self.content()
            self.answer(404) if content is None else self.answer(200, content, {"ETag": tag(content)})

        def do_HEAD(self) -> None:
            self.answer(404 if self.content() is None else 200)

        def do_PUT(self) -> None:
            body = self.body()
            if self.headers["Authorization"] != f"Bearer {token}":
                return self.answer(401)
            with lock:
                known = self.content()
                if self.headers["If-None-Match"] == "*":
                    fits = known is None
                else:
                    fits = known is not None and self.headers["If-Match"] == tag(known)
                if not fits:
                    return self.answer(412)
                self.file.parent.mkdir(parents=True, exist_ok=True)
                draft = self.file.with_name(self.file.name + ".new")
                draft.write_bytes(body)
                os.replace(draft, self.file)
                written.append(self.file.relative_to(folder).as_posix())
            self.answer(201 if known is None else 204)

        @property
        def file(self) -> pathlib.Path:
            return folder / urllib.parse.unquote(self.path).lstrip("/")

        def content(self) -> bytes | None:
            return self.file.read_bytes() if self.file.is_file() else None

    return Files


def tag(content: bytes) -> str:
    return f'"{hashlib.sha256(content).hexdigest()}"'
