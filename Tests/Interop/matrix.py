"""The tables of cells that were tried: handshakes, exchanges of credentials and proofs, and Cloud Agents, each with its result.

MSDK_TEST_WIDE   if set, all cells run. Otherwise each scene of the second table runs with one peer in one version, and the tests
                 with the mark `wide`, most of the third table, do not run
"""

from __future__ import annotations

import os
from typing import Any

COLUMNS = {
    "handshakes": ("our role", "invitation", "handshake", "peer", "result"),
    "credentials and proofs": ("protocol", "formats", "peer", "scene", "result"),
    "Cloud Agents": ("Cloud Agent", "scene", "peer", "result"),
}
FORMATS = {"0.12": "hlindy", "1.7": "anoncreds", "webvh": "anoncreds"}
PEERS = {"0.12": "ACA-Py 0.12", "1.7": "ACA-Py 1.7", "webvh": "ACA-Py 1.7, did:webvh"}

# The peer and the version of a file's scenes in a short run. The next file begins with the next one.
SHORT = [("0.12", 1), ("1.7", 2), ("0.12", 2)]

_rows: dict[str, list[tuple[str, ...]]] = {}


def exchange(item: Any) -> None:
    """Notes the cell of a test that has the mark `exchange(protocol, scene)`, and the arguments `peer` and `version`."""
    mark = item.get_closest_marker("exchange")
    if mark is not None:
        protocol, scene = mark.args
        peer, version = (item.callspec.params[name] for name in ("peer", "version"))
        cell = (f"{protocol} {version}.0", FORMATS[peer], PEERS[peer], scene)
        item.user_properties.append(("credentials and proofs", cell))


def narrow(config: Any, items: list[Any]) -> None:
    """Leaves out most cells, unless all are wanted."""
    if os.environ.get("MSDK_TEST_WIDE"):
        return
    short = [each for each in items if not each.get_closest_marker("wide")]
    files = sorted({each.path.name for each in short if each.get_closest_marker("exchange")})
    chosen: dict[tuple[str, ...], Any] = {}
    for each in filter(lambda each: each.get_closest_marker("exchange"), short):
        first = files.index(each.path.name) % len(SHORT)
        order = SHORT[first:] + SHORT[:first]
        cell = (each.callspec.params["peer"], each.callspec.params["version"])
        rank = order.index(cell) if cell in order else len(order)
        others = {name: value for name, value in each.callspec.params.items() if name not in ("peer", "version")}
        scene = (each.path.name, each.originalname, repr(sorted(others.items())))
        if scene not in chosen or rank < chosen[scene][0]:
            chosen[scene] = (rank, each)
    kept = {id(each) for _, each in chosen.values()}
    short = [each for each in short if not each.get_closest_marker("exchange") or id(each) in kept]
    config.hook.pytest_deselected(items=[each for each in items if each not in short])
    items[:] = short


def collect(report: Any) -> None:
    """Takes up what a test says of itself by `record_property(TABLE, …)`, once it is over."""
    said = dict(report.user_properties)
    for table in COLUMNS.keys() & said.keys():
        if report.when == "call" or not report.passed and report.when == "setup":
            words = {"passed": "works", "failed": "FAILS", "skipped": "skipped"}
            _rows.setdefault(table, []).append((*said[table], words[report.outcome]))


def show(terminalreporter: Any) -> None:
    """Prints the tables under the tests' own summary."""
    for table, rows in _rows.items():
        lines = [COLUMNS[table], *sorted(rows)]
        widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
        terminalreporter.section(table)
        for line in lines:
            terminalreporter.write_line("  ".join(text.ljust(width) for text, width in zip(line, widths)).rstrip())
