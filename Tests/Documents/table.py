"""The table of the documents' steps: chapter, step and result."""

from __future__ import annotations

import re
from typing import Any

import pytest

_rows: dict[str, tuple[str, str]] = {}
_results: dict[str, str] = {}


def note(items: list[pytest.Item]) -> None:
    """Names the step of each test: the chapter is its module's, the step is its own name. The name goes with the test's
    reports, because the process that prints the table may not be the one that runs the test."""
    for item in items:
        chapter = getattr(getattr(item, "module", None), "CHAPTER", None)
        if chapter is not None:
            words = re.sub(r"\[(.*)\]$", r" (\1)", item.name.removeprefix("test_"))
            item.user_properties.append(("step", (chapter, words.replace("_", " "))))


def collect(report: Any) -> None:
    """Takes the result of a step. Its end counts only if it fails."""
    step = dict(report.user_properties).get("step")
    if step is None:
        return
    _rows[report.nodeid] = tuple(step)
    if report.failed:
        _results[report.nodeid] = "FAILS"
    elif report.when == "call" or report.skipped:
        _results.setdefault(report.nodeid, "skipped" if report.skipped else "works")


def show(terminalreporter: Any) -> None:
    """Prints the steps, and how many have each result."""
    rows = [(*_rows[test], result) for test, result in sorted(_results.items())]
    if not rows:
        return
    terminalreporter.section("steps of the documents")
    rows.sort(key=lambda row: [int(part) if part.isdigit() else 99 for part in row[0].split(" ")[:1]])
    widths = [max(len(row[column]) for row in rows) for column in (0, 1)]
    for chapter, step, result in [("chapter", "step", "result"), *rows]:
        terminalreporter.write_line(f"{chapter.ljust(widths[0])}  {step.ljust(widths[1])}  {result}")
    results = [row[2] for row in rows]
    counted = ", ".join(f"{results.count(each)} {each}" for each in sorted(set(results), key=results.index))
    terminalreporter.write_line(f"{len(rows)} steps: {counted}")
