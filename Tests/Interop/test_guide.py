"""The blocks of docs/guide.md, one after the other, as one program."""

from __future__ import annotations

import json
import os
import pathlib
import re
import subprocess
import sys
import textwrap
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from agency import ROOT, Agency
from alice import Alice, wait_until
from issuing import reads
from verifier import Proof, Verifier
from webhooks import Webhooks

NAMES = """\
import os, pathlib
endpoint, did, verkey, url, webhook = (os.environ[name] for name in ("ENDPOINT", "DID", "VERKEY", "INVITATION", "WEBHOOK"))
folder, registry = (pathlib.Path(os.environ[name]) for name in ("FOLDER", "REGISTRY"))
invitation_with_offer = json.loads(os.environ["OFFER"])

async def woken():
    print("sleeps")
    return await asyncio.to_thread(input)

def show(invitation):
    print("shown", json.dumps(invitation))
"""
"""The names that the guide assumes."""

VALUES = {"name": "Alice Andersen", "age": "28", "degree": "Maths"}


def program() -> str:
    text = (ROOT / "docs" / "guide.md").read_text()
    blocks = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    imports, *steps = blocks
    body = textwrap.indent("".join(steps), "    ")
    return f"{imports}{NAMES}\nasync def main():\n{body}\nasyncio.run(main())\nmsdk.shutdown()\n"


class Faber:
    """The inviter of the guide's program, an ACA-Py agent. It acts upon the lines that the program prints."""

    def __init__(self, agent: Verifier) -> None:
        self.agent, self.definition = agent, agent.define(VALUES)
        self.invitation = agent.invite()
        _, self.invitation_with_offer = agent.offer_without_connection(self.definition, VALUES)
        self.proof: Proof | None = None

    @property
    def connection(self) -> str:
        return self.agent.wait_for_state(self.invitation, "active")

    def read(self, word: str) -> None:
        if word == "ping_response":
            self.agent.offer(self.connection, self.definition, VALUES)
        elif word == "sleeps":
            self.agent.send_message(self.connection, "Wake up")
        elif word == "holds":
            self.proof = self.agent.request_proof(self.connection, self.request)

    @property
    def request(self) -> dict[str, Any]:
        here = [{"cred_def_id": self.definition}]
        adult = {"name": "age", "p_type": ">=", "p_value": 18, "restrictions": here}
        attributes = {"name": {"name": "name", "restrictions": here}, "phone": {"name": "phone"}}
        return {"requested_attributes": attributes, "requested_predicates": {"adult": adult}}


class Bob:
    """The guest of the guide's program, a program with the library: he holds what it issues, and proves it."""

    def __init__(self, program: Alice, registry: pathlib.Path) -> None:
        self.program, self.shown = program, 0
        reads(program, registry)

    def read(self, word: str, rest: str) -> None:
        if word == "invitation":
            self.program.accept("alice", json.loads(rest))
        elif word == "issues":
            self.program.complete("alice")
            self.program.ask("take_offer", "diploma", "alice", self.next("credential-offer"))
            self.hold("diploma")
        elif word == "shown":
            self.answer(json.loads(rest))

    def next(self, kind: str) -> str:
        return str(self.program.receive("alice", kind)["uid"])

    def hold(self, name: str) -> None:
        self.program.ask("credential", name, "accept", {"connection": "alice"})
        wait_until("the credential", lambda: self.program.ask("credential", name, "update_state") == 4, 30)

    def prove(self) -> None:
        self.program.ask("take_request", "proof", "alice", self.next("presentation-request"))
        self.program.ask("choose_first", "proof", {"attribute_1": "555 0100"})
        self.program.ask("proof", "proof", "send", {"connection": "alice"})

    def answer(self, invitation: Any) -> None:
        """Takes the credential that the first invitation offers, and proves it; and again to the second invitation."""
        self.shown += 1
        self.program.ask("create", f"invited {self.shown}", invitation)
        self.program.ask("connect", f"invited {self.shown}")
        connection = self.program.ask("handle", f"invited {self.shown}")
        attached = self.call("vcx_extract_attached_message", json.dumps(invitation))
        if self.shown == 1:
            credential = self.call("vcx_credential_create_with_offer", "another", attached)
            self.call("vcx_credential_send_request", credential, connection, 0)
            wait_until("the credential", lambda: self.call("vcx_credential_update_state", credential) == 4, 30)
            self.prove()
        else:
            proof = self.call("vcx_disclosed_proof_create_with_request", "check", attached)
            items = json.loads(self.call("vcx_disclosed_proof_retrieve_credentials", proof))["predicates"]
            chosen = {"attrs": {name: {"credential": item["credentials"][0]} for name, item in items.items()}}
            self.call("vcx_disclosed_proof_generate_proof", proof, json.dumps(chosen), "{}")
            self.call("vcx_disclosed_proof_send_proof", proof, connection)

    def call(self, function: str, *arguments: Any) -> Any:
        return self.program.ask("vcx", function, *arguments)


@pytest.fixture
def faber(tmp_path: pathlib.Path) -> Iterator[Faber]:
    with Verifier("Faber", tmp_path / "faber") as agent:
        yield Faber(agent)


def test_no_example_of_the_guide_is_left_out() -> None:
    """An indented block would be shown, and not run."""
    text = (ROOT / "docs" / "guide.md").read_text()
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    assert re.findall(r"^    .*", prose, re.MULTILINE) == []


def test_the_guide_does_what_it_says(faber: Faber, bob: Alice, webhooks: Webhooks, tmp_path: pathlib.Path) -> None:
    guest = Bob(bob, faber.agent.registry)
    with Agency(tmp_path / "agency", {"private_webhooks": True}) as agency:
        given = {"ENDPOINT": agency.endpoint, "DID": agency.facts["did"], "VERKEY": agency.facts["verkey"]}
        here = {"FOLDER": str(tmp_path), "REGISTRY": str(faber.agent.registry), "WEBHOOK": f"{webhooks.url}/topic/push"}
        offer = json.dumps(faber.invitation_with_offer)
        invited = {"INVITATION": str(faber.invitation["invitation_url"]), "OFFER": offer}
        python = {"PYTHONPATH": str(ROOT / "bindings" / "python"), "PYTHONUNBUFFERED": "1"}
        lines = run({**os.environ, **given, **here, **invited, **python}, faber, guest, webhooks, tmp_path / "errors.txt")
    error = lines[-1]
    for expected in (
        f"offered degree {VALUES}", f"holds {VALUES['name']} of {faber.definition}",
        "proof ACCEPTED", "attached STORED", "checked True", "state 4",
    ):
        assert expected in lines, lines
    for begin in ("ping_response ", "woken by ", "verified "):
        assert any(line.startswith(begin) for line in lines), lines
    assert faber.proof is not None and faber.agent.wait_for_proof(faber.proof)
    assert error.startswith("1073 WALLET_RECORD_NOT_FOUND "), error
    assert faber.agent.wait_for_message(faber.connection) == "Good morning"


def run(
    environment: dict[str, str], faber: Faber, guest: Bob, webhooks: Webhooks, errors: pathlib.Path
) -> list[str]:
    """Runs the program, shows each of its lines to its peers, and returns them."""
    lines = []
    with errors.open("w") as log, subprocess.Popen(
        [sys.executable, "-c", program()],
        env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True,
    ) as process:
        too_late = threading.Timer(300, process.kill)
        too_late.start()
        try:
            for line in process.stdout or ():
                lines.append(line.rstrip("\n"))
                word, _, rest = lines[-1].partition(" ")
                faber.read(word)
                guest.read(word, rest)
                if word == "sleeps" and process.stdin:
                    print(json.dumps(push(webhooks)), file=process.stdin, flush=True)
            process.wait()
        finally:
            process.kill()
            too_late.cancel()
    assert process.returncode == 0, errors.read_text()
    return lines


def push(webhooks: Webhooks) -> Any:
    """The first notification of a message."""
    event = webhooks.wait("push", lambda _: True, 20)
    assert event is not None, "no notification came"
    return {name: value for name, value in event.items() if name != "topic"}
