"""Objects of the library, which the program holds by their handles; and JSON as the library takes and gives it."""

from __future__ import annotations

import json
import os
import re
import weakref
from collections.abc import Mapping
from typing import Any, ClassVar, Optional, TypeVar, Union

from ._calls import call, call_now
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
    _kept_type: ClassVar[str]
    """The `type` of such an object in `KeptObject`."""

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

    @classmethod
    async def open(cls: type[_Self], object_id: str) -> _Self:
        """Opens an object that the wallet keeps. `object_id` is the `id` of a `KeptObject`.

        An object that is open already is shared: both see the changes of each other.
        """
        handle, kind = await call("msdk_object_open", object_id, unclaimed=_release_opened)
        if kind != cls._kept_type:
            _release_opened((handle, kind))
            raise TypeError(f"the object is of the type {kind!r}, and not {cls._kept_type!r}")
        return cls(handle)

    @classmethod
    async def kept(cls: type[_Self], source_id: str) -> Optional[_Self]:
        """Opens the object that the wallet keeps under the name which the program gave it; of several, the one that has
        changed last. None if there is no such object."""
        query = {"type": cls._kept_type, "source_id": source_id, "limit": 1}
        found = json.loads(await call("msdk_objects_list", json.dumps(query)))
        if not found:
            return None
        opened = await cls.open(found[0]["id"])
        opened._name = source_id
        return opened

    def release(self) -> None:
        """Releases the object in this process. Its record in the wallet and its serialized text stay valid; later calls raise
        `HandleError`."""
        self._finalizer()

    def __enter__(self: _Self) -> _Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


def _release_opened(opened: tuple[int, str]) -> None:
    """Releases an object that was opened, of any type."""
    for kind in Held.__subclasses__():
        if kind._kept_type == opened[1]:
            kind._release(opened[0])


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
