"""Diagrams as SVG from text: sequences of messages, and states with their transitions.

A sequence has a line for each message, `Alice -> Agency: asks for a mailbox`; `-->` draws it dashed. `note Alice: text` is
a note under a participant. Participants stand in the order in which the lines name them.

States have a line for each transition, `2 invited -> 3 requested: connect`. Graphviz lays them out. Colours are those of
the page.
"""

from __future__ import annotations

import html
import re
import subprocess
import textwrap

MESSAGE = re.compile(r"^(\w[\w ]*?) (-{1,2}>) (\w[\w ]*?): (.+)$")
NOTE = re.compile(r"^note (\w[\w ]*?): (.+)$")
TRANSITION = re.compile(r"^(.+?) -> (.+?)(?:: (.+))?$")
COLUMN, ROW, MARGIN, WRAPPED = 220, 46, 90, 30


class Unreadable(Exception):
    """A line that is none of a diagram."""


def lines_of(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def sequence(text: str) -> str:
    """The SVG of a sequence of messages."""
    lines = lines_of(text)
    names: list[str] = []
    for line in lines:
        if found := MESSAGE.match(line) or NOTE.match(line):
            sides = (found[1], found[3]) if found.re is MESSAGE else (found[1],)
            names += [each for each in sides if each not in names]
        else:
            raise Unreadable(line)
    place = {name: MARGIN + number * COLUMN for number, name in enumerate(names)}
    top, drawn = 70, []
    for line in lines:
        if message := MESSAGE.match(line):
            drawn.append(arrow(place[message[1]], place[message[3]], top, message[4], message[2] == "-->"))
        elif note := NOTE.match(line):
            drawn.append(remark(place[note[1]], top, note[2]))
        top += ROW
    width, height = MARGIN * 2 + COLUMN * (len(names) - 1), top
    heads = [head(name, place[name], height) for name in names]
    return svg(width, height, "".join(heads + drawn), "Sequence: " + ", ".join(names))


def head(name: str, x: int, height: int) -> str:
    return (
        f'<line class="life" x1="{x}" y1="40" x2="{x}" y2="{height - 8}"/>'
        f'<rect class="box" x="{x - 62}" y="8" width="124" height="32" rx="6"/>'
        f'<text class="name" x="{x}" y="29">{html.escape(name)}</text>'
    )


def arrow(start: int, end: int, y: int, text: str, is_dashed: bool) -> str:
    if start == end:
        return remark(start, y, text)
    way = 1 if end > start else -1
    tip = end - way * 2
    kind = "dashed" if is_dashed else "solid"
    span = textwrap.wrap(text, max(WRAPPED, abs(end - start) // 8))
    above = [f'<text x="{(start + end) // 2}" y="{y - 7 - 15 * n}">{html.escape(line)}</text>'
             for n, line in enumerate(reversed(span))]
    return (
        f'<line class="{kind}" x1="{start}" y1="{y}" x2="{tip}" y2="{y}"/>'
        f'<path class="tip" d="M{tip} {y} l{-way * 9} -4.5 v9 z"/>' + "".join(above)
    )


def remark(x: int, y: int, text: str) -> str:
    width = max(90, 7 * len(text) + 20)
    return (
        f'<rect class="note" x="{x - width // 2}" y="{y - 22}" width="{width}" height="26" rx="4"/>'
        f'<text x="{x}" y="{y - 5}">{html.escape(text)}</text>'
    )


def states(text: str) -> str:
    """The SVG of states and the transitions between them."""
    edges = []
    for line in lines_of(text):
        found = TRANSITION.match(line)
        if found is None:
            raise Unreadable(line)
        label = f"  {found[3]}  " if found[3] else ""
        edges.append(f"{quoted(found[1])} -> {quoted(found[2])} [label={quoted(label)}];")
    look = 'node [shape=box style=rounded fontname="sans-serif" fontsize=13 margin="0.16,0.08"];'
    look += 'edge [fontname="sans-serif" fontsize=11];'
    graph = f'digraph {{ bgcolor=transparent; ranksep=0.45; nodesep=0.6; {look} {" ".join(edges)} }}'
    done = subprocess.run(["dot", "-Tsvg"], input=graph, capture_output=True, text=True, check=True)
    return own_colours(done.stdout)


def quoted(text: str) -> str:
    return '"' + text.replace('"', '\\"') + '"'


def own_colours(drawn: str) -> str:
    """Graphviz's drawing with the colours of the page."""
    body = re.sub(r"<!--.*?-->|<title>.*?</title>", "", drawn[drawn.index("<svg"):], flags=re.DOTALL)
    body = body.replace('fill="black" stroke="black"', 'class="tip"').replace('stroke="black"', 'class="line"')
    body = re.sub(r' fill="none"| font-family="[^"]*"| width="[^"]*pt"', "", body)
    size = re.search(r'viewBox="0.00 0.00 ([\d.]+) ([\d.]+)"', body)
    body = re.sub(r' height="[^"]*pt"', f' width="{float(size[1]) * 1.2:.0f}"' if size else "", body, count=1)
    return body.replace("<svg", '<svg class="diagram states" role="img" aria-label="States"', 1)


def svg(width: int, height: int, body: str, label: str) -> str:
    return (
        f'<svg class="diagram" role="img" aria-label="{html.escape(label)}" viewBox="0 0 {width} {height}" '
        f'width="{width}" xmlns="http://www.w3.org/2000/svg">{body}</svg>'
    )
