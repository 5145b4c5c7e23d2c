"""Asks the stage for steps, and fails a cell of the table with what came out."""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import subprocess
import sys
from typing import Any

from faults import KILL, Control, Fault
from process import stop

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
POINTS = int(os.environ.get("MSDK_TEST_FAULT_POINTS", "3"))
"""Most calls that fail in a cell, one at a time, spread over all that an operation makes; 0 for every one."""

GENEROUS = {
    "limits": {
        "mailboxes": 10**6, "mailbox_messages": 10**6, "mailbox_bytes": 10**9, "provisionings_per_min": 10**6,
        "requests_per_s": 10**6, "requests_burst": 10**6,
    }
}  # fmt: skip
"""The settings of an agency whose limits no test meets."""


def points(count: int) -> list[int]:
    """The numbers of the calls that are to fail, of `count`."""
    if POINTS == 0 or count <= POINTS:
        return list(range(1, count + 1))
    return sorted({1 + round(index * (count - 1) / (POINTS - 1)) for index in range(POINTS)})


def preload(shim: pathlib.Path, control: Control) -> dict[str, str]:
    """The environment of a process whose calls may fail."""
    return {**os.environ, "LD_PRELOAD": str(shim), "FAULTS_CONTROL": str(control.path)}


class Stage:
    """The process in which the library's operations run."""

    def __init__(self, shim: pathlib.Path, folder: pathlib.Path) -> None:
        self._folder = folder
        self._case = folder / "case"
        self._templates: dict[str, pathlib.Path] = {}
        self._counts: dict[str, dict[str, int]] = {}
        self._process = subprocess.Popen(
            [sys.executable, str(HERE / "stage.py")],
            env=preload(shim, Control(folder / "control")),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def close(self) -> None:
        for pipe in filter(None, (self._process.stdin, self._process.stdout)):
            pipe.close()
        stop(self._process)  # type: ignore[arg-type]

    def ask(self, operation: str, step: str, home: pathlib.Path, **more: Any) -> Any:
        """One step in a process of its own."""
        assert self._process.stdin and self._process.stdout
        self._process.stdin.write(json.dumps({"operation": operation, "step": step, "home": str(home), **more}) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def reach(self, operation: str, agency: dict[str, Any]) -> dict[str, int]:
        """How many calls of each kind an operation makes when nothing fails."""
        if operation not in self._counts:
            template = self._folder / f"template of {operation}"
            template.mkdir()
            (template / "agency.json").write_text(json.dumps(agency))
            self._templates[operation] = template
            require(self.ask(operation, "prepare", template), "while it was prepared")
            self._counts[operation] = self.perform(operation, None, 0)["counts"]
        return self._counts[operation]

    def perform(self, operation: str, fault: Fault | None, number: int) -> Any:
        """The attempt with a fault, and the check after it. Returns what the stage tells of the attempt."""
        shutil.rmtree(self._case, ignore_errors=True)
        shutil.copytree(self._templates[operation], self._case)
        when = f"when {fault.name} met call {number}" if fault else "without a fault"
        name = fault.name if fault else None
        answer = self.ask(operation, "attempt", self._case, fault=name, number=number)
        was_killed = fault is not None and fault.action == KILL and answer["struck"]
        if not was_killed:
            require(answer, when)
        require(self.ask(operation, "check", self._case, facts=answer.get("facts")), f"after {when.removeprefix('when ')}")
        return answer


def require(answer: Any, when: str) -> None:
    """Fails unless a step came to its end without a finding."""
    assert "ended" not in answer, f"{when}: the process ended with {answer['ended']}"
    assert "finding" not in answer, f"{when}: {answer['finding']}\n{answer.get('trace', '')}"
