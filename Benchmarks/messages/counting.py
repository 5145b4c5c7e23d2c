"""A proxy before an HTTP server, which counts requests and the bytes of answers."""

from __future__ import annotations

import threading
import urllib.request

from loopback import Handler, LoopbackServer


class CountingProxy(LoopbackServer):
    """Passes posts on to a server."""

    def __init__(self, server: str) -> None:
        self._requests = self._bytes = 0
        self._lock = threading.Lock()
        proxy = self

        class Passing(Handler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                kind = self.headers.get("Content-Type") or "application/octet-stream"
                request = urllib.request.Request(server + self.path, self.body(), {"Content-Type": kind})
                with urllib.request.urlopen(request, timeout=120) as answer:
                    body = answer.read()
                proxy._count(len(body))
                self.answer(body=body)

        super().__init__(Passing)

    def _count(self, bytes: int) -> None:
        with self._lock:
            self._requests += 1
            self._bytes += bytes

    def take(self) -> tuple[int, int]:
        """The requests and the bytes since the last call."""
        with self._lock:
            counted = (self._requests, self._bytes)
            self._requests = self._bytes = 0
            return counted
