"""A certificate authority and web servers of the test's own, on loopback."""

from __future__ import annotations

import http.server
import pathlib
import ssl
import subprocess
import threading

CONFIGURATION = """
[ca]
default_ca = own
[own]
database = {folder}/index.txt
new_certs_dir = {folder}
serial = {folder}/serial
default_md = sha256
policy = any
unique_subject = no
copy_extensions = copy
[any]
commonName = supplied
"""


class Authority:
    """Signs certificates for names, for any time."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        self.file, self._key = folder / "authority.pem", folder / "authority.key"
        (folder / "index.txt").touch()
        (folder / "serial").write_text("01\n")
        (folder / "ca.cnf").write_text(CONFIGURATION.format(folder=folder))
        self._openssl(
            "req", "-x509", "-newkey", "ed25519", "-nodes", "-subj", "/CN=An authority", "-keyout", self._key,
            "-out", self.file, "-days", "2",
        )

    def certificate(self, name: str, end: str = "20991231235959Z") -> pathlib.Path:
        """A file with the certificate for a name or an address (such as "DNS:localhost") and its key."""
        path = self.folder / f"{name.replace(':', '-')}-{end}.pem"
        key, request, signed = (path.with_suffix(suffix) for suffix in (".key", ".csr", ".crt"))
        self._openssl(
            "req", "-new", "-newkey", "ed25519", "-nodes", "-subj", "/CN=a server", "-addext", f"subjectAltName={name}",
            "-keyout", key, "-out", request,
        )
        self._openssl(
            "ca", "-batch", "-notext", "-config", self.folder / "ca.cnf", "-cert", self.file, "-keyfile", self._key,
            "-startdate", "20200101000000Z", "-enddate", end, "-in", request, "-out", signed,
        )
        path.write_text(key.read_text() + signed.read_text())
        return path

    def _openssl(self, *words: str | pathlib.Path) -> None:
        subprocess.run(["openssl", *map(str, words)], check=True, capture_output=True, timeout=60)


class Site:
    """A web server that answers each GET with one JSON text, or leads elsewhere."""

    def __init__(self, certificate: pathlib.Path | None, location: str | None = None) -> None:
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                body = b'{"@id":"1"}'
                self.send_response(302 if location else 200)
                if location:
                    self.send_header("Location", location)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                """Says nothing."""

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.scheme = "https" if certificate else "http"
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)

    @property
    def url(self) -> str:
        return f"{self.scheme}://127.0.0.1:{self._server.server_port}/"

    def __enter__(self) -> Site:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
