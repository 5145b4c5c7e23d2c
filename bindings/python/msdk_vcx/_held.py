"""Objects of the library, which the program holds by their handles; and JSON as the library takes and gives it."""

from __future__ import annotations

import json
import os
import re
import weakref
from collections.abc import Mapping
from typing import Any, ClassVar, Optional, TypeVar, Union

from ._calls import call_now
from ._serving import STANDARD, OfAgent, serving
from .errors import error_of

JSONObject = Union[str, Mapping[str, Any]]
"""A JSON object: as text, which is passed on untouched, or as a mapping."""

FilePath = Union[str, os.PathLike[str]]
"""The path of a file or of a folder."""

_Self = TypeVar("_Self", bound="Held")


class Held(OfAgent):
    """An object of the library. Release it with `release`, by leaving a `with` block, or by forgetting it.

    Calls on one object are done one at a time, in the order they were made.
    """

    _kind: ClassVar[str]
    _unknown_handle: ClassVar[int]
    """The error of the library for a handle of this kind that it does not know."""
    _release_function: ClassVar[str]

    def __init__(self, handle: int, name: Optional[str] = None) -> None:
        """`name` is the one that the program gave to the object, as far as it is known."""
        self._number, self._name = handle, name
        self._finalizer = weakref.finalize(self, self._release, handle)
        self._finalizer.atexit = False

    @property
    def _handle(self) -> int:
        if not self._finalizer.alive:
            raise error_of(self._unknown_handle, json.dumps({"cause": f"the {self._kind} was released"}))
        return self._number

    def __repr__(self) -> str:
        name = f" {self._name!r}" if self._name else ""
        return f"<{type(self).__name__} {self._number}{name}{'' if self._finalizer.alive else ', released'}>"

    @classmethod
    def _release(cls, handle: int) -> None:
        with serving(STANDARD):  # the garbage collector calls this anywhere, also after the end of the agent
            call_now(cls._release_function, handle)

    @classmethod
    def _release_first(cls, made: tuple[int, Any]) -> None:
        """Releases the object of a call whose result has a text beside the handle."""
        cls._release(made[0])

    def release(self) -> None:
        """Releases the object in this process. Its serialized text stays valid; later calls raise `HandleError`."""
        self._finalizer()

    def __enter__(self: _Self) -> _Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


def handle_of(connection: Optional[Held]) -> int:
    """The handle of a connection; 0 stands for none."""
    return 0 if connection is None else connection._handle


def text_of_json(value: JSONObject) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def options_of(version: Optional[str], format: Optional[str]) -> Optional[str]:
    """The options of a call that begins an exchange; None leaves the decision to the configuration and the peer."""
    chosen = {name: value for name, value in (("version", version), ("format", format)) if value is not None}
    return json.dumps(chosen) if chosen else None


def name_in(data: str) -> Optional[str]:
    """The name that the program gave to an object, in the object's serialized text; None if that names none."""
    found = re.search(r'"source_id":\s*("(?:[^"\\]|\\.)*")', data)
    return str(json.loads(found[1])) if found else None


def object_in(text: str) -> Optional[dict[str, Any]]:
    """The JSON object in a text of the library; None for null."""
    members: Optional[dict[str, Any]] = json.loads(text)
    return members
