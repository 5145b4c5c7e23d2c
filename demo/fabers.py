"""Faber, the agent that Alice meets: an unmodified ACA-Py agent, or another program with msdk."""

from __future__ import annotations

import contextlib
import pathlib
import threading
import time
from collections.abc import Callable
from typing import Any, Protocol

from degree import DEGREE
from process import PeerError
from programs import PATIENCE, Failure, Program, say
from verifier import Verifier
from webvh_agents import WebVHVerifier

class Faber(Protocol):
    """The parts of the story that are his."""

    log: pathlib.Path

    @property
    def published_at(self) -> dict[str, Any]:
        """The registry of a configuration that reads what he publishes, unless he does so on a ledger."""

    def invite(self, stack: contextlib.ExitStack) -> str:
        """Gets ready, until `stack` unwinds, and invites. Returns the link."""

    def meet(self) -> None:
        """Begins to do his part beside Alice's first program."""

    def check(self) -> None:
        """Raises when he has failed."""

    def write(self, text: str) -> None:
        """Writes to Alice, once they have met."""

    def offer(self) -> None:
        """Offers a credential to Alice."""

    def ask(self) -> None:
        """Asks Alice for her name, and whether she is of age, from a credential that is valid now."""

    def verify(self) -> None:
        """Raises unless Alice's proof is good."""

    def revoke(self) -> None:
        """Revokes the credential, and tells Alice."""

    def hear_refusal(self) -> None:
        """Raises unless Alice declines to prove."""


class AcapyFaber:
    """An ACA-Py agent, controlled through its admin API. It publishes its definitions in a folder, on the Indy ledger that
    has this genesis file, or on a web server under a DID of did:webvh."""

    def __init__(self, folder: pathlib.Path, genesis: pathlib.Path | None = None, is_on_web: bool = False) -> None:
        self.agent = WebVHVerifier("Faber", folder) if is_on_web else Verifier("Faber", folder, genesis=genesis)
        # ACA-Py of today knows the older handshake no more.
        self._invitation = ("oob", ("didexchange/1.0",)) if is_on_web else ("c_i", ("connections/1.0",))
        self.log = self.agent.log
        self.invitation: dict[str, Any] = {}
        self._error: Exception | None = None
        self._definition = threading.Thread(target=self._run, args=(self._define,), daemon=True)

    @property
    def published_at(self) -> dict[str, Any]:
        return self.agent.published_at

    def invite(self, stack: contextlib.ExitStack) -> str:
        stack.enter_context(self.agent)
        say("Faber", "is an ACA-Py agent, and ready")
        self._definition.start()
        kind, handshake = self._invitation
        self.invitation = self.agent.invite(kind, handshake=handshake)
        return str(self.invitation["invitation_url"])

    def _define(self) -> None:
        """Takes seconds, for it makes keys: meanwhile he meets Alice."""
        self.definition = self.agent.define(DEGREE, revocable=True)

    def meet(self) -> None:
        threading.Thread(target=self._run, args=(self._meet,), daemon=True).start()

    def _run(self, part: Callable[[], None]) -> None:
        try:
            part()
        except (PeerError, OSError) as error:
            self._error = error

    def _meet(self) -> None:
        connection = self.agent.wait_for_state(self.invitation, "active", 60)
        say("Faber", "is connected with Alice")
        self.agent.wait_for_ping("are you there?")
        say("Faber", "was pinged, and answers")
        self.agent.wait_for_ping_response(self.agent.send_ping(connection, "and you?"))
        say("Faber", "pinged Alice, and has her answer")
        self.agent.send_message(connection, "Welcome, Alice.")
        say("Faber", "writes a message")

    def check(self) -> None:
        if self._error is not None:
            raise self._error

    def write(self, text: str) -> None:
        self.agent.send_message(self._connection, text)

    @property
    def _connection(self) -> str:
        return self.agent.wait_for_state(self.invitation, "active")

    def offer(self) -> None:
        self._definition.join()
        self.check()
        self._offered = self.agent.offer(self._connection, self.definition, DEGREE)
        say("Faber", "offers Alice a credential")

    def revoke(self) -> None:
        self.agent.revoke(self._offered)
        say("Faber", "revokes the credential")

    def ask(self) -> None:
        here = [{"cred_def_id": self.definition}]
        attributes = {"name": {"name": "name", "restrictions": here}}
        predicates = {"age": {"name": "age", "p_type": ">=", "p_value": 18, "restrictions": here}}
        now = {"non_revoked": {"to": int(time.time())}}
        request = {"requested_attributes": attributes, "requested_predicates": predicates, **now}
        self._asked = self.agent.request_proof(self._connection, request)
        say("Faber", "asks Alice for her name, and for a proof that she is of age")

    def verify(self) -> None:
        if not self.agent.wait_for_proof(self._asked):
            raise Failure("Alice's proof is false")
        say("Faber", f"verified: the name {DEGREE['name']}, and an age of 18 or more, which stays with Alice")

    def hear_refusal(self) -> None:
        self.agent.wait_for_decline(self._asked)
        say("Faber", "gets no proof from the revoked credential")


class MsdkFaber:
    """A program with msdk, on the inviter's side."""

    def __init__(self, folder: pathlib.Path, provisioning: dict[str, object]) -> None:
        self.published_at = {"type": "file", "path": str(folder / "registry")}
        publishing = {**self.published_at, "write": True}
        self.program = Program("Faber", folder, {**provisioning, "anoncreds_registries": [publishing]})
        self.log = self.program.log

    def invite(self, stack: contextlib.ExitStack) -> str:
        stack.callback(self.program.stop)
        self.program.start("meet")
        link, end = self.program.folder / "invitation", time.monotonic() + PATIENCE
        while not link.exists():
            self.program.check()
            if time.monotonic() > end:
                raise Failure("Faber's program makes no invitation")
            time.sleep(0.02)
        return link.read_text()

    def meet(self) -> None:
        """It does so by itself."""

    def check(self) -> None:
        self.program.check()

    def write(self, text: str) -> None:
        self._run("write", text)

    def offer(self) -> None:
        self._begin("issue")

    def ask(self) -> None:
        self._begin("ask")

    def verify(self) -> None:
        self._run("verify")

    def revoke(self) -> None:
        self._run("revoke")

    def hear_refusal(self) -> None:
        self._run("hear_refusal")

    def _run(self, *command: str) -> None:
        self._begin(*command)
        self.program.finish()

    def _begin(self, *command: str) -> None:
        """Starts the program for another part, once it has ended the last."""
        self.program.finish()
        self.program.start(*command)
