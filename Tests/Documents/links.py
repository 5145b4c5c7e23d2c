"""A web server with short links: each answers with a text, or leads on."""

from __future__ import annotations

import http.server
import threading


class Links:
    """Serves `texts` by path, and redirects the paths in `leads`."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.leads: dict[str, str] = {}
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def _handler(self) -> type[http.server.BaseHTTPRequestHandler]:
        texts, leads = self.texts, self.leads

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                body = texts.get(self.path, "").encode()
                self.send_response(302 if self.path in leads else 200 if body else 404)
                if self.path in leads:
                    self.send_header("Location", leads[self.path])
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                """Says nothing."""

        return Handler

    def __enter__(self) -> Links:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
