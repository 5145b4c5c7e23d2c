"""An issuer and verifier beside the command: a program with the library, which publishes in a folder."""

from __future__ import annotations

import json
import pathlib
import time
from typing import Any

from agency import Agency
from alice import Alice, wait_until
from conftest import User

DID = "V4SGRU86Z58d6TV7PBUe6f"
VALUES = {"name": "Alice Andersen", "age": "28", "degree": "Maths"}
REQUESTED, ISSUED, REJECTED, PROPOSED = 3, 4, 9, 10
FALSE, VERIFIED, DECLINED = 0, 4, 9


class Registrar:
    """Issues degrees and asks for proofs of them. Its exchanges are named by the tests."""

    def __init__(self, folder: pathlib.Path, agency: Agency, endpoint: str | None = None) -> None:
        """With an `endpoint`, the registrar and its peers reach the agency there."""
        (folder / "program").mkdir(parents=True)
        self.program, self.registry = Alice(folder / "program"), folder / "registry"
        self.program.start()
        facts = {**agency.facts, "endpoint": endpoint or agency.endpoint}
        self.program.provision({f"agency_{name}": value for name, value in facts.items()})
        config = self.program.config
        config = json.loads(config) if isinstance(config, str) else config
        publishing = {"type": "file", "path": str(self.registry), "write": True}
        own = {"institution_did": DID, "institution_name": "Registrar", "anoncreds_registries": [publishing]}
        self.program.config = {**config, **own}
        self.program.restart()
        self.proofs: dict[str, int] = {}
        revocable = {"max_credentials": 50, "tails_folder": str(folder / "tails")}
        self.definition = str(self.program.ask("define", "degree", sorted(VALUES), revocable))

    def meet(self, user: User, name: str = "registrar") -> None:
        """Connects with a user, who reads what the registrar publishes."""
        self.publish(user)
        user.done("connect", self.invite(name), "--as", name, "--yes", "--no-wait")
        self.program.ask("update", name)  # responds
        user.done("inbox")
        self.program.complete(name)
        assert [each["state"] for each in user.done("connections") if each["name"] == name] == ["connected"]

    def publish(self, user: User) -> None:
        """Lets a user read what the registrar publishes."""
        config = json.loads(user.config.read_text())
        registries = [{"type": "file", "path": str(self.registry)}]
        user.config.write_text(json.dumps({**config, "anoncreds_registries": registries}))

    def invite(self, name: str) -> str:
        invitation = self.program.invite(name, "oob")
        return invitation if isinstance(invitation, str) else json.dumps(invitation)

    # Credentials

    def attach(self, credential: str, name: str) -> str:
        """An invitation that asks for no connection, and carries an offer."""
        self.program.ask("prepare", credential, "degree", VALUES)
        plan = {"handshake": False, "request": self.message(credential), "goal_code": "issue-vc", "goal": "your degree"}
        self.program.ask("invite", name, True, plan)
        invitation = self.program.ask("connect", name, None)
        self.program.ask("issue", credential, "offer", {"connection": name})
        return invitation if isinstance(invitation, str) else json.dumps(invitation)

    def offer(self, credential: str, name: str = "registrar", **values: str) -> None:
        self.program.ask("prepare", credential, "degree", {**VALUES, **values})
        self.program.ask("issue", credential, "offer", {"connection": name})

    def answer(self, credential: str, name: str, **values: str) -> None:
        """Waits for the holder's proposal, and offers other values."""
        wait_until("a proposal", lambda: self.state(credential) == PROPOSED, 30)
        self.program.ask("plan", credential, "degree", {**VALUES, **values})
        self.program.ask("issue", credential, "offer", {"connection": name})

    def message(self, credential: str) -> dict[str, Any]:
        """The message of an offer."""
        offer = self.program.ask("issue", credential, "offer_message")
        return dict(json.loads(offer) if isinstance(offer, str) else offer)

    def send(self, name: str, message: dict[str, Any]) -> None:
        """Sends a message that msdk itself would not send. The holder has it afterwards."""
        self.program.ask("send", name, json.dumps(message))
        time.sleep(0.3)

    def state(self, credential: str) -> int:
        return int(self.program.ask("issue", credential, "update_state"))

    def issue(self, credential: str) -> None:
        """Waits for the holder's request, and issues."""
        wait_until("a request", lambda: self.state(credential) == REQUESTED, 30)
        self.program.ask("issue", credential, "issue")

    def revoke(self, credential: str) -> None:
        self.program.ask("issue", credential, "revoke")

    # Proofs

    def ask(
        self, proof: str, attributes: list[Any], predicates: Any = (), interval: Any = None, name: str = "registrar",
        title: str = "Check",
    ) -> None:
        texts = (json.dumps(attributes), json.dumps(list(predicates)), json.dumps(interval or {}))
        self.proofs[proof] = int(self._call("vcx_proof_create", proof, *texts, title))
        self._call("vcx_proof_send_request", self.proofs[proof], int(self.program.ask("handle", name)))

    def verdict(self, proof: str) -> int:
        """Waits for the end of the exchange: `VERIFIED`, `FALSE` or `DECLINED`."""
        over = (VERIFIED, FALSE, DECLINED)
        found: int = wait_until("a verdict", lambda: (found := self.proof_state(proof)) in over and [found], 30)[0]
        return found

    def proof_state(self, proof: str) -> int:
        """The state after a look for the holder's answer."""
        self._call("vcx_proof_update_state", self.proofs[proof])
        return int(self._call("vcx_proof_get_state", self.proofs[proof]))

    def content(self, proof: str) -> Any:
        """The content of a verified proof."""
        return json.loads(self._call("msdk_proof_content", self.proofs[proof]))

    def _call(self, function: str, *arguments: Any) -> Any:
        return self.program.ask("vcx", function, *arguments)
