"""The table of handshakes that were tried: which invitation, which handshake, which peer, which role, and how it went."""

from __future__ import annotations

from typing import Any

COLUMNS = ("our role", "invitation", "handshake", "peer", "result")

_rows: list[tuple[str, ...]] = []


def collect(report: Any) -> None:
    """Takes up what a test says of itself by `record_property("cell", …)`, once it is over."""
    cell = dict(report.user_properties).get("cell")
    if cell is not None and (report.when == "call" or not report.passed and report.when == "setup"):
        words = {"passed": "works", "failed": "FAILS", "skipped": "skipped"}
        _rows.append((*cell, words[report.outcome]))


def show(terminalreporter: Any) -> None:
    """Prints the table under the tests' own summary."""
    if not _rows:
        return
    lines = [COLUMNS, *_rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(COLUMNS))]
    terminalreporter.section("handshakes")
    for line in lines:
        terminalreporter.write_line("  ".join(text.ljust(width) for text, width in zip(line, widths)).rstrip())
