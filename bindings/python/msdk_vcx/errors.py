"""The exceptions of the package: one class for each family of the library's errors."""

from __future__ import annotations

import json
from typing import Any, Optional

from ._table import ERRORS


class MsdkError(Exception):
    """The base of all exceptions of this package."""


class VcxError(MsdkError):
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


class ConfigurationError(VcxError):
    """A setting is missing, cannot be used, or was refused."""


class HandleError(VcxError):
    """The object was released, or the library was shut down."""


class MalformedError(VcxError):
    """An argument, or a message of the peer, is not as it should be."""


class StateError(VcxError):
    """The object, or the library, is not in a state that allows the call."""


class NetworkError(VcxError):
    """The Cloud Agent, the peer or a web server did not answer, or not as it should. The call may be repeated."""


class WalletError(VcxError):
    """The wallet cannot be opened, or has no such record, or has it already."""


class LedgerError(VcxError):
    """The ledger or registry cannot be reached, or refuses, or has no such object."""


class UnsupportedError(VcxError):
    """This build, this object or this computer cannot do it; the cause says what is missing."""


class EndedError(MsdkError):
    """An exchange ended before it reached the state that the program waited for.

    `state` is the state that it has now. `report` is the problem report of the side that ended it, if there is one.
    """

    def __init__(self, kind: str, state: Any, report: Optional[dict[str, Any]] = None) -> None:
        super().__init__(kind, state, report)
        self.state = state
        self.report = report

    def __str__(self) -> str:
        report = self.report or {}
        description, comment = report.get("description"), report.get("comment")
        told = description.get("en") or description.get("code") if isinstance(description, dict) else description
        texts = dict.fromkeys(each for each in (told, comment) if each and isinstance(each, str))
        return ": ".join([f"the {self.args[0]} ended in state {self.state}", *texts])


_FAMILIES: dict[type[VcxError], tuple[int, ...]] = {
    ConfigurationError: (1004, 1069, 1076, 1078, 1087, 1090, 1091, 1107),
    HandleError: (1003, 1015, 1017, 1037, 1042, 1048, 1049, 1053),
    MalformedError: (
        *(1007, 1008, 1009, 1011, 1013, 1014, 1016, 1018, 1019, 1021, 1022, 1023, 1027, 1028, 1031, 1043, 1045, 1054, 1066),
        *(1067, 1080, 1086, 1093, 1100, 1104, 1108, 1110, 1111),
    ),
    StateError: (1005, 1044, 1052, 1062, 1064, 1065, 1071, 1081, 1106, 1109, 1112, 1200),
    NetworkError: (1010, 1020, 1029, 1038, 1063, 1201),
    WalletError: (
        *(1035, 1039, 1051, 1057, 1058, 1072, 1073, 1074, 1075, 1079, 1083, 1084, 1096, 1097, 1099, 1105),
    ),
    LedgerError: (1024, 1025, 1026, 1030, 1034, 1036, 1040, 1041, 1082, 1088, 1092, 1094, 1095),
    UnsupportedError: (1103,),
}
_UNFETCHED = "the URL could not be fetched"
"""The cause of 1013 for a good URL whose server does not answer."""
_CLASSES = {code: family for family, codes in _FAMILIES.items() for code in codes}


def error_of(code: int, details: str = "") -> VcxError:
    """The exception for a code of the library; `VcxError` itself for a code of no family."""
    family = _CLASSES.get(code, VcxError)
    if code == 1013 and _parsed(details).get("cause", "").startswith(_UNFETCHED):
        family = NetworkError
    return family(code, details)


def not_ready(cause: str) -> VcxError:
    """The exception for a call that comes before the object is in the state for it, as the library raises it (1005)."""
    return error_of(1005, json.dumps({"cause": cause}))


def _parsed(details: str) -> dict[str, str]:
    """The text members of the library's error JSON; empty when there is none."""
    try:
        told = json.loads(details)
    except ValueError:
        return {}
    return {key: value for key, value in told.items() if isinstance(value, str)} if isinstance(told, dict) else {}
