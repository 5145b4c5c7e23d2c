"""A local stand-in of Google's interface as its clients see it: the token endpoint of a service account, and Firebase's
`messages:send`. It gives an access token for an assertion that the account's key has signed, and takes messages that
come with the access token of the moment."""

from __future__ import annotations

import base64
import json
import pathlib
import subprocess
import tempfile
import time
import urllib.parse
from typing import Any

from loopback import Handler, LoopbackServer

PROJECT = "demo-project"
AUDIENCE = "https://oauth2.googleapis.com/token"
GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer"
SCOPE = "https://www.googleapis.com/auth/firebase.messaging"
MAIL = f"relay@{PROJECT}.iam.example"


class Firebase(LoopbackServer):
    """Answers 200 to everybody with the access token of the moment, unless the test says otherwise. With a certificate,
    it speaks TLS."""

    def __init__(self, certificate: pathlib.Path | None = None) -> None:
        self.messages: list[Any] = []
        self.statuses: list[tuple[int, str]] = []
        """Answers of the next calls, and the error codes in them, before it is 200 again."""
        self.retry_after = 0
        """Seconds that the answers with an error name, if it is not 0."""
        self.delay = 0.0
        """Seconds before each answer."""
        self.access_tokens = 0
        self.problems: list[str] = []
        super().__init__(_handler(self), certificate)
        self._public_key = ""

    def account(self, folder: pathlib.Path) -> pathlib.Path:
        """A service account whose token endpoint is this stand-in."""
        key = openssl("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048")
        self._public_key = openssl("pkey", "-pubout", given=key)
        path = folder / "service-account.json"
        account = {
            "type": "service_account", "project_id": PROJECT, "private_key_id": "1", "private_key": key,
            "client_email": MAIL, "client_id": "1", "token_uri": f"{self.endpoint}/token",
        }
        path.write_text(json.dumps(account))
        return path

    def reply(self, path: str, authorization: str, body: bytes) -> tuple[int, Any]:
        time.sleep(self.delay)
        if path == "/token":
            return self._grant(urllib.parse.parse_qs(body.decode()))
        if path != f"/v1/projects/{PROJECT}/messages:send":
            return 404, {"error": {"status": "NOT_FOUND"}}
        if authorization != f"Bearer access-{self.access_tokens}":
            return 401, {"error": {"status": "UNAUTHENTICATED"}}
        if self.statuses:
            status, code = self.statuses.pop(0)
            return status, {"error": {"status": code, "details": [{"errorCode": code}]}}
        message = json.loads(body)["message"]
        if not all(isinstance(value, str) for value in message["data"].values()):
            return 400, {"error": {"status": "INVALID_ARGUMENT"}}
        self.messages.append(message)
        return 200, {"name": f"projects/{PROJECT}/messages/{len(self.messages)}"}

    def _grant(self, form: dict[str, list[str]]) -> tuple[int, Any]:
        signed, _, signature = form["assertion"][0].rpartition(".")
        claims = json.loads(decoded(signed.split(".")[1]))
        asked = {name: claims.get(name) for name in ("iss", "scope", "aud")}
        is_right = asked == {"iss": MAIL, "scope": SCOPE, "aud": AUDIENCE} and form["grant_type"] == [GRANT]
        if not is_right or not self._is_signed(signed.encode(), decoded(signature)):
            self.problems.append(f"no access token for {asked}")
            return 400, {"error": "invalid_grant"}
        self.access_tokens += 1
        return 200, {"access_token": f"access-{self.access_tokens}", "expires_in": 3600, "token_type": "Bearer"}

    def _is_signed(self, text: bytes, signature: bytes) -> bool:
        """Whether the account's key has signed, by RS256."""
        with tempfile.TemporaryDirectory() as folder:
            key, signed = pathlib.Path(folder, "key"), pathlib.Path(folder, "signature")
            key.write_text(self._public_key)
            signed.write_bytes(signature)
            command = ["openssl", "dgst", "-sha256", "-verify", str(key), "-signature", str(signed)]
            return subprocess.run(command, input=text, capture_output=True).returncode == 0


def decoded(text: str) -> bytes:
    """Base64url without padding, as in a JWT."""
    return base64.urlsafe_b64decode(text + "==")


def openssl(*arguments: str, given: str = "") -> str:
    return subprocess.run(["openssl", *arguments], input=given, check=True, capture_output=True, text=True).stdout


def _handler(firebase: Firebase) -> type[Handler]:
    class Calls(Handler):
        def do_POST(self) -> None:
            status, content = firebase.reply(self.path, self.headers.get("Authorization") or "", self.body())
            headers = {"Content-Type": "application/json"}
            if status >= 400 and firebase.retry_after:
                headers["Retry-After"] = str(firebase.retry_after)
            self.answer(status, json.dumps(content).encode(), headers)

    return Calls
