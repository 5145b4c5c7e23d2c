"""Exchanges of credentials and proofs among four agents, in which every step goes by lot.

MSDK_TEST_SECONDS   for so long exchanges begin   (default: 8)
MSDK_TEST_SEED      the seed of the lot           (default: always the same for the short form, otherwise another one each
                    time; it is printed)
"""

from __future__ import annotations

import os
import pathlib
import random
import secrets

import pytest

from bargain import Market, gathered


def test_each_exchange_ends_alike_on_both_sides(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    given, seed = os.environ.get("MSDK_TEST_SECONDS"), os.environ.get("MSDK_TEST_SEED")
    seconds, seed = float(given or 8), seed or (secrets.token_hex(4) if given else "short")
    lot = random.Random(seed)
    with gathered(tmp_path) as (programs, agents):
        market = Market(programs, agents, lot)
        try:
            market.run(seconds)
        finally:
            with capsys.disabled():
                print(f"\nseed {seed}: {market.account()}")
                print(*market.open, sep="\n\n")
    assert not market.disagreements, f"seed {seed}\n\n" + "\n\n".join(map(str, market.disagreements))
    assert all(market.ends[end] for end in ("good", "bad")) or seconds < 30
