"""The cells of the table: which faults can meet which operation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest

import mailbox_operations
import restore_operation
import wallet_operations
from faults import FAULTS, KILL, Fault
from operation import Operation


class Column(NamedTuple):
    """An operation, the calls that it makes, and whether the process is also killed in its midst."""

    operation: str
    kinds: frozenset[str]
    kills: bool = True

    @property
    def faults(self) -> list[Fault]:
        return [fault for fault in FAULTS if fault.kind in self.kinds and (self.kills or fault.action != KILL)]


def _columns(operations: Sequence[Operation]) -> list[Column]:
    return [Column(operation.name, operation.kinds, operation.kills) for operation in operations]


SERVING = frozenset({"connect", "send", "receive", "allocate"})

WALLET = _columns(wallet_operations.OPERATIONS)
MAILBOX = _columns([*mailbox_operations.OPERATIONS, *restore_operation.OPERATIONS])
AGENCY = [
    Column("accept", SERVING | {"read", "write", "sync"}),
    Column("hand out", SERVING | {"read"}, kills=False),
    Column("notify", SERVING | {"read", "write", "sync"}, kills=False),
    Column("start and sweep", frozenset("open look read write sync truncate map connect allocate".split())),
]


def cells(columns: list[Column]) -> pytest.MarkDecorator:
    """Makes a test of each cell of these columns."""
    pairs = [(column.operation, fault) for column in columns for fault in column.faults]
    return pytest.mark.parametrize(
        ("operation", "fault"), pairs, ids=[f"{operation}-{fault.name}" for operation, fault in pairs]
    )


def markdown(columns: list[Column]) -> str:
    """The table of these columns, as docs/reliability.md shows it."""
    rows = [["Fault", *(column.operation for column in columns)], ["---", *(":-:" for _ in columns)]]
    for fault in FAULTS:
        marks = ["✓" if fault in column.faults else "–" for column in columns]
        if "✓" in marks:
            rows.append([fault.name, *marks])
    return "".join("| " + " | ".join(row) + " |\n" for row in rows)
