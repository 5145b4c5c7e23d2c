"""Clients and Cloud Agents that are killed at any moment while messages arrive: each message is accounted for.

MSDK_TEST_CLIENT_KILLS     kills of the client, for each kind of Cloud Agent   (default: 3)
MSDK_TEST_MEDIATOR_KILLS   kills of the Cloud Agent, for each kind             (default: 2)
MSDK_TEST_SEED             the seed of the moments                             (default: 1)
"""

from __future__ import annotations

import os
import pathlib
import random
import time
from collections.abc import Callable
from typing import Any, Protocol, Self

import pytest

from accounting import Account, Sender, meet
from acapy import python
from agency import Agency
from alice import Alice
from credo_mediator import Rules
from kept_mediator import KeptMediator
from mediator import Mediator
from process import PeerError

CLIENT_KILLS = int(os.environ.get("MSDK_TEST_CLIENT_KILLS") or 3)
MEDIATOR_KILLS = int(os.environ.get("MSDK_TEST_MEDIATOR_KILLS") or 2)
SEED = int(os.environ.get("MSDK_TEST_SEED") or 1)


class CloudAgent(Protocol):
    """A Cloud Agent in a process."""

    def start(self) -> Any: ...

    def kill(self) -> None: ...

    def provisioning(self, **more: Any) -> dict[str, Any]: ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...


KEPT: dict[str, Callable[[pathlib.Path], CloudAgent]] = {
    "msdk-agency": Agency,
    "live delivery": lambda folder: KeptMediator(folder, Rules(live="delivery")),
    "live delivery, unmarked": lambda folder: KeptMediator(folder, Rules(live="delivery", marks_as_sending=False)),
    "pickup 2.0": lambda folder: KeptMediator(folder, Rules()),
}
"""The Cloud Agents that keep their messages through a kill."""


ACAPY = "ACA-Py, pickup 2.0"


@pytest.mark.parametrize("kind", [*KEPT, ACAPY])
def test_each_message_is_applied_once_by_a_client_that_is_killed(kind: str, tmp_path: pathlib.Path) -> None:
    moments = random.Random(SEED)
    with cloud_agent(kind, tmp_path / "cloud-agent") as agent, Alice(tmp_path / "alice") as alice:
        alice.provision(agent.provisioning())
        with meet(alice) as (peer, state), Sender(peer) as sender:
            account = Account(alice, state, sender)
            for _ in range(CLIENT_KILLS):
                account.begin_again()
                time.sleep(moments.uniform(0, 1))
                alice.kill()
            sender.end()
            account.begin_again()
            # ACA-Py deletes a message that it puts in place of the answer to a request, which the client may not live to see.
            account.settle(kills=CLIENT_KILLS, may_lose=CLIENT_KILLS if kind == ACAPY else 0)


def cloud_agent(kind: str, folder: pathlib.Path) -> Any:
    if kind in KEPT:
        return KEPT[kind](folder)
    try:
        python("0.12")
    except PeerError as error:
        pytest.skip(error.what)
    return Mediator("Mediator", folder, "0.12", pickup=True)


@pytest.mark.parametrize("kind", KEPT)
def test_each_message_is_applied_once_while_the_cloud_agent_is_killed(kind: str, tmp_path: pathlib.Path) -> None:
    moments = random.Random(SEED)
    with KEPT[kind](tmp_path / "cloud-agent") as agent, Alice(tmp_path / "alice") as alice:
        alice.provision(agent.provisioning())
        with meet(alice) as (peer, state), Sender(peer) as sender:
            account = Account(alice, state, sender)
            account.begin_again()
            for _ in range(MEDIATOR_KILLS):
                time.sleep(moments.uniform(0, 1.5))
                agent.kill()
                time.sleep(moments.uniform(0, 0.5))
                agent.start()
            sender.end()
            account.settle(kills=MEDIATOR_KILLS)


@pytest.mark.wide
@pytest.mark.parametrize("pickup", [False, True], ids=["implicit pickup", "pickup 2.0"])
def test_a_client_goes_on_with_an_acapy_that_was_killed_and_has_forgotten_its_queue(
    pickup: bool, tmp_path: pathlib.Path
) -> None:
    try:
        python("0.12")
    except PeerError as error:
        pytest.skip(error.what)
    with Mediator("Mediator", tmp_path / "mediator", "0.12", pickup) as mediator, Alice(tmp_path / "alice") as alice:
        alice.provision(mediator.provisioning())
        with meet(alice) as (peer, state):
            sender = Sender(peer)
            account = Account(alice, state, sender)
            sender.send(1)
            mediator.kill()
            mediator.start_again()
            account.begin_again()
            sender.send(20)
            account.settle(kills=1, may_lose=1)
            assert "0" not in account.told()
            mediator.kill()
            mediator.start_again()
            sender.send(20)
            account.settle_again(may_lose=1)
