"""Calls of the library, each accounted for: the callback comes exactly once, or never where the call was refused."""

from __future__ import annotations

import ctypes
import itertools
import json
import threading
import time
from typing import Any, NamedTuple

from msdk_vcx._library import library
from msdk_vcx._table import CALLBACKS, FUNCTIONS

PATIENCE = 25.0
"""Seconds until a callback that has not come is a lost one."""

_BYTES = ctypes.POINTER(ctypes.c_uint8)


class Outcome(NamedTuple):
    """The result of a call: the error code, 0 for none, and the callback's values."""

    code: int
    value: Any = None


class _Ledger:
    """The received results, by command handle."""

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self.outcomes: dict[int, list[Outcome]] = {}
        self.refused: set[int] = set()

    def receive(self, handle: int, code: int, *values: Any) -> None:
        value = [each.decode() if isinstance(each, bytes) else each for each in values]
        with self.changed:
            self.outcomes.setdefault(handle, []).append(Outcome(code, value[0] if len(value) == 1 else value or None))
            self.changed.notify_all()


_ledger = _Ledger()
_handles = itertools.count(1)
_callbacks = {shape: CALLBACKS[shape](_ledger.receive) for _, _, shape in FUNCTIONS.values() if shape is not None}


def call(name: str, *arguments: Any) -> Outcome:
    """Calls a function and waits for its callback. A dictionary is handed over as JSON."""
    shape = FUNCTIONS[name][2]
    assert shape is not None
    handle = next(_handles)
    code = library().function(name)(handle, *map(_argument, arguments), _callbacks[shape])
    if code:
        _ledger.refused.add(handle)
        return Outcome(code)
    with _ledger.changed:
        came = _ledger.changed.wait_for(lambda: handle in _ledger.outcomes, PATIENCE)
        assert came, f"{name}: no callback"
        return _ledger.outcomes[handle][0]


def done(name: str, *arguments: Any) -> Any:
    """The same for a call that must succeed. Returns what it brought."""
    outcome = call(name, *arguments)
    assert outcome.code == 0, f"{name}: {outcome.code}"
    return outcome.value


def shut_down(delete: bool = False) -> None:
    library().function("vcx_shutdown")(delete)


def check_accounts() -> None:
    """Whether each call so far had the callbacks that it should have."""
    time.sleep(0.002)  # one too many could still be on its way
    with _ledger.changed:
        for handle in range(1, next(_handles)):
            wanted = 0 if handle in _ledger.refused else 1
            count = len(_ledger.outcomes.get(handle, []))
            assert count == wanted, f"call {handle} had {count} callbacks"


def _argument(value: Any) -> Any:
    if isinstance(value, dict):
        value = json.dumps(value)
    return value.encode() if isinstance(value, str) else value
