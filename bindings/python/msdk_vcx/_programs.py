"""The programs that come with the library in a wheel: `msdk` and `msdk-agency`."""

from __future__ import annotations

import os
import pathlib
import sys
from typing import NoReturn, Optional

_HERE = pathlib.Path(__file__).resolve().parent
_BUILT = {"msdk": "msdk-cli"}
"""The names in the repository's release build, where they differ."""


def path(name: str) -> Optional[pathlib.Path]:
    """The program in the wheel, or the repository's release build of it. None if there is neither."""
    for candidate in (_HERE / "bin" / name, _HERE / "../../../.build/release" / _BUILT.get(name, name)):
        if candidate.exists():
            return candidate
    return None


def msdk() -> NoReturn:
    """The command `msdk`: becomes the program."""
    _become("msdk")


def agency() -> NoReturn:
    """The command `msdk-agency`: becomes the program."""
    _become("msdk-agency")


def _become(name: str) -> NoReturn:
    program = path(name)
    if program is None:
        sys.exit(f"{name}: this installation of msdk-vcx has no programs; a wheel of `make wheel` has them")
    os.execv(program, [name, *sys.argv[1:]])
