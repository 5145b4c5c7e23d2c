"""The table of a run: a row for each fault, a column for each operation, in a cell how many calls were made to fail."""

from __future__ import annotations

from faults import FAULTS, Fault


class Table:
    def __init__(self) -> None:
        self._operations: list[str] = []
        self._cells: dict[tuple[str, str], int] = {}

    def note(self, operation: str, fault: Fault, count: int) -> None:
        """So many calls were made to fail in a cell. None is an error: the cell would be empty."""
        assert count, f"no such call of {operation} failed"
        if operation not in self._operations:
            self._operations.append(operation)
        self._cells[operation, fault.name] = count

    def lines(self) -> list[str]:
        """The table as text; nothing when no cell ran."""
        if not self._cells:
            return []
        width = max(len(fault.name) for fault in FAULTS)
        rows = [[fault.name, *(self._text(each, fault.name) for each in self._operations)] for fault in FAULTS]
        widths = [max(len(operation), 5) for operation in self._operations]
        head = " " * width + "  " + "  ".join(name.rjust(size) for name, size in zip(self._operations, widths))
        body = [
            row[0].ljust(width) + "  " + "  ".join(cell.rjust(size) for cell, size in zip(row[1:], widths))
            for row in rows
        ]
        total = f"{sum(self._cells.values())} calls were made to fail; - stands where an operation makes no such call"
        return ["", head, *body, total]

    def _text(self, operation: str, fault: str) -> str:
        return str(self._cells.get((operation, fault), "-"))
