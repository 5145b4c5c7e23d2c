"""The exception that a failed call raises."""

from __future__ import annotations

import json

from ._table import ERRORS


class VcxError(Exception):
    """A call to the library failed.

    `code` is the number (1003), `name` its name ("INVALID_CONNECTION_HANDLE"), `text` its fixed description.
    `cause` is the innermost reason of this failure, `message` the whole chain, in the library's words.
    """

    code: int
    name: str
    text: str
    cause: str
    message: str

    def __init__(self, code: int, details: str = "") -> None:
        super().__init__(code, details)
        self.code = code
        self.name, self.text = ERRORS.get(code, ("UNKNOWN_ERROR", "Unknown Error"))
        told = _parsed(details)
        self.cause = told.get("cause") or ""
        self.message = told.get("message") or self.text

    def __str__(self) -> str:
        cause = f": {self.cause}" if self.cause and self.cause != self.text else ""
        return f"{self.text}{cause} ({self.code} {self.name})"


def _parsed(details: str) -> dict[str, str]:
    """The text members of the library's error JSON; empty when there is none."""
    try:
        told = json.loads(details)
    except ValueError:
        return {}
    return {key: value for key, value in told.items() if isinstance(value, str)} if isinstance(told, dict) else {}
