"""Messages that have queued at a mediator, which delivers some twice, out of order, and cuts answers off: each is accounted for.

MSDK_TEST_QUEUED   their number   (default: 300)
"""

from __future__ import annotations

import os
import pathlib
from typing import Any

import pytest

from accounting import PATIENCE, Account, Sender, meet
from alice import Alice
from credo_mediator import CredoMediator, Rules

QUEUED = int(os.environ.get("MSDK_TEST_QUEUED") or 300)
VARIANTS: dict[str, dict[str, Any]] = {
    "marked as being sent": {},
    "given again": {"marks_as_sending": False},
    "over a WebSocket": {"live": "delivery"},
}


@pytest.mark.parametrize("changes", VARIANTS.values(), ids=VARIANTS)
def test_each_queued_message_is_applied_once(tmp_path: pathlib.Path, changes: dict[str, Any]) -> None:
    with CredoMediator(Rules(disorder=1, **changes)) as mediator, Alice(tmp_path / "alice") as alice:
        alice.provision(mediator.provisioning())
        with meet(alice) as (peer, state):
            sender = Sender(peer, pause=0)
            account = Account(alice, state, sender)
            sender.send(QUEUED)
            assert mediator.waiting >= QUEUED
            mediator.rules.cuts = 40
            account.begin_again()
            account.settle(kills=0, patience=PATIENCE + QUEUED / 5)
            assert mediator.waiting == 0
