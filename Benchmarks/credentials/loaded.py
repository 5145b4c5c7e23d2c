#!/usr/bin/env python3
"""Issuances beside each other, when the issuer has other work: by subscription and by polls, and while a definition is made.

    loaded.py [--count N] [--rounds N]

Prints the seconds of the clock for all of them, as medians with the slowest round, in a table in Markdown. The issuer and the
holder are programs with msdk, each with an agency of its own. Needs the release build, and `scripts/setup credentials tests`.
"""

from __future__ import annotations

import argparse
import pathlib
import statistics
import tempfile
import time

from exchanges import VALUES, Program, msdk, together

WAYS = {
    "by subscription": "issue",
    "by subscription, while a definition is made": "issue_beside_keys",
    "by a poll of each object, every half second": "issue_by_polls",
    "by polls, while a definition is made": "issue_by_polls_beside_keys",
}
"""The ways to learn of messages, and the issuer's command for each."""


def seconds(issuer: Program, holder: Program, command: str, count: int) -> tuple[float, float]:
    """The time for the issuances, and the time for the keys if any are made."""
    keys: list[float] = []
    begin = time.monotonic()

    def issue() -> None:
        keys.append(float(issuer.ask(command, count, VALUES) or 0))

    done: list[float] = []

    def hold() -> None:
        holder.ask("hold", count)
        done.append(time.monotonic() - begin)

    together(issue, hold)
    return done[0], keys[0]


def main() -> None:
    parser = argparse.ArgumentParser(description="Issuances beside each other, by an issuer that has other work.")
    parser.add_argument("--count", type=int, default=20, help="exchanges at the same time")
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    found: dict[str, list[tuple[float, float]]] = {way: [] for way in WAYS}
    with tempfile.TemporaryDirectory(prefix="msdk-bench-") as folder, msdk(pathlib.Path(folder)) as (peer, holder):
        issuer = peer.program
        for _ in range(arguments.rounds):
            for way, command in WAYS.items():
                found[way].append(seconds(issuer, holder, command, arguments.count))
    print(f"\n| {arguments.count} issuances | seconds until all are held | the slowest | seconds for the keys |\n|---|---|---|---|")
    for way, rounds in found.items():
        took, keys = [each[0] for each in rounds], statistics.median(each[1] for each in rounds)
        print(f"| {way} | {statistics.median(took):.2f} | {max(took):.2f} | {f'{keys:.1f}' if keys else ''} |")


if __name__ == "__main__":
    main()
