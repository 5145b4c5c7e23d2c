"""Messages without end to a client, and the account of all of them."""

from __future__ import annotations

import contextlib
import queue
import threading
import urllib.error
from collections import Counter
from collections.abc import Iterator
from typing import Any

from alice import Alice, AliceError, wait_until
from envelope import JSON, forward, pack
from peer import Peer, message, post

PATIENCE = 180
PAUSE = 0.03
"""Seconds between two messages."""


class Met(Peer):
    """A peer that Alice is connected with. It notes the answers to its pings."""

    their_request: JSON

    def __init__(self) -> None:
        self._answers: Counter[str] = Counter()
        super().__init__()

    def answers(self) -> Counter[str]:
        """The number of answers to each ping so far."""
        with contextlib.suppress(queue.Empty):
            while True:
                plain, _ = self._inbox.get_nowait()
                if plain["@type"].endswith("ping_response"):
                    self._answers[plain["~thread"]["thid"]] += 1
        return self._answers


@contextlib.contextmanager
def meet(alice: Alice) -> Iterator[tuple[Met, Any]]:
    """Connects Alice with a peer, as "peer". Yields the peer, and Alice's connection as text."""
    with Met() as peer:
        alice.accept("peer", peer.invitation())
        peer.their_request, _ = peer.receive("connections/1.0/request")
        peer.send(peer.response(peer.their_request), peer.their_request, peer.key)
        alice.complete("peer")
        peer.receive_confirmation()
        yield peer, alice.ask("serialize", "peer")


class Sender:
    """Sends messages to Alice, every tenth of them a ping, until it has to end. A message that was not taken is sent again."""

    def __init__(self, peer: Met, pause: float = PAUSE) -> None:
        self.peer, self._pause = peer, pause
        self.texts: list[str] = []
        self.pings: list[str] = []
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Sender:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def end(self) -> None:
        """Returns when the last message has been taken."""
        self._ends.set()
        self._thread.join()

    def send(self, count: int) -> None:
        """Sends so many messages now."""
        for _ in range(count):
            self._send_next()

    def _run(self) -> None:
        while not self._ends.wait(self._pause):
            self._send_next()

    def _send_next(self) -> None:
        text = f"{len(self.texts)}"
        if len(self.texts) % 10 == 9:
            plain = message("trust_ping/1.0/ping", comment=text, response_requested=True)
            self.pings.append(plain["@id"])
        else:
            plain = message("basicmessage/1.0/message", content=text, sent_time="2026-01-01 00:00:00Z")
        self._deliver(plain)
        self.texts.append(text)

    def _deliver(self, plain: JSON) -> None:
        service = self.peer.their_request["connection"]["DIDDoc"]["service"][0]
        recipient = service["recipientKeys"][0]
        envelope = pack(plain, [recipient], self.peer.key)
        pause = threading.Event()
        while True:
            try:
                post(service["serviceEndpoint"], forward(envelope, recipient, service.get("routingKeys", [])))
                return
            except (OSError, urllib.error.URLError):
                pause.wait(0.05)


class Account:
    """Alice's book of messages, which outlives her processes."""

    def __init__(self, alice: Alice, state: Any, sender: Sender) -> None:
        self.alice, self._state, self._sender = alice, state, sender
        self._file = alice.home / "account"
        alice.stop()

    def begin_again(self) -> None:
        """A new process, whose library begins to work as this returns."""
        self.alice.start()
        self.alice.ask("vcx", "vcx_version")
        self.alice.post("init", self.alice.config)
        self.alice.post("deserialize", "peer", self._state)
        self.alice.post("keep_account", str(self._file), "peer")

    def settle(self, kills: int, patience: float = PATIENCE, may_lose: int = 0) -> None:
        """Waits until all messages are read, and checks the account. The mediator may have lost so many."""
        for command in ("init", "deserialize", "keep_account"):
            self.alice.answer(command)
        self.settle_again(kills, patience, may_lose)

    def settle_again(self, kills: int = 0, patience: float = PATIENCE, may_lose: int = 0) -> None:
        """The same, later with the same process."""
        texts, pings = self._sender.texts, self._sender.pings
        wait_until("all messages", lambda: len(set(texts) - self.told().keys()) <= may_lose, patience)
        wait_until("all to be read", self._has_read_all, patience)
        wait_until("all answers", lambda: len(set(pings) - self._sender.peer.answers().keys()) <= may_lose, patience)
        assert self.told().keys() <= set(texts)
        assert {text: uids for text, uids in self.told().items() if len(uids) != 1} == {}
        assert self._repeated() == []
        # A process that ends between an answer and its note answers again.
        answers = self._sender.peer.answers()
        assert answers.keys() <= set(pings) and answers.total() - len(answers) <= kills

    def _has_read_all(self) -> bool:
        """False also if the Cloud Agent cuts its answer off: a program asks again then."""
        try:
            return not self.alice.ask("download", "peer", "MS-103")
        except AliceError as error:
            if error.code != 1010:
                raise
            return False

    def _lines(self) -> list[list[str]]:
        return [line.split() for line in self._file.read_text().splitlines()] if self._file.exists() else []

    def told(self) -> dict[str, set[str]]:
        """The ids under which each text was told."""
        found: dict[str, set[str]] = {}
        for _, uid, text in self._lines():
            found.setdefault(text, set()).add(uid)
        return found

    def _repeated(self) -> list[str]:
        """The texts that were told although they had been read."""
        read: set[str] = set()
        repeated = []
        for what, uid, text in self._lines():
            if what == "read":
                read.add(uid)
            elif uid in read:
                repeated.append(text)
        return repeated
