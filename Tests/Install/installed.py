"""Shared by the scripts of this directory: commands with their output, the programs of the C guide, an installed agency."""

from __future__ import annotations

import json
import os
import pathlib
import re
import subprocess
import sys
import time
from collections.abc import Callable, Mapping

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools" / "peers"))

from agency import Agency  # noqa: E402
from process import spawn, stop  # noqa: E402

PATIENCE = 60.0
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]


class Wrong(Exception):
    """A fault of the installation."""


def run(
    *command: object, env: Mapping[str, str] | None = None, cwd: pathlib.Path | None = None, fails: bool = False
) -> str:
    """Runs a command without input. Returns its output; raises if it does not end as expected."""
    words = [str(word) for word in command]
    done = subprocess.run(
        words, env=env, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        timeout=600,
    )
    if (done.returncode != 0) != fails:
        raise Wrong(f"{' '.join(words)} ended with {done.returncode}:\n{done.stdout}")
    return done.stdout


def blocks(document: pathlib.Path, language: str) -> str:
    """All blocks of a language in a document, one after the other."""
    found = re.findall(rf"^```{language}\n(.*?)^```$", document.read_text(), re.MULTILINE | re.DOTALL)
    if not found:
        raise Wrong(f"{document.name} has no block of {language}")
    return "\n".join(found)


def request(agency: Agency, wallets: pathlib.Path) -> str:
    """The text for provisioning a wallet of Alice's."""
    wallet = {"wallet_name": "alice", "wallet_key": "a key only Alice knows", "storage_config": {"path": str(wallets)}}
    return json.dumps(agency.provisioning(**wallet, institution_name="Alice"))


class C:
    """The programs of the C guide, built against an installed msdk and run with its agency."""

    def __init__(self, environment: Mapping[str, str], work: pathlib.Path) -> None:
        self.environment, self.work = dict(environment), work
        work.mkdir(parents=True)

    def flags(self, *packages: str) -> list[str]:
        return run("pkg-config", "--cflags", "--libs", *packages, env=self.environment).split()

    def build(self) -> None:
        guide = ROOT / "docs" / "c.md"
        (self.work / "guide.c").write_text(blocks(guide, "c"))
        (self.work / "program.cpp").write_text(blocks(guide, "cpp"))
        for compiler, source, program, packages in (
            (["gcc", "-std=c99"], "guide.c", "guide", ["msdk", "jansson"]),
            (["g++", "-std=c++17"], "program.cpp", "program", ["msdk"]),
        ):
            flags = [*WARNINGS, *self.flags(*packages), "-pthread"]
            run(*compiler, source, *flags, "-o", program, env=self.environment, cwd=self.work)

    def run_with(self, agency: Agency) -> None:
        """The C++ program is an invitee; then both roles of the C program meet."""
        facts = {f"AGENCY_{name.upper()}": value for name, value in agency.facts.items()}
        self.environment.update(facts)
        self.meet("a", self.run_program, agency)
        self.meet("b", self.run_guide, agency)

    def meet(self, name: str, invitee: Callable[[pathlib.Path, pathlib.Path, Agency], bool], agency: Agency) -> None:
        """Runs the inviter of the C program beside an invitee."""
        folder = self.work / name
        folder.mkdir()
        invitation, log = folder / "invitation.json", folder / "faber.log"
        faber = spawn([str(self.work / "guide"), "faber", str(folder), str(invitation)], log=log, env=self.environment)
        try:
            if invitee(folder, invitation, agency) and faber.wait(PATIENCE) != 0:
                raise Wrong(f"the inviter ended with {faber.returncode}:\n{log.read_text()}")
            if invitee == self.run_guide and "reads: Good morning" not in log.read_text():
                raise Wrong(f"the inviter has read nothing:\n{log.read_text()}")
        finally:
            stop(faber)

    def run_program(self, folder: pathlib.Path, invitation: pathlib.Path, agency: Agency) -> bool:
        given = {"REQUEST": request(agency, folder), "INVITATION": wait_for(invitation)}
        said = run(self.work / "program", env={**self.environment, **given})
        if not said.startswith("state 3\n1073: "):
            raise Wrong(f"the C++ program said:\n{said}")
        return False

    def run_guide(self, folder: pathlib.Path, invitation: pathlib.Path, _: Agency) -> bool:
        said = run(self.work / "guide", "alice", folder, invitation, env=self.environment)
        for line in ("is connected", "reads: Welcome", "call 42 ended with 0", "there is no such note"):
            if line not in said:
                raise Wrong(f"the C program did not say {line!r}:\n{said}")
        return True


def wait_for(file: pathlib.Path) -> str:
    """The JSON text in a file that another program writes."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            return json.dumps(json.loads(file.read_text()))
        except (OSError, ValueError):
            time.sleep(0.1)
    raise Wrong(f"{file} was not written")


def installed_agency(program: pathlib.Path, folder: pathlib.Path) -> Agency:
    os.environ["MSDK_AGENCY"] = str(program)
    return Agency(folder)
