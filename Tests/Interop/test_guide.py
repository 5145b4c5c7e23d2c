"""The blocks of docs/guide.md, one after the other, as one program."""

from __future__ import annotations

import os
import pathlib
import re
import subprocess
import sys
import textwrap

from acapy import Agent
from agency import ROOT, Agency

NAMES = """\
import os, pathlib
endpoint, did, verkey, url = (os.environ[name] for name in ("ENDPOINT", "DID", "VERKEY", "INVITATION"))
folder = pathlib.Path(os.environ["FOLDER"])
"""
"""The names that the guide assumes."""


def program() -> str:
    blocks = re.findall(r"^```python\n(.*?)^```$", (ROOT / "docs" / "guide.md").read_text(), re.MULTILINE | re.DOTALL)
    imports, *steps = blocks
    body = textwrap.indent("".join(steps), "    ")
    return f"{imports}{NAMES}\nasync def main():\n{body}\nasyncio.run(main())\nmsdk.shutdown()\n"


def test_the_guide_does_what_it_says(faber: Agent, agency: Agency, tmp_path: pathlib.Path) -> None:
    invitation = faber.invite()
    given = {"ENDPOINT": agency.endpoint, "DID": agency.facts["did"], "VERKEY": agency.facts["verkey"]}
    here = {"FOLDER": str(tmp_path), "INVITATION": str(invitation["invitation_url"])}
    environment = {**os.environ, **given, **here, "PYTHONPATH": str(ROOT / "bindings" / "python")}
    done = subprocess.run(
        [sys.executable, "-c", program()],
        env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120,
    )
    assert done.returncode == 0, done.stderr
    *messages, state, error = done.stdout.splitlines()
    assert any(line.startswith("ping_response ") for line in messages), done.stdout
    assert state == "state 4"
    assert error.startswith("1073 WALLET_RECORD_NOT_FOUND "), error
    assert faber.wait_for_message(faber.wait_for_state(invitation, "active")) == "Good morning"
