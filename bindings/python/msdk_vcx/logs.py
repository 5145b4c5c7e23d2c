"""The library's log lines, handed to Python's `logging`."""

from __future__ import annotations

import logging
import threading
from typing import Any, Optional

from ._calls import call_now, kept
from ._library import library

TRACE = 5
"""The level below DEBUG that the library's most detailed lines get."""

_LEVELS = {1: logging.ERROR, 2: logging.WARNING, 3: logging.INFO, 4: logging.DEBUG, 5: TRACE}


_lock = threading.Lock()
_receiver: Optional[logging.Logger] = None


def set_log_handler(logger: Optional[logging.Logger] = None, level: int = logging.INFO) -> None:
    """Sends the library's log to `logger` (default: the one named "msdk"), from `level` up.

    A second time it replaces logger and level. Raises `VcxError` 1090 when the library has another logger, set from C.
    Each line becomes a record of the child logger for its part of the library; they come on threads of the library.
    """
    global _receiver
    with _lock:
        previous, _receiver = _receiver, logger or logging.getLogger("msdk")
        if previous is not None:
            call_now("vcx_set_log_max_lvl", _maximum(level))
            return
        function = library().function("vcx_set_logger_with_max_lvl")
        _, enabled, log, flush, _ = function.argtypes
        callback: Any = kept(log(_forward))
        code = function(None, enabled(), callback, flush(), _maximum(level))
        if code:
            _receiver = None
            raise library().error(code)


def _forward(_: object, number: int, target: bytes, message: bytes, module: bytes, file: bytes, line: int) -> None:
    receiver = _receiver
    if receiver is None:
        return
    part = receiver.getChild((target or b"library").decode("utf-8", "replace"))
    number = _LEVELS.get(number, logging.DEBUG)
    if part.isEnabledFor(number):
        text = (message or b"").decode("utf-8", "replace")
        place = (file or b"").decode("utf-8", "replace")
        part.handle(part.makeRecord(part.name, number, place, line, text, (), None))


def _maximum(level: int) -> int:
    """The library's number for the lowest level wanted; 0 when that is above all of them."""
    return max((number for number, ours in _LEVELS.items() if ours >= level), default=0)
