"""Finds libmsdk, loads it once, and gives its functions the types of the generated table."""

from __future__ import annotations

import atexit
import ctypes
import functools
import importlib.util
import os
import pathlib
import threading
from collections.abc import Mapping
from typing import Any, Optional

from ._table import CALLBACKS, FUNCTIONS
from .errors import VcxError, error_of

_TABLE: Mapping[str, Any] = FUNCTIONS
_ENGINES = {
    "MSDK_ANONCREDS_LIB": ("anoncreds", "libanoncreds.so"),
    "MSDK_INDY_VDR_LIB": ("indy_vdr", "libindy_vdr.so"),
}
"""The engines by the variables that name them: a distribution's package, and the file in it."""
_HERE = pathlib.Path(__file__).resolve().parent


def _path() -> str:
    """Where the library is: named by `MSDK_LIBRARY`, beside the package, built by the repository, or the loader's."""
    named = os.environ.get("MSDK_LIBRARY")
    if named:
        return named
    for candidate in (_HERE / "libmsdk.so", _HERE / "../../../.build/release/libmsdk.so"):
        if candidate.exists():
            return str(candidate)
    return "libmsdk.so.0"


def _name_engines(beside: pathlib.Path) -> None:
    """Tells the library where the engines of installed distributions are, such as `anoncreds` and `indy-vdr` from PyPI.

    A path that the environment names comes first, then a file beside the library.
    """
    for variable, (package, name) in _ENGINES.items():
        if variable not in os.environ and not (beside / name).exists() and (file := _installed(package, name)):
            os.environ[variable] = str(file)


def _installed(package: str, name: str) -> Optional[pathlib.Path]:
    """The library of an installed distribution, which is not imported. None if there is none."""
    found = importlib.util.find_spec(package)
    files = (pathlib.Path(folder) / name for folder in (found.submodule_search_locations if found else None) or ())
    return next((file for file in files if file.exists()), None)


def has_engine() -> bool:
    """Whether the environment names an engine for credentials, or a distribution brings it."""
    variable = "MSDK_ANONCREDS_LIB"
    return variable in os.environ or _installed(*_ENGINES[variable]) is not None


class Library:
    """The loaded library. Functions are looked up when first used, so the package works with an older library too."""

    def __init__(self, path: str) -> None:
        try:
            self._dll = ctypes.CDLL(path)
            self._current_error = self._dll["vcx_get_current_error"]
        except (OSError, AttributeError) as error:
            raise ImportError(
                f"libmsdk cannot be loaded: {error}. Set MSDK_LIBRARY to the path of libmsdk.so, or install it where the "
                "loader looks and run ldconfig",
                path=path,
            ) from error
        # The garbage collector may release an object while this thread looks up a function.
        self._lock = threading.RLock()
        self._functions: dict[str, Any] = {}
        self._is_open = True
        atexit.register(self._close)
        os.register_at_fork(after_in_child=self._leave_to_parent)
        self._current_error.argtypes = [ctypes.POINTER(ctypes.c_char_p)]
        self._current_error.restype = None

    def function(self, name: str) -> Any:
        """A function of the library with its argument and result types. A name outside the table raises `KeyError`."""
        with self._lock:
            if not self._is_open and _TABLE[name][2] is not None:
                raise RuntimeError("the interpreter is ending: the library calls back no more")
            if name not in self._functions:
                result, arguments, callback = _TABLE[name]
                function = self._dll[name]
                function.restype = result
                function.argtypes = [*arguments, *([CALLBACKS[callback]] if callback else [])]
                self._functions[name] = function
            return self._functions[name]

    def _leave_to_parent(self) -> None:
        """A forked child does not use a library that its parent has used. Its end would wait for a callback of the parent."""
        if any(_TABLE[name][2] is not None for name in self._functions):
            atexit.unregister(self._close)

    def _close(self) -> None:
        """Keeps the library's threads out of an interpreter that ends: one that came late would bring the process down."""
        end = self.function("msdk_end_callbacks")
        with self._lock:
            self._is_open = False
        end()

    def error(self, code: int) -> VcxError:
        """The error with this code, with the details the library keeps for the calling thread.

        To be asked on the thread that got the code: inside the callback, or right after the refused call.
        """
        details = ctypes.c_char_p()
        self._current_error(ctypes.byref(details))
        return error_of(code, (details.value or b"").decode("utf-8", "replace"))


@functools.lru_cache(maxsize=None)
def library() -> Library:
    """The library of this process, loaded at the first use and never unloaded."""
    path = _path()
    _name_engines(pathlib.Path(path).resolve().parent)
    return Library(path)
