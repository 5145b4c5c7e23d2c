"""A disk that loses power.

`environment` makes a process note all that it does to its files (`disk.c`). `Disk` plays that back up to a moment, and
`cut` gives what a disk may hold that lost power then: all that was synchronised, and of the rest anything.
"""

from __future__ import annotations

import os
import pathlib
import random
import struct
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple, Optional

SOURCE = pathlib.Path(__file__).with_name("disk.c")
HEAD = struct.Struct("<ciqII")
SECTOR = 512


def build(folder: pathlib.Path) -> pathlib.Path:
    """The compiled `disk.c`, in `folder`."""
    library = folder / "disk.so"
    flags = ["-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror"]
    subprocess.run(["gcc", *flags, SOURCE, "-o", library, "-ldl"], check=True, timeout=60)
    return library


def environment(library: pathlib.Path, home: pathlib.Path, **settings: object) -> dict[str, str]:
    """For a process that works in `home`; `settings` are those of `disk.c`, such as `kill=3`."""
    chosen = {f"MSDK_TEST_{name.upper()}": str(value) for name, value in settings.items()}
    return {**os.environ, "LD_PRELOAD": str(library), "MSDK_TEST_FOLDER": str(home), **chosen}


class Change(NamedTuple):
    """One entry of a trace: see disk.c."""

    kind: str
    file: int
    offset: int
    first: bytes
    second: bytes


def read_trace(path: pathlib.Path) -> Iterator[Change]:
    trace = path.read_bytes()
    position = 0
    while position < len(trace):
        kind, file, offset, first, second = HEAD.unpack_from(trace, position)
        position += HEAD.size
        middle, end = position + first, position + first + second
        yield Change(kind.decode(), file, offset, trace[position:middle], trace[middle:end])
        position = end


class Loss(Enum):
    """Which of the changes that were not synchronised are lost."""

    NONE = "none"
    ALL = "all"
    SOME = "some, in any order"
    SECTORS = "some sectors"


@dataclass
class File:
    """Content that is certainly on the disk, and changes of it that may be."""

    content: bytearray = field(default_factory=bytearray)
    pending: list[tuple[int, Optional[bytes]]] = field(default_factory=list)
    end: int = 0

    def change(self, offset: int, data: Optional[bytes]) -> None:
        """Writes, or without `data` truncates."""
        self.pending.append((offset, data))
        self.end = max(self.end, offset + len(data)) if data is not None else offset

    def synchronize(self) -> None:
        for offset, data in self.pending:
            put(self.content, offset, data)
        self.pending = []

    def after(self, loss: Loss, chance: random.Random) -> bytes:
        content = bytearray(self.content)
        pending = [] if loss is Loss.ALL else list(self.pending)
        if loss in (Loss.SOME, Loss.SECTORS):
            chance.shuffle(pending)
        for offset, data in pending:
            size = SECTOR if loss is Loss.SECTORS and data else len(data or b"") or 1
            for start in range(0, len(data or b"") or 1, size):
                if loss is Loss.NONE or chance.random() < 0.5:
                    put(content, offset + start, data and data[start : start + size])
        return bytes(content)


def put(content: bytearray, offset: int, data: Optional[bytes]) -> None:
    if data is None:
        del content[offset:]
        return
    content.extend(bytes(max(0, offset - len(content))))
    content[offset : offset + len(data)] = data


Names = dict[str, Optional[File]]
"""Files by their paths; without one, a directory."""


class Disk:
    """The changes of a process to its files, one by one."""

    def __init__(self, synchronizes: bool = True) -> None:
        self.synchronizes = synchronizes
        """Without, it lies: nothing ever is certainly on the disk."""
        self.names: Names = {}
        self.lasting: Names = {}
        self.pending: list[tuple[str, str, Optional[File]]] = []
        self.open: dict[int, tuple[str, Optional[File]]] = {}
        self.said: list[str] = []

    def apply(self, change: Change, spoken: str) -> None:
        """The lines of the file `spoken` are noted in `said`: a process tells there what it knows to be done."""
        path = change.first.decode(errors="replace")
        if change.kind == "o":
            self.open_file(change, path)
        elif change.kind == "c":
            self.open.pop(change.file, None)
        elif change.kind in "awts":
            self.change_file(change, spoken)
        elif change.kind == "d":
            self.name("give", path, None)
        elif change.kind == "u":
            self.name("take", path, None)
        else:
            other = change.second.decode()
            self.name("give", other, self.names.get(path))
            if change.kind == "r":
                self.name("take", path, None)

    def open_file(self, change: Change, path: str) -> None:
        if change.offset & 1 and path not in self.names:
            self.name("give", path, File())
        file = self.names.get(path)
        self.open[change.file] = (path, file)
        if file and change.offset & 2:
            file.change(0, None)

    def change_file(self, change: Change, spoken: str) -> None:
        path, file = self.open[change.file]
        if path == spoken:
            self.said += change.first.decode().splitlines()
        elif change.kind == "s":
            self.synchronize(path, file)
        elif file:
            offset = file.end if change.kind == "a" else change.offset
            file.change(offset, None if change.kind == "t" else change.first)

    def synchronize(self, path: str, file: Optional[File]) -> None:
        if not self.synchronizes:
            return
        if file:
            return file.synchronize()
        for pending in [each for each in self.pending if os.path.dirname(each[1]) == path]:
            self.pending.remove(pending)
            assign(self.lasting, pending)

    def name(self, deed: str, path: str, file: Optional[File]) -> None:
        assign(self.names, (deed, path, file))
        self.pending.append((deed, path, file))

    def cut(self, loss: Loss, chance: random.Random, home: str, target: pathlib.Path) -> None:
        """Writes what is left of `home` to `target`, which is empty."""
        names = dict(self.lasting)
        for pending in self.pending:
            if loss is Loss.NONE or (loss is not Loss.ALL and chance.random() < 0.5):
                assign(names, pending)
        for path in sorted(names):
            place = target / os.path.relpath(path, home)
            file = names[path]
            if not place.parent.is_dir():
                continue  # its directory is lost
            if file is None:
                place.mkdir(mode=0o700)
            else:
                place.write_bytes(file.after(loss, chance))
                place.chmod(0o600)


def assign(names: Names, change: tuple[str, str, Optional[File]]) -> None:
    deed, path, file = change
    if deed == "give":
        names[path] = file
    else:
        names.pop(path, None)
