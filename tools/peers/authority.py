"""A certificate authority and web servers of the test's own, on loopback."""

from __future__ import annotations

import pathlib
import subprocess

from loopback import Handler, LoopbackServer

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


class Site(LoopbackServer):
    """A web server that answers each GET with one JSON text, or leads elsewhere."""

    def __init__(self, certificate: pathlib.Path | None, location: str | None = None) -> None:
        class Text(Handler):
            def do_GET(self) -> None:
                self.answer(302 if location else 200, b'{"@id":"1"}', {"Location": location} if location else {})

        super().__init__(Text, certificate)
        self.scheme = "https" if certificate else "http"
        self.url = self.endpoint + "/"
