"""The library's log lines, handed to Python's `logging`."""

from __future__ import annotations

import logging
import threading
from typing import Any, Optional

from ._calls import call_now, kept
from ._checked import checked
from ._library import library
from .errors import VcxError

TRACE = 5
"""The level below DEBUG that the library's most detailed lines get."""

_NAME = "msdk"
_LEVELS = {1: logging.ERROR, 2: logging.WARNING, 3: logging.INFO, 4: logging.DEBUG, 5: TRACE}


_lock = threading.Lock()
_receiver: Optional[logging.Logger] = None
_is_chosen = False
"""Whether the program has called `set_log_handler`."""


@checked
def set_log_handler(logger: Optional[logging.Logger] = None, level: int = logging.INFO) -> None:
    """Sends the library's log to `logger` (default: the one named "msdk"), from `level` up.

    A second time it replaces logger and level. Raises `VcxError` 1090 when the library has another logger, set from C.
    Each line becomes a record of the child logger for its part of the library; they come on threads of the library.
    """
    global _is_chosen
    with _lock:
        _hand_to(logger or logging.getLogger(_NAME), level)
        _is_chosen = True


def follow_logging() -> None:
    """Sends the library's log to the logger "msdk" if the program has configured `logging`, at the levels that it wants.

    `provision`, `init` and `session` call it. It does nothing once the program has called `set_log_handler`, and nothing if
    the library has a logger that was set from C.
    """
    logger = logging.getLogger(_NAME)
    with _lock:
        if _is_chosen or (_receiver is None and not logger.hasHandlers()):
            return
        parts = [name for name in logging.root.manager.loggerDict if name.startswith(_NAME + ".")]
        level = min(each.getEffectiveLevel() for each in (logger, *map(logging.getLogger, parts)))
        try:
            _hand_to(logger, level)
        except VcxError as error:
            if error.code != 1090:
                raise


def _hand_to(logger: logging.Logger, level: int) -> None:
    global _receiver
    previous, _receiver = _receiver, logger
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
