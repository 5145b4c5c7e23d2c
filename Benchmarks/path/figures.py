"""Reads the figures of a run: a table of ratios, the verdicts on the goals, and a chart of how cost grows."""

from __future__ import annotations

import json
import math
import pathlib
from collections import defaultdict
from typing import NamedTuple


class Figure(NamedTuple):
    value: float
    unit: str

    def times_better_than(self, other: Figure) -> float:
        good, bad = (self, other) if self.unit.endswith("/s") else (other, self)
        return good.value / bad.value if bad.value else math.inf

    def __str__(self) -> str:
        if self.unit != "ns/op":
            return f"{self.value:,.4g} {self.unit}"
        for unit, size in (("ms", 1e6), ("µs", 1e3)):
            if self.value >= size:
                return f"{self.value / size:.3g} {unit}"
        return f"{self.value:.3g} ns"


Table = dict[str, dict[str, Figure]]  # by metric and peer


def read(file: pathlib.Path) -> Table:
    """The best figure of each metric and peer."""
    table: Table = defaultdict(dict)
    for line in file.read_text().splitlines():
        row = json.loads(line)
        figure, peers = Figure(row["value"], row["unit"]), table[row["metric"]]
        known = peers.get(row["peer"])
        if known is None or figure.times_better_than(known) > 1:
            peers[row["peer"]] = figure
    return table


def ratios(table: Table) -> str:
    """A line for each metric of msdk's: its figure, and those of the peers as multiples of it."""
    lines = ["| metric | msdk | peers, and how many times as good msdk is |", "|---|---|---|"]
    for metric, peers in table.items():
        if own := peers.get("msdk"):
            others = [f"{p} {f} {own.times_better_than(f):.2f}" for p, f in peers.items() if p != "msdk"]
            lines.append(f"| {metric} | {own} | {', '.join(others)} |")
    return "\n".join(lines)


SIZES = ("bytes", "KiB")


class Goal(NamedTuple):
    """A line of goals.txt, which explains the forms."""

    metric: str
    sign: str
    bound: float
    peer: str

    @staticmethod
    def all(file: pathlib.Path) -> list[Goal]:
        words = [line.split("#")[0].split() for line in file.read_text().splitlines()]
        return [Goal(metric, sign, float(bound), peer) for metric, sign, bound, peer in filter(None, words)]

    def other(self, table: Table) -> Figure | None:
        """The figure beside which msdk's stands."""
        if self.peer.startswith("own:"):
            return table.get(self.peer.removeprefix("own:"), {}).get("msdk")
        return table.get(self.metric, {}).get(self.peer)

    def verdict(self, table: Table) -> tuple[str, bool]:
        """A line, and whether the goal is missed. A goal that was not measured is missed."""
        own, other = table.get(self.metric, {}).get("msdk"), self.other(table)
        goal = f"{self.sign} {self.bound:g} {self.peer}"
        if own and self.peer in SIZES and own.unit == self.peer and self.sign == "<=":
            return self.line(own.value <= self.bound, f"{own}, goal {goal}")
        if not own or not other:
            return f"{'not measured':12} {self.metric}, goal {goal}", True
        ratio = own.times_better_than(other)
        reached = ratio if self.sign == ">=" else 1 / ratio
        met = reached >= self.bound if self.sign == ">=" else reached <= self.bound
        return self.line(met, f"{own}, {other}: {reached:.2f}, goal {goal}")

    def line(self, met: bool, words: str) -> tuple[str, bool]:
        return f"{'met' if met else 'MISSED':12} {self.metric} {words}", not met


def verdicts(table: Table, goals: pathlib.Path) -> tuple[str, bool]:
    """A line for each goal, and whether one is missed."""
    each = [goal.verdict(table) for goal in Goal.all(goals)]
    return "\n".join(line for line, _ in each), any(missed for _, missed in each)


# ---- the chart --------------------------------------------------------------------------------

WIDTH, HEIGHT, MARGIN = 360, 220, 40


def chart(table: Table) -> str:
    """A plot for each group of metrics growth.GROUP.NAME.SIZE, with logarithmic axes."""
    groups: dict[str, dict[str, list[tuple[float, float]]]] = defaultdict(lambda: defaultdict(list))
    units: dict[str, str] = {}
    for metric, peers in table.items():
        words = metric.split(".")
        if words[0] == "growth" and words[-1].isdigit() and "msdk" in peers:
            title = f"{words[1]}: {words[2]}"
            groups[title]["msdk"].append((float(words[-1]), peers["msdk"].value))
            units[title] = peers["msdk"].unit
    plots = [plot(title, units[title], sorted(lines["msdk"])) for title, lines in groups.items()]
    placed = [
        f'<g transform="translate({number % 3 * WIDTH} {number // 3 * HEIGHT})">{each}</g>'
        for number, each in enumerate(plots)
    ]
    height = math.ceil(len(plots) / 3) * HEIGHT
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{3 * WIDTH}" height="{height}" font-family="sans-serif" font-size="11">'
    return "\n".join([head, '<rect width="100%" height="100%" fill="white"/>', *placed, "</svg>"]) + "\n"


def plot(title: str, unit: str, points: list[tuple[float, float]]) -> str:
    """A line through the points, beside one of linear growth from the first."""
    sizes, values = zip(*points)
    linear = [values[0] * size / sizes[0] for size in sizes]
    low, high = min(values), max(*values, linear[-1])

    def place(size: float, value: float) -> str:
        across = math.log(size / sizes[0]) / max(math.log(sizes[-1] / sizes[0]), 1e-9)
        up = math.log(max(value, low) / low) / max(math.log(high / low), 1e-9)
        return f"{MARGIN + across * (WIDTH - 2 * MARGIN):.1f},{HEIGHT - MARGIN - up * (HEIGHT - 2 * MARGIN):.1f}"

    line = " ".join(place(*point) for point in points)
    dashed = " ".join(place(*point) for point in zip(sizes, linear))
    labels = [
        f'<text x="{place(size, value).split(",")[0]}" y="{float(place(size, value).split(",")[1]) - 6}" '
        f'text-anchor="middle">{value:.3g}</text><text x="{place(size, value).split(",")[0]}" y="{HEIGHT - 14}" '
        f'text-anchor="middle">{size:,.0f}</text>'
        for size, value in points
    ]
    return "".join(
        [
            f'<text x="{MARGIN}" y="16" font-weight="bold">{title} ({unit})</text>',
            f'<polyline points="{dashed}" fill="none" stroke="#bbb" stroke-dasharray="4"/>',
            f'<polyline points="{line}" fill="none" stroke="#06c" stroke-width="2"/>',
            *labels,
        ]
    )
