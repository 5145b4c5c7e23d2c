"""msdk processes against a local msdk-agency: handshakes, downloads, polling, and how their cost grows.

The measured process, the guest, has a processor of its own; the agency and the other side share another. Figures are the
time of the guest's processor. Everything is on 127.0.0.1.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import pathlib
import signal
import statistics
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from typing import IO, NamedTuple, Protocol

KEY = "8dvfYSt5d1taSd6yJdpjq4emkwsPDDLYxkNFysFD2cZY"
LIMITS = {
    "mailbox_messages": 100_000, "mailbox_bytes": 2_000_000_000, "mailboxes": 100_000, "body_bytes": 8 << 20,
}  # fmt: skip


class Emit(Protocol):
    """Writes a figure."""

    def __call__(self, metric: str, value: float, unit: str, peer: str = "msdk") -> None: ...


def milliseconds(process: subprocess.Popen[str]) -> float:
    """The time that the threads of a process have had of the processor. Those of the servers here do not end."""
    threads = pathlib.Path(f"/proc/{process.pid}/task").glob("*/schedstat")
    return sum(int(thread.read_text().split()[0]) for thread in threads) / 1e6


def server(command: list[str | pathlib.Path], log: IO[str] | None = None) -> subprocess.Popen[str]:
    """Starts a server on the servers' processor."""
    pinned = ["taskset", "--cpu-list", "0", *command]
    return subprocess.Popen(pinned, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True)


class Agent:
    """A process of agent.c."""

    def __init__(self, program: pathlib.Path, processor: int) -> None:
        self.process = subprocess.Popen(
            ["taskset", "--cpu-list", str(processor), program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.milliseconds = 0.0

    def __call__(self, *words: object) -> str:
        """Does a command. Returns its result, and keeps the time of its processor."""
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(" ".join(map(str, words)) + "\n")
        self.process.stdin.flush()
        error, _, processor, result = self.process.stdout.readline().rstrip("\n").split("\t", 3)
        if error != "0":
            raise RuntimeError(f"{words[0]}: error {error}")
        self.milliseconds = int(processor) / 1e6
        return result

    def quit(self) -> None:
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait(60)


class World:
    """An agency, a host and a guest."""

    def __init__(self, programs: pathlib.Path, driver: pathlib.Path, folder: str) -> None:
        os.makedirs(f"{folder}/agency")
        config = {"data": f"{folder}/agency", "port": 0, "limits": LIMITS}
        pathlib.Path(folder, "agency.json").write_text(json.dumps(config))
        with open(f"{folder}/agency.log", "w") as log:
            self.agency = server([programs / "msdk-agency", "--config", f"{folder}/agency.json"], log)
        assert self.agency.stdout
        self.address = json.loads(self.agency.stdout.readline())
        self.folder, self.driver = folder, driver
        self.host, self.guest = self.agent("host", 0), self.agent("guest", 1)

    def agent(self, name: str, processor: int) -> Agent:
        agent = Agent(self.driver, processor)
        config = {
            "agency_endpoint": self.address["endpoint"], "agency_did": self.address["did"],
            "agency_verkey": self.address["verkey"], "wallet_name": name, "wallet_key": KEY,
            "wallet_key_derivation": "RAW", "institution_name": name,
            "storage_config": {"path": f"{self.folder}/wallets"},
        }  # fmt: skip
        agent("init", agent("provision", json.dumps(config)))
        return agent

    def connect(self) -> tuple[str, str, float]:
        """A new connection: the handles of both sides, and the milliseconds of the guest's part."""
        ours, invitation = self.host("invite").split(" ", 1)
        theirs, spent = self.guest("accept", invitation), self.guest.milliseconds
        self.guest("connect", theirs)
        spent += self.guest.milliseconds
        while self.host("update", ours) not in ("3", "4"):
            pass
        for _ in range(50):
            state = self.guest("update", theirs)
            spent += self.guest.milliseconds
            if state == "4":
                break
        self.host("update", ours)
        return ours, theirs, spent

    def stop(self) -> None:
        for agent in (self.host, self.guest):
            agent.quit()
        self.agency.send_signal(signal.SIGTERM)
        self.agency.wait(30)


@contextlib.contextmanager
def world(programs: pathlib.Path, driver: pathlib.Path) -> Iterator[World]:
    with tempfile.TemporaryDirectory(prefix="bench-network-") as folder:
        made = World(programs, driver, folder)
        try:
            yield made
        finally:
            made.stop()


class ForwardingFloor(NamedTuple):
    """The process of forward.c."""

    process: subprocess.Popen[str]
    port: int


@contextlib.contextmanager
def forwarding_floor(program: pathlib.Path, folder: str) -> Iterator[ForwardingFloor]:
    process = server([program, folder])
    assert process.stdout
    try:
        yield ForwardingFloor(process, int(process.stdout.readline()))
    finally:
        process.communicate(timeout=30)


def forwards(floor: ForwardingFloor, emit: Emit, count: int) -> None:
    """The floor of `agency.forward_cpu`: requests as long as those with a message of 1 KB."""
    client = http.client.HTTPConnection("127.0.0.1", floor.port)
    for part in parts(count):
        before = milliseconds(floor.process)
        for _ in range(part):
            client.request("POST", "/", b"m" * 5380)
            response = client.getresponse()
            response.read()
            if response.status != 202:
                raise RuntimeError("the floor refuses a message")
        emit(f"agency.forward_cpu.{count}", (milliseconds(floor.process) - before) / part, "ms/op", "floor")
    client.close()


def repeated(work: Callable[[], object], agent: Agent, count: int) -> float:
    """The median of the agent's milliseconds."""
    times = []
    for _ in range(count):
        work()
        times.append(agent.milliseconds)
    return statistics.median(times)


def handshakes(w: World, emit: Emit, count: int) -> None:
    """Three turns, of which the best counts."""
    w.connect()
    for _ in range(3):
        before = milliseconds(w.agency)
        emit("connection.handshake.client_cpu", statistics.median(w.connect()[2] for _ in range(count)), "ms/op")
        emit("connection.handshake.agency_cpu", (milliseconds(w.agency) - before) / count, "ms/op")


def parts(count: int) -> list[int]:
    """A number in three parts, or in one if it is small: the best part counts."""
    third = count // 3
    return [third, third, count - 2 * third] if count >= 300 else [count]


def first_polls(w: World, text: str, count: int) -> float:
    """The median of the guest's milliseconds for the first poll of a restored connection."""
    times = []
    for _ in range(count):
        restored = w.guest("deserialize", text)
        w.guest("update", restored)
        times.append(w.guest.milliseconds)
        w.guest("release", restored)
    return statistics.median(times)


def mailboxes(w: World, emit: Emit, sizes: list[int]) -> None:
    """More and more unread messages of 1 KB in a mailbox: downloads, and polls of the connection.

    The first download decrypts the new messages. Further ones take them from memory, up to the 4,096 that a process keeps. A look is
    at a message that no process has looked at before.
    """
    ours, theirs, _ = w.connect()
    did, text = w.guest("did", theirs), w.guest("serialize", theirs)
    waiting = 0
    for size in sizes:
        new = size - waiting
        for part in parts(new):
            before = milliseconds(w.agency)
            w.host("send", ours, part, 1000)
            emit(f"agency.forward_cpu.{size}", (milliseconds(w.agency) - before) / part, "ms/op")
        waiting = size
        w.guest("download", "MS-103", did)
        emit(f"growth.mailbox.first_download.{size}", w.guest.milliseconds / new, "ms/op")
        if size == 1000:
            emit("mailbox.decrypt", 1000 * new / w.guest.milliseconds, "op/s")
        for _ in range(5):
            w.guest("download", "MS-103", did)
            emit(f"growth.mailbox.download.{size}", w.guest.milliseconds, "ms/op")
        restored = w.guest("deserialize", text)
        w.guest("update", restored)
        emit(f"growth.mailbox.look.{size}", w.guest.milliseconds / new, "ms/op")
        emit(f"growth.mailbox.poll.{size}", repeated(lambda: w.guest("update", restored), w.guest, 5), "ms/op")
        w.guest("release", restored)
        emit(f"growth.mailbox.first_poll.{size}", first_polls(w, text, 5), "ms/op")


def connections(w: World, emit: Emit, sizes: list[int]) -> None:
    """More and more connections of one wallet and one process."""
    _, theirs, _ = w.connect()
    made = 0
    for size in sizes:
        w.guest("many", size - made)
        emit(f"growth.wallet.connect.{size}", w.guest.milliseconds / (size - made), "ms/op")
        made = size
        polled = repeated(lambda: w.guest("update", theirs, 20), w.guest, 5) / 20
        emit(f"growth.wallet.poll.{size}", polled, "ms/op")
        w.guest("download", "MS-103", "-")
        emit(f"growth.wallet.download_of_all.{size}", w.guest.milliseconds, "ms/op")
