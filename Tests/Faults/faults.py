"""Faults on purpose: which calls fail and how, and the memory in which the shim is told."""

from __future__ import annotations

import dataclasses
import errno
import mmap
import pathlib
import struct
from collections.abc import Iterator
from contextlib import contextmanager

KINDS = (
    "open", "look", "read", "write", "sync", "truncate", "rename", "unlink", "map", "connect", "send", "receive",
    "allocate",
)  # fmt: skip
"""The possible faults. The order is that of the shim."""

SHORTEN, KILL = -1, -2
FOR_EVER = 2**31 - 1


@dataclasses.dataclass(frozen=True)
class Fault:
    """A way for a call of a kind to fail. One that lasts meets every later call of the kind, too."""

    name: str
    kind: str
    action: int
    lasts: bool = False


FAULTS = (
    Fault("open EMFILE", "open", errno.EMFILE),
    Fault("look EIO", "look", errno.EIO),
    Fault("read EIO", "read", errno.EIO),
    Fault("read EINTR", "read", errno.EINTR),
    Fault("write EIO", "write", errno.EIO),
    Fault("write EINTR", "write", errno.EINTR),
    Fault("write short", "write", SHORTEN),
    Fault("write full", "write", errno.ENOSPC, lasts=True),
    Fault("sync EIO", "sync", errno.EIO),
    Fault("truncate EIO", "truncate", errno.EIO),
    Fault("rename EIO", "rename", errno.EIO),
    Fault("unlink EIO", "unlink", errno.EIO),
    Fault("map ENOMEM", "map", errno.ENOMEM),
    Fault("connect", "connect", errno.ECONNREFUSED),
    Fault("send reset", "send", errno.ECONNRESET),
    Fault("send EINTR", "send", errno.EINTR),
    Fault("send short", "send", SHORTEN),
    Fault("receive reset", "receive", errno.ECONNRESET),
    Fault("receive EINTR", "receive", errno.EINTR),
    Fault("allocate", "allocate", errno.ENOMEM),
    Fault("kill at write", "write", KILL),
    Fault("kill at sync", "sync", KILL),
    Fault("kill at rename", "rename", KILL),
    Fault("kill at unlink", "unlink", KILL),
)


class Control:
    """The memory that the shim reads: a file that both map."""

    _head = struct.Struct("=6i")
    _counts = struct.Struct(f"={len(KINDS)}i")

    def __init__(self, path: pathlib.Path) -> None:
        self.path = path
        if not path.exists():
            path.write_bytes(bytes(4096))
        with open(path, "r+b") as file:
            self._memory = mmap.mmap(file.fileno(), 4096)

    def arm(self, fault: Fault | None, number: int = 0) -> None:
        """From now on calls are counted, and the one of this number fails; none without a fault."""
        self._memory[: self._head.size + self._counts.size] = bytes(self._head.size + self._counts.size)
        if fault is not None:
            last = FOR_EVER if fault.lasts else number
            self._head.pack_into(self._memory, 0, 0, KINDS.index(fault.kind), number, last, fault.action, 0)
        self._memory[0] = 1

    def disarm(self) -> None:
        self._memory[0] = 0

    @contextmanager
    def armed(self, fault: Fault | None, number: int = 0) -> Iterator[None]:
        self.arm(fault, number)
        try:
            yield
        finally:
            self.disarm()

    @property
    def struck(self) -> int:
        """How many calls have failed since `arm`."""
        return int(self._head.unpack_from(self._memory, 0)[5])

    @property
    def counts(self) -> dict[str, int]:
        """How many calls of each kind there were since `arm`."""
        return dict(zip(KINDS, self._counts.unpack_from(self._memory, self._head.size)))
