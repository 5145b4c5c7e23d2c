"""Messages that come without being asked for: a stand-in of Credo's mediator, ACA-Py as a mediator, and msdk-agency."""

from __future__ import annotations

import pathlib
from collections.abc import Iterator
from typing import Any

import pytest

from acapy import Agent, python
from agency import Agency
from alice import Alice, wait_until
from credo_mediator import CredoMediator, Rules
from mediator import Mediator
from process import PeerError

LIVE = {
    "bare envelopes": {"live": "bare"},
    "deliveries": {"live": "delivery"},
    "deliveries in base64": {"live": "delivery", "encoding": "base64url"},
    "a request without effect": {"live": "bare", "live_from_pings": True},
    "refused sockets": {"live": "bare", "refuses_sockets": True},
    "no socket": {},
}


def meet(faber: Agent, alice: Alice) -> str:
    """Connects Alice with Faber, who invites; returns the connection's id at Faber."""
    made = faber.invite()
    alice.accept("faber", made["invitation"])
    alice.complete("faber")
    return faber.wait_for_state(made, "active")


class Telling:
    """Messages to Alice, each of which she must be told of once."""

    def __init__(self, faber: Agent, alice: Alice, connection: str) -> None:
        self.faber, self.alice, self.connection = faber, alice, connection
        self.sent: list[str] = []

    def send(self, count: int) -> None:
        for _ in range(count):
            self.sent.append(f"message {len(self.sent)}")
            self.faber.send_message(self.connection, self.sent[-1])

    def arrive(self, timeout: float = 90) -> None:
        wait_until("all messages to be told", lambda: len(self.alice.heard()) >= len(self.sent), timeout)
        heard = self.alice.heard()
        assert [sum(f'"{text}"' in each for each in heard) for text in self.sent] == [1] * len(self.sent)
        assert len(heard) == len(self.sent)


@pytest.mark.parametrize("changes", LIVE.values(), ids=LIVE)
def test_each_message_is_told_once(faber: Agent, tmp_path: pathlib.Path, changes: dict[str, Any]) -> None:
    with CredoMediator(Rules(**changes)) as mediator, Alice(tmp_path) as alice:
        alice.provision(mediator.provisioning())
        telling = Telling(faber, alice, meet(faber, alice))
        telling.send(3)
        alice.ask("listen")
        telling.arrive()
        telling.send(5)
        telling.arrive()
        if mediator.rules.live == "delivery":
            wait_until("the acknowledgements", lambda: mediator.waiting == 0, 20)


@pytest.mark.parametrize("shape", ["bare", "delivery"])
def test_live_delivery_needs_no_request_for_messages(faber: Agent, tmp_path: pathlib.Path, shape: str) -> None:
    with CredoMediator(Rules(live=shape)) as mediator, Alice(tmp_path) as alice:
        alice.provision(mediator.provisioning())
        telling = Telling(faber, alice, meet(faber, alice))
        alice.ask("listen")
        wait_until("live delivery", lambda: mediator.live_clients == 1, 60)
        telling.send(1)
        telling.arrive()
        before = mediator.received.count("delivery-request")
        telling.send(10)
        telling.arrive()
        # The slow look beside the line may fall into this time.
        assert mediator.received.count("delivery-request") <= before + 1


@pytest.mark.parametrize("shape", ["bare", "delivery"])
def test_no_message_is_lost_when_sockets_are_cut(faber: Agent, tmp_path: pathlib.Path, shape: str) -> None:
    with CredoMediator(Rules(live=shape)) as mediator, Alice(tmp_path) as alice:
        alice.provision(mediator.provisioning())
        telling = Telling(faber, alice, meet(faber, alice))
        alice.ask("listen")
        for _ in range(5):
            wait_until("live delivery", lambda: mediator.live_clients == 1, 60)
            telling.send(1)
            telling.arrive()
            mediator.cut()
            wait_until("the end of live delivery", lambda: mediator.live_clients == 0 or mediator.sessions, 60)
            telling.send(1)
        telling.arrive()


def test_a_delivery_that_nobody_acknowledged_comes_again(faber: Agent, tmp_path: pathlib.Path) -> None:
    with CredoMediator(Rules(live="delivery")) as mediator, Alice(tmp_path) as alice:
        alice.provision(mediator.provisioning())
        connection, state = meet(faber, alice), alice.ask("serialize", "faber")
        alice.ask("listen")
        wait_until("live delivery", lambda: mediator.live_clients == 1, 60)
        alice.kill()
        faber.send_message(connection, "message 0")
        wait_until("the message at the mediator", lambda: mediator.waiting, 20)
        alice.start()
        alice.ask("init", alice.config)
        alice.ask("deserialize", "faber", state)
        alice.ask("listen")
        telling = Telling(faber, alice, connection)
        telling.sent = ["message 0"]
        telling.arrive()


@pytest.fixture(params=[("0.12", False), ("0.12", True), ("1.7", False)], ids=["0.12", "0.12, pickup 2.0", "1.7"])
def acapy_mediator(request: pytest.FixtureRequest, tmp_path: pathlib.Path) -> Iterator[Mediator]:
    version, pickup = request.param
    try:
        python(version)
    except PeerError as error:
        pytest.skip(error.what)
    with Mediator("Mediator", tmp_path / "mediator", version, pickup, sockets=True) as mediator:
        yield mediator


def test_acapy_delivers_over_a_websocket(acapy_mediator: Mediator, faber: Agent, tmp_path: pathlib.Path) -> None:
    with Alice(tmp_path) as alice:
        alice.provision(acapy_mediator.provisioning())
        assert alice.config["mediator_websocket"].startswith("ws://127.0.0.1:")
        telling = Telling(faber, alice, meet(faber, alice))
        telling.send(2)
        alice.ask("listen")
        telling.arrive()
        telling.send(10)
        telling.arrive()


def test_messages_come_after_the_agencys_restart(faber: Agent, tmp_path: pathlib.Path) -> None:
    with Agency(tmp_path / "agency") as agency, Alice(tmp_path) as alice:
        alice.provision(agency.provisioning())
        telling = Telling(faber, alice, meet(faber, alice))
        telling.send(2)
        alice.ask("listen")
        telling.arrive()
        agency.stop()
        agency.start()
        telling.send(5)
        telling.arrive()
