"""Runs an unmodified ACA-Py agent on loopback: the inviter of the demo and of the interop tests.

    with Agent("Faber", folder) as faber:
        invitation = faber.invite()
        ...
        faber.wait_for_state(invitation, "active")

Standard library only. ACA-Py itself lives in the environment that `scripts/setup acapy` makes.
"""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Sequence
from typing import Any

from process import PeerError, free_ports, kill, spawn, stop
from webhooks import Event, Webhooks

ROOT = pathlib.Path(__file__).resolve().parents[2]
PREFIX = "https://didcomm.org/"


MODULES = {"0.12": "aries_cloudagent", "1.7": "acapy_agent"}
"""The versions of ACA-Py that `scripts/setup acapy` installs, and the names of their Python modules.

0.12 is the last that speaks connections/1.0; 1.7 is of today, and needs Python 3.13.
"""


PATIENCE = 120.0
"""Seconds for the answer to an admin call. The making of keys takes a tenth of that, and more on a loaded machine."""


def python(version: str = "0.12") -> pathlib.Path:
    """The interpreter of ACA-Py's environment."""
    cache = pathlib.Path(os.environ.get("MSDK_CACHE") or ROOT / ".build/environments")
    found = cache / f"acapy-{version}" / "bin" / "python"
    if not found.exists():
        raise PeerError(f"ACA-Py is not installed in {found.parents[1]}: run scripts/setup acapy")
    return found


class Agent:
    """One ACA-Py process: no ledger, all state and the log inside `folder`.

    Peers reach it by HTTP, or over a WebSocket with the scheme "ws".
    """

    def __init__(self, label: str, folder: pathlib.Path, version: str = "0.12", scheme: str = "http") -> None:
        self.label, self.version, self.scheme = label, version, scheme
        self.folder = folder
        self.log = folder / "acapy.log"
        self.admin = ""
        self.process: subprocess.Popen[bytes] | None = None
        self._webhooks = Webhooks()
        self._command: list[str] = []

    # Life

    def start(self, timeout: float = 60) -> Agent:
        """Starts the agent and waits until it is ready; once more if another process took a port meanwhile."""
        self._webhooks.start()
        self.folder.mkdir(parents=True, exist_ok=True)
        for _ in range(2):
            self._command = self._made(*free_ports(2))
            if self._launch(timeout):
                return self
        self.stop()
        raise PeerError("ACA-Py did not start", self.log)

    def kill(self) -> None:
        """Ends the process as a power failure would."""
        kill(self.process)

    def start_again(self, timeout: float = 60) -> None:
        """Starts another process with the same wallet and ports."""
        if not self._launch(timeout):
            raise PeerError("ACA-Py did not start again", self.log)

    def _made(self, inbound: int, admin: int) -> list[str]:
        """The command that starts the agent."""
        self.admin = f"http://127.0.0.1:{admin}"
        return [str(python(self.version)), "-m", MODULES[self.version], "start", *self._arguments(inbound, admin)]

    def _launch(self, timeout: float) -> bool:
        self.process = spawn(self._command, log=self.log, cwd=self.folder, env=self._environment())
        if self._becomes_ready(timeout):
            return True
        stop(self.process)
        return False

    def _arguments(self, inbound: int, admin: int) -> list[str]:
        return [
            *("--label", self.label, "--no-ledger", "--log-level", "info"),
            *("--inbound-transport", self.scheme, "127.0.0.1", str(inbound), "--outbound-transport", "http"),
            *("--endpoint", f"{self.scheme}://127.0.0.1:{inbound}"),
            *("--admin", "127.0.0.1", str(admin), "--admin-insecure-mode"),
            *("--wallet-type", "askar", "--wallet-name", "wallet", "--wallet-key", "key", "--auto-provision"),
            *("--auto-accept-requests", "--auto-ping-connection", "--preserve-exchange-records"),
            *("--monitor-ping", "--webhook-url", self._webhooks.url),
        ]

    def _environment(self) -> dict[str, str]:
        """ACA-Py writes to its home folders: both are ours."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("ACAPY_", "PYTHON"))}
        return {**kept, "HOME": str(self.folder), "ACAPY_HOME": str(self.folder / "acapy")}

    def _becomes_ready(self, timeout: float) -> bool:
        end = time.monotonic() + timeout
        while time.monotonic() < end and self.process is not None and self.process.poll() is None:
            try:
                if self.call("GET", "/status/ready")["ready"]:
                    return True
            except (OSError, PeerError):
                pass
            time.sleep(0.1)
        return False

    def stop(self) -> None:
        """Ends the agent; its wallet stays in the folder."""
        stop(self.process)
        self._webhooks.stop()

    def __enter__(self) -> Agent:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    # Admin API

    def call(self, method: str, path: str, body: Any = None, **query: str) -> Any:
        """One admin call; answers outside 2xx raise `PeerError` with ACA-Py's own words."""
        url = self.admin + path + ("?" + urllib.parse.urlencode(query) if query else "")
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(url, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return json.loads(answer.read() or b"null")
        except urllib.error.HTTPError as error:
            words = error.read().decode(errors="replace")
            raise PeerError(f"{method} {path}: {error.code} {words[:500]}") from None

    def wait_until(self, what: str, ask: Callable[[], Any], timeout: float = 20) -> Any:
        """Asks until the answer is true, and returns it."""
        end = time.monotonic() + timeout
        while not (answer := ask()):
            if time.monotonic() > end:
                raise PeerError(f"{self.label}: timeout waiting for {what}", self.log)
            time.sleep(0.1)
        return answer

    # The inviter's side

    def invite(
        self,
        kind: str = "c_i",
        *,
        handshake: Sequence[str] = ("connections/1.0",),
        multi_use: bool = False,
        version: str = "1.1",
        did_method: str | None = None,
    ) -> dict[str, Any]:
        """Makes an invitation. `kind` "c_i" is RFC 0160's, "oob" RFC 0434's in that `version` with those handshakes.

        With a `did_method`, such as "did:peer:4", the service in it is a DID.
        The answer holds `invitation`, `invitation_url`, and more.
        """
        query = {"auto_accept": "true", "multi_use": str(multi_use).lower()}
        if kind == "c_i":
            return dict(self.call("POST", "/connections/create-invitation", {}, **query))
        if kind != "oob":
            raise ValueError(f"no such kind of invitation: {kind}")
        body = {"handshake_protocols": [PREFIX + name for name in handshake], "protocol_version": version}
        if did_method is not None:
            body["use_did_method"] = did_method
        return dict(self.call("POST", "/out-of-band/create-invitation", body, **query))

    # The invitee's side

    def accept(self, invitation: dict[str, Any]) -> str:
        """Takes up an invitation of either kind; returns the connection's id."""
        if "out-of-band" not in invitation["@type"]:
            made = self.call("POST", "/connections/receive-invitation", invitation, auto_accept="true")
        else:
            query = {"auto_accept": "true", "use_existing_connection": "false"}
            made = self.call("POST", "/out-of-band/receive-invitation", invitation, **query)
        return str(made["connection_id"])

    def wait_until_active(self, connection: str, timeout: float = 20) -> None:
        """Waits until one connection is complete on this side."""

        def is_active() -> bool:
            return bool(self.call("GET", f"/connections/{connection}")["state"] == "active")

        self.wait_until(f"connection {connection} to be active", is_active, timeout)

    # Both sides

    def connections(self, invitation: dict[str, Any]) -> list[dict[str, Any]]:
        """The agent's connections that came of an invitation (more than one when it is for many).

        ACA-Py remembers the id of an out-of-band invitation, and of the older kind only the key.
        """
        made = invitation["invitation"]
        ours = (made["@id"], *made.get("recipientKeys", ()))
        found = self.call("GET", "/connections")["results"]
        return [each for each in found if each.get("invitation_msg_id") in ours or each.get("invitation_key") in ours]

    def wait_for_state(self, invitation: dict[str, Any], state: str, timeout: float = 20) -> str:
        """Waits until a connection of the invitation is in the state; returns its id."""

        def find() -> str | None:
            return next((str(c["connection_id"]) for c in self.connections(invitation) if c["state"] == state), None)

        return str(self.wait_until(f"a connection in state {state}", find, timeout))

    def send_message(self, connection: str, content: str) -> None:
        """Sends a basic message (RFC 0095)."""
        self.call("POST", f"/connections/{connection}/send-message", {"content": content})

    def send_ping(self, connection: str, comment: str = "ping") -> str:
        """Sends a trust ping that asks for an answer; returns its thread id."""
        return str(self.call("POST", f"/connections/{connection}/send-ping", {"comment": comment})["thread_id"])

    def wait_for_ping_response(self, thread: str, timeout: float = 20) -> None:
        """Waits for the answer to a ping of ours."""
        self.wait_until("the answer to a ping", lambda: self.has_ping_response(thread), timeout)

    def has_ping_response(self, thread: str) -> bool:
        """Whether a ping of ours has been answered."""
        ours = {"thread_id": thread, "state": "response_received"}
        return bool(self._webhooks.find("ping", lambda event: ours.items() <= event.items()))

    def wait_for_ping(self, comment: str, timeout: float = 20) -> Event:
        """Waits for a ping with this comment that asks for an answer; ACA-Py answers by itself.

        Of a ping ACA-Py does not report the connection.
        """
        ours = {"comment": comment, "state": "received", "responded": True}
        return self._wait_for_event("ping", lambda event: ours.items() <= event.items(), timeout)

    def wait_for_message(self, connection: str, timeout: float = 20) -> str:
        """Waits until a basic message was received over the connection; returns its content."""
        event = self._wait_for_event("basicmessages", lambda e: bool(e["connection_id"] == connection), timeout)
        return str(event["content"])

    def _wait_for_event(self, topic: str, test: Callable[[Event], bool], timeout: float = 20) -> Event:
        event = self._webhooks.wait(topic, test, timeout)
        if event is None:
            raise PeerError(f"{self.label}: no such {topic} in {timeout} s", self.log)
        return event
