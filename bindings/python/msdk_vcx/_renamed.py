"""Names of the version before, which go with the next one."""

from __future__ import annotations

import functools
import warnings
from typing import Any, Callable, TypeVar, cast

_Function = TypeVar("_Function", bound=Callable[..., Any])


def warn(old: str, new: str, through: int = 0) -> None:
    """Warns the caller of the caller that it uses an old name; `through` functions of the package lie between the two."""
    warnings.warn(f"{old} is called {new} now", DeprecationWarning, stacklevel=3 + through)


def renamed(old: str, new: str, function: _Function) -> _Function:
    """The function under its old name: each call warns."""

    def alias(*arguments: Any, **options: Any) -> Any:
        warn(old, new)
        return function(*arguments, **options)

    return cast(_Function, functools.wraps(function)(alias))
