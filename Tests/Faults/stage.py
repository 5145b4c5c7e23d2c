"""Runs operations under the shim, each step in a process of its own: a JSON line in, a JSON line out.

The process loads the library and never uses it: for each step it makes a copy of itself, which does. So a step begins
with a fresh library and costs milliseconds, and the damage of a fault goes with the copy.
"""

from __future__ import annotations

import ctypes
import json
import os
import pathlib
import select
import signal
import sys
import traceback
from contextlib import AbstractContextManager
from typing import Any

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1] / "bindings" / "python"), str(HERE.parents[1] / "tools" / "peers")]

import calls
import mailbox_operations
import restore_operation
import wallet_operations
from faults import FAULTS, Control
from msdk_vcx._library import library

OPERATIONS = {
    each.name: each
    for each in [
        *wallet_operations.OPERATIONS,
        *mailbox_operations.OPERATIONS,
        *restore_operation.OPERATIONS,
        *mailbox_operations.HELPERS,
    ]
}
PATIENCE = 60.0
"""Seconds that a step may take."""


def perform(request: Any, control: Control) -> Any:
    """One step, in the copy."""
    operation, home = OPERATIONS[request["operation"]], pathlib.Path(request["home"])
    if request["step"] == "prepare":
        operation.prepare(home)
    elif request["step"] == "check":
        operation.check(home, request["facts"])
    else:
        fault = next((fault for fault in FAULTS if fault.name == request["fault"]), None)

        def armed() -> AbstractContextManager[None]:
            return control.armed(fault, request["number"])

        facts = operation.attempt(home, armed)
        calls.check_accounts()
        return facts
    calls.check_accounts()
    return None


def run_copy(request: Any, control: Control) -> Any:
    """The answer of a copy; or the way that it ended without an answer."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reading)
            answer = {"facts": perform(request, control)}
        except BaseException as error:
            answer = {"finding": f"{type(error).__name__}: {error}", "trace": traceback.format_exc()}
        os.write(writing, json.dumps(answer).encode())
        os._exit(0)
    os.close(writing)
    text = b""
    while select.select([reading], [], [], PATIENCE)[0]:
        piece = os.read(reading, 65536)
        if not piece:
            break
        text += piece
    else:
        os.kill(child, signal.SIGKILL)
        text = b'{"finding": "it hangs"}'
    os.close(reading)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return json.loads(text) if text else {"ended": status}


def main() -> None:
    control = Control(pathlib.Path(os.environ["FAULTS_CONTROL"]))
    library()
    ctypes.CDLL(None).faults_scan()
    for line in sys.stdin:
        control.disarm()
        answer = run_copy(json.loads(line), control)
        control.disarm()
        answer.update(struck=control.struck, counts=control.counts)
        print(json.dumps(answer), flush=True)


main()
