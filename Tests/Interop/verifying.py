"""Victor, a program with the library that asks for proofs, beside agents that hold credentials."""

from __future__ import annotations

import json
import time
from typing import Any

from alice import UNREAD, Alice, wait_until
from holder import Faber, library
from prover import Prover

NOT_VERIFIED, CREATED, SENT, PROPOSED, VERIFIED, REJECTED = 0, 1, 2, 3, 4, 9


class Checker:
    """A verifier, which reads the public objects of an issuer. Its functions are those of the C API."""

    def __init__(self, victor: Alice, faber: Faber, **more: Any) -> None:
        self.victor = victor
        config = json.loads(victor.config) if isinstance(victor.config, str) else victor.config
        victor.config = {**config, "anoncreds_library_path": library("libanoncreds.so"), **faber.settings, **more}
        victor.restart()

    def call(self, function: str, *arguments: Any) -> Any:
        return self.victor.ask("vcx", function, *arguments)

    def connection(self, name: str) -> int:
        return int(self.victor.ask("handle", name))

    def create(self, definition: str, interval: Any = None) -> int:
        """Asks for two attributes as a group, one on its own, one that any credential may show, and a predicate."""
        here = [{"cred_def_id": definition}]
        attributes = [
            {"name": "name", "restrictions": here},
            {"names": ["degree", "name"], "restrictions": here},
            {"name": "degree"},
        ]
        predicates = [{"name": "age", "p_type": ">=", "p_value": 18, "restrictions": here}]
        texts = (json.dumps(attributes), json.dumps(predicates), json.dumps(interval or {}))
        return int(self.call("vcx_proof_create", "check", *texts, "Check"))

    def ask(self, name: str, definition: str, interval: Any = None) -> int:
        """Sends the request over a connection."""
        proof = self.create(definition, interval)
        self.call("vcx_proof_send_request", proof, self.connection(name))
        assert self.state(proof) == SENT
        return proof

    def ask_for_now(self, name: str, definition: str) -> int:
        """Asks for credentials that are not revoked now. ACA-Py 0.12 counts only the revocations since `from`."""
        return self.ask(name, definition, {"to": int(time.time())})

    def state(self, proof: int) -> int:
        return int(self.call("vcx_proof_get_state", proof))

    def wait(self, proof: int) -> bool:
        """Waits for the verdict: whether the presentation is verified."""

        def find() -> Any:
            state = self.call("vcx_proof_update_state", proof)
            return (state == VERIFIED, state) if state in (VERIFIED, NOT_VERIFIED, REJECTED) else None

        return bool(wait_until("a verdict", find, 30)[0])

    def reasons(self, proof: int) -> list[str]:
        return [each["code"] for each in json.loads(self.call("msdk_proof_explain", proof))["reasons"]]

    def presentation(self, proof: int) -> Any:
        """The result and the message."""
        result, text = self.call("vcx_get_proof_msg", proof)
        return result, json.loads(text)

    def content(self, proof: int) -> Any:
        _, message = self.presentation(proof)
        return json.loads(self.call("vcx_extract_attached_message", json.dumps(message)))

    def answer(self, name: str, thread: str) -> Any:
        """The message on a thread that waits in the mailbox."""

        def find() -> Any:
            waiting = [json.loads(each["text"]) for each in self.victor.ask("download", name, UNREAD)]
            return next((each for each in waiting if each.get("~thread", {}).get("thid") == thread), None)

        return wait_until("the answer", find, 20)

    def restored(self, proof: int) -> int:
        """The proof as another process takes it up."""
        text = self.call("vcx_proof_serialize", proof)
        self.victor.kill()
        self.victor.start()
        self.victor.ask("init", self.victor.config)
        return int(self.call("vcx_proof_deserialize", text))


class Scene:
    """A verifier, and a prover of ACA-Py with its issuer."""

    def __init__(self, victor: Alice, faber: Faber, paul: Prover, version: int) -> None:
        self.faber, self.paul = faber, paul
        self.checker = Checker(victor, faber, present_proof_version=f"{version}.0")

    def connect(self) -> None:
        invitation = self.paul.invite("oob", handshake=("didexchange/1.0",))
        victor = self.checker.victor
        victor.accept("paul", invitation["invitation"])
        victor.complete("paul")
        self.paul.wait_for_state(invitation, "active")
