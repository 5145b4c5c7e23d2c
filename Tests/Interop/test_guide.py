"""The blocks of docs/guide.md, one after the other, as one program."""

from __future__ import annotations

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
from verifier import Proof, Verifier

NAMES = """\
import os, pathlib
endpoint, did, verkey, url = (os.environ[name] for name in ("ENDPOINT", "DID", "VERKEY", "INVITATION"))
folder, registry = (pathlib.Path(os.environ[name]) for name in ("FOLDER", "REGISTRY"))
"""
"""The names that the guide assumes."""

VALUES = {"name": "Alice Andersen", "age": "28", "degree": "Maths"}


def program() -> str:
    blocks = re.findall(r"^```python\n(.*?)^```$", (ROOT / "docs" / "guide.md").read_text(), re.MULTILINE | re.DOTALL)
    imports, *steps = blocks
    body = textwrap.indent("".join(steps), "    ")
    return f"{imports}{NAMES}\nasync def main():\n{body}\nasyncio.run(main())\nmsdk.shutdown()\n"


class Faber:
    """The peer of the guide's program. It acts upon the lines that the program prints."""

    def __init__(self, agent: Verifier) -> None:
        self.agent, self.definition = agent, agent.define(VALUES)
        self.invitation = agent.invite()
        self.proof: Proof | None = None

    @property
    def connection(self) -> str:
        return self.agent.wait_for_state(self.invitation, "active")

    def read(self, line: str) -> None:
        if line.startswith("ping_response "):
            self.agent.offer(self.connection, self.definition, VALUES)
        elif line.startswith("holds "):
            self.proof = self.agent.request_proof(self.connection, self.request)

    @property
    def request(self) -> dict[str, Any]:
        here = [{"cred_def_id": self.definition}]
        adult = {"name": "age", "p_type": ">=", "p_value": 18, "restrictions": here}
        attributes = {"name": {"name": "name", "restrictions": here}, "phone": {"name": "phone"}}
        return {"requested_attributes": attributes, "requested_predicates": {"adult": adult}}


@pytest.fixture
def faber(tmp_path: pathlib.Path) -> Iterator[Faber]:
    with Verifier("Faber", tmp_path / "faber") as agent:
        yield Faber(agent)


def test_the_guide_does_what_it_says(faber: Faber, agency: Agency, tmp_path: pathlib.Path) -> None:
    given = {"ENDPOINT": agency.endpoint, "DID": agency.facts["did"], "VERKEY": agency.facts["verkey"]}
    here = {"FOLDER": str(tmp_path), "REGISTRY": str(faber.agent.registry)}
    invited = {"INVITATION": str(faber.invitation["invitation_url"])}
    python = {"PYTHONPATH": str(ROOT / "bindings" / "python"), "PYTHONUNBUFFERED": "1"}
    lines = run({**os.environ, **given, **here, **invited, **python}, faber, tmp_path / "errors.txt")
    *messages, state, error = lines
    assert any(line.startswith("ping_response ") for line in messages), lines
    assert f"offered degree {VALUES}" in messages
    assert f"holds {VALUES['name']} of {faber.definition}" in messages
    assert "proof ACCEPTED" in messages
    assert faber.proof is not None and faber.agent.wait_for_proof(faber.proof)
    assert state == "state 4"
    assert error.startswith("1073 WALLET_RECORD_NOT_FOUND "), error
    assert faber.agent.wait_for_message(faber.connection) == "Good morning"


def run(environment: dict[str, str], faber: Faber, errors: pathlib.Path) -> list[str]:
    """Runs the program, shows each of its lines to the peer, and returns them."""
    lines = []
    with errors.open("w") as log, subprocess.Popen(
        [sys.executable, "-c", program()],
        env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, text=True,
    ) as process:
        too_late = threading.Timer(120, process.kill)
        too_late.start()
        try:
            for line in process.stdout or ():
                lines.append(line.rstrip("\n"))
                faber.read(lines[-1])
            process.wait()
        finally:
            process.kill()
            too_late.cancel()
    assert process.returncode == 0, errors.read_text()
    return lines
