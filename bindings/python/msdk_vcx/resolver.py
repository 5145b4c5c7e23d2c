"""The program's own answers for public objects of methods that the library does not know."""

from __future__ import annotations

import contextlib
import dataclasses
import json
from collections.abc import Mapping
from typing import Any, Callable, Optional

from ._calls import call_now, kept
from ._checked import checked
from ._serving import current_agent, serving
from ._table import CALLBACKS
from .errors import VcxError

_HANDLE = 0x72657376
"""The command handle of the first agent's resolver. No other call uses such handles: see `_calls`."""


@dataclasses.dataclass(frozen=True)
class Question:
    """An object that the library needs. `type` is `schema`, `credential_definition`, `revocation_registry` or `status_list`.

    `time` is in seconds since 1970, for the status list in force then; None asks for the newest one.
    """

    type: str
    id: str
    time: Optional[int] = None


Resolver = Callable[[Question], Optional[Mapping[str, Any]]]
"""Returns the object in the form of the AnonCreds specification, or None if there is none. An exception means that nobody
can say at present."""

_resolvers: dict[int, Resolver] = {}
"""The resolvers of the agents, by command handle."""


@checked
def set_resolver(resolver: Resolver) -> None:
    """Lets the library ask the program for public objects, beside the configured registries, whose answers count first.

    It lasts until `remove_resolver` or `shutdown`, and for another agent until its `close`. The function runs on threads of
    the library, up to 16 at the same time, and has 30 seconds. Raises `VcxError` 1044 if there is a resolver.
    """
    handle = _HANDLE + current_agent()
    former = _resolvers.get(handle)
    _resolvers[handle] = resolver  # before the call: the first question may come before it returns
    try:
        call_now("msdk_set_resolver", handle, _callback)
    except VcxError:
        _resolvers.pop(handle)
        if former is not None:
            _resolvers[handle] = former
        raise


def remove_resolver() -> None:
    """Ends the resolver. Unanswered questions fail."""
    call_now("msdk_remove_resolver", _HANDLE + current_agent())


def _receive(handle: int, _code: int, text: bytes) -> None:
    """Runs on a thread of the library, for several questions at a time."""
    question = json.loads(text)
    answer = json.dumps(_answer(_resolvers[handle], question))
    with serving(handle - _HANDLE), contextlib.suppress(VcxError):
        # An error means that its time is over, or that the object is no JSON object: the waiting call has the error.
        call_now("msdk_answer_resolver", question["request"], answer)


def _answer(resolver: Resolver, question: dict[str, Any]) -> dict[str, Any]:
    try:
        found = resolver(Question(question["type"], question["id"], question.get("time")))
        return {"found": False} if found is None else {"object": json.loads(json.dumps(dict(found)))}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}


_callback = kept(CALLBACKS["vcx_string_cb"](_receive))
