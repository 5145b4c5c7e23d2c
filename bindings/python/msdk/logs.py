"""What the library logs, given to Python's `logging`."""

from __future__ import annotations

import logging
from typing import Any, Optional

from ._calls import kept
from ._library import library

TRACE = 5
"""The level below DEBUG that the library's most detailed lines get."""

_LEVELS = {1: logging.ERROR, 2: logging.WARNING, 3: logging.INFO, 4: logging.DEBUG, 5: TRACE}


def set_log_handler(logger: Optional[logging.Logger] = None, level: int = logging.INFO) -> None:
    """Sends the library's log to `logger` (default: the one named "msdk"), from `level` up.

    Once in a process, before everything else: a second time raises `VcxError` 1090, and the first stays.
    Each line becomes a record of the child logger for its part of the library; they come on threads of the library.
    """
    receiver = logger or logging.getLogger("msdk")

    def forward(_: object, number: int, target: bytes, message: bytes, module: bytes, file: bytes, line: int) -> None:
        part = receiver.getChild((target or b"library").decode("utf-8", "replace"))
        number = _LEVELS.get(number, logging.DEBUG)
        if part.isEnabledFor(number):
            text = (message or b"").decode("utf-8", "replace")
            place = (file or b"").decode("utf-8", "replace")
            part.handle(part.makeRecord(part.name, number, place, line, text, (), None))

    function = library().function("vcx_set_logger_with_max_lvl")
    _, enabled, log, flush, _ = function.argtypes
    callback: Any = kept(log(forward))
    code = function(None, enabled(), callback, flush(), _maximum(level))
    if code:
        raise library().error(code)


def _maximum(level: int) -> int:
    """The library's number for the lowest level wanted; 0 when that is above all of them."""
    return max((number for number, ours in _LEVELS.items() if ours >= level), default=0)
