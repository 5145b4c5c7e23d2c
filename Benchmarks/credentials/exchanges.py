#!/usr/bin/env python3
"""Whole issuances and verifications, many at the same time: msdk beside ACA-Py 0.12.8, each with the same holder, and beside
the AnonCreds engine alone.

    exchanges.py --engine PYTHON [--count N] [--rounds N]

PYTHON is that of the environment with the engine's own package (`scripts/setup credentials`).

Counts the time of the processor that the issuer and verifier takes for an exchange: its process, and for msdk also the agency
that keeps its mailbox. The holder is a program with msdk for both, with an agency of its own. Prints tables in Markdown.
Needs the release build, and `scripts/setup acapy credentials tests`.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import contextlib
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from typing import Any, Protocol

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "tools" / "peers"))
sys.dont_write_bytecode = True

from agency import Agency  # noqa: E402
from process import PeerError, spawn, stop  # noqa: E402
from verifier import Verifier  # noqa: E402

VALUES = {"name": "Alice Andersen", "age": "28", "degree": "Maths"}
TICKS = os.sysconf("SC_CLK_TCK")
KEY = "8dvfYSt5d1taSd6yJdpjq4emkwsPDDLYxkNFysFD2cZY"
SETTLING = 3.0
"""Seconds after the last message, in which the last work is done."""


def processor_seconds(processes: list[subprocess.Popen[bytes]]) -> float:
    """The time of the processor that processes have taken so far."""
    total = 0.0
    for process in processes:
        fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
        total += (int(fields[11]) + int(fields[12])) / TICKS
    return total


class Program:
    """A process of party.py."""

    def __init__(self, name: str, folder: pathlib.Path, registry: pathlib.Path, writes: bool = False) -> None:
        self.folder = folder / name
        self.agency = Agency(self.folder / "agency")
        self.registry = {"type": "file", "path": str(registry), "write": writes}

    def __enter__(self) -> Program:
        self.agency.start()
        path = os.pathsep.join([str(ROOT / "bindings" / "python"), str(HERE)])
        environment = {**os.environ, "HOME": str(self.folder), "PYTHONPATH": path}
        command = [sys.executable, str(HERE / "party.py")]
        self.log = self.folder / "log"
        self.process = spawn(command, log=self.log, env=environment, piped=True, fed=True)
        wallet = {"wallet_name": "w", "wallet_key": KEY, "wallet_key_derivation": "RAW", "institution_name": "X"}
        self.ask("begin", self.agency.provisioning(**wallet), {"anoncreds_registries": [self.registry]})
        return self

    def __exit__(self, *_: object) -> None:
        stop(self.process)
        self.agency.stop()

    def ask(self, *command: Any) -> Any:
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(json.dumps(command).encode() + b"\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise PeerError(f"{command[0]}: the process ended", self.log)
        return json.loads(line)


def together(*parts: Callable[[], Any]) -> None:
    """Runs parts at the same time, and raises the error of one that fails."""
    with concurrent.futures.ThreadPoolExecutor(len(parts)) as pool:
        for each in [pool.submit(part) for part in parts]:
            each.result()


class Peer(Protocol):
    """An issuer and verifier that is measured."""

    processes: list[subprocess.Popen[bytes]]
    definition: str

    def issue(self, count: int) -> None: ...

    def verify(self, count: int) -> None: ...


class Msdk:
    def __init__(self, program: Program, holder: Program) -> None:
        self.program = program
        invitation = program.ask("invite")
        holder.ask("accept", invitation)
        together(lambda: program.ask("complete"), lambda: holder.ask("complete"))
        self.definition = str(program.ask("define", list(VALUES)))
        assert program.agency.process is not None
        self.processes = [program.process, program.agency.process]

    def issue(self, count: int) -> None:
        self.program.ask("issue", count, VALUES)

    def verify(self, count: int) -> None:
        self.program.ask("verify", count, self.definition)


class Plain(Verifier):
    """An ACA-Py agent without the events that only tests read."""

    def _arguments(self, inbound: int, admin: int) -> list[str]:
        arguments = [each for each in super()._arguments(inbound, admin) if each != "--monitor-ping"]
        hooks = arguments.index("--webhook-url")
        return arguments[:hooks] + arguments[hooks + 2 :]


class Acapy:
    def __init__(self, agent: Verifier, holder: Program) -> None:
        self.agent = agent
        invitation = agent.invite("oob", handshake=("didexchange/1.0",))
        holder.ask("accept", invitation["invitation"])
        holder.ask("complete")
        record = agent.call("GET", "/connections", invitation_msg_id=invitation["invi_msg_id"])["results"][0]
        self.connection = str(record["connection_id"])
        self.definition = agent.define(VALUES)
        assert agent.process is not None
        self.processes = [agent.process]

    def issue(self, count: int) -> None:
        self._together(count, lambda _: self.agent.offer(self.connection, self.definition, VALUES))

    def verify(self, count: int) -> None:
        here = [{"cred_def_id": self.definition}]
        name = {"name": {"name": "name", "restrictions": here}}
        age = {"age": {"name": "age", "p_type": ">=", "p_value": 18, "restrictions": here}}
        request = {"requested_attributes": name, "requested_predicates": age}
        self._together(count, lambda _: self.agent.request_proof(self.connection, request))

    @staticmethod
    def _together(count: int, begin: Callable[[int], object]) -> None:
        with concurrent.futures.ThreadPoolExecutor(16) as pool:
            list(pool.map(begin, range(count)))


class Engine:
    """The process of engine.py."""

    def __init__(self, python: str) -> None:
        command = [python, str(HERE / "engine.py"), json.dumps(VALUES)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.communicate(timeout=60)

    def milliseconds(self, kind: str, count: int) -> float:
        """The time of the processor for one."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(f"{kind} {count}\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())


def measured(peer: Peer, work: Callable[[int], None], holding: Callable[[], Any], count: int) -> tuple[float, float]:
    """Milliseconds of the processor for an exchange, and exchanges in a second of the clock."""
    before, begin = processor_seconds(peer.processes), time.monotonic()
    together(lambda: work(count), holding)
    seconds = time.monotonic() - begin
    time.sleep(SETTLING)
    return (processor_seconds(peer.processes) - before) / count * 1000, count / seconds


@contextlib.contextmanager
def msdk(folder: pathlib.Path) -> Iterator[tuple[Msdk, Program]]:
    registry = folder / "registry"
    with Program("issuer", folder, registry, writes=True) as issuer, Program("holder", folder, registry) as holder:
        yield Msdk(issuer, holder), holder


@contextlib.contextmanager
def acapy(folder: pathlib.Path) -> Iterator[tuple[Peer, Program]]:
    with Plain("Faber", folder / "agent") as agent, Program("holder", folder, agent.registry) as holder:
        yield Acapy(agent, holder), holder


def main() -> None:
    parser = argparse.ArgumentParser(description="Issuances and verifications beside ACA-Py.")
    parser.add_argument("--engine", required=True, help="the Python of the environment with the engine's package")
    parser.add_argument("--count", type=int, default=16, help="exchanges at the same time")
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    count: int = arguments.count
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="msdk-bench-")))
        peers: dict[str, tuple[Peer, Program]] = {"msdk": stack.enter_context(msdk(folder / "msdk"))}
        peers["ACA-Py 0.12.8"] = stack.enter_context(acapy(folder / "acapy"))
        engine = stack.enter_context(Engine(arguments.engine))
        found: dict[tuple[str, str], list[tuple[float, float]]] = {}
        alone: dict[str, list[float]] = {}
        for _ in range(arguments.rounds):  # in turns, since the machine is not always as fast
            for name, (peer, holder) in peers.items():
                for kind, work, part in (("issuance", peer.issue, "hold"), ("verification", peer.verify, "prove")):
                    measure = measured(peer, work, lambda: holder.ask(part, count), count)
                    found.setdefault((kind, name), []).append(measure)
            for kind in KINDS:
                alone.setdefault(kind, []).append(engine.milliseconds(kind, count))
    show(found, alone, count)


KINDS = ["issuance", "verification"]
LEAST = 0.95
"""The goal: as many as this share of what the engine alone does in the same time of the processor."""
BY_THE_CLOCK = {"issuance": 2.0, "verification": 1.5}
"""The goal: so many times as many by the clock as ACA-Py in the same run."""


def show(
    found: dict[tuple[str, str], list[tuple[float, float]]], alone: dict[str, list[float]], count: int
) -> None:
    """Prints the medians, and the verdicts on the goals."""
    print(f"\n| {count} at the same time | ms of the processor for one | by the clock, in a second |\n|---|---|---|")
    cost = {key: statistics.median(each[0] for each in rounds) for key, rounds in found.items()}
    pace = {key: statistics.median(each[1] for each in rounds) for key, rounds in found.items()}
    for kind, name in sorted(found):
        print(f"| {kind}, {name} | {cost[kind, name]:.1f} | {pace[kind, name]:.1f} |")
    for kind in KINDS:
        engine = statistics.median(alone[kind])
        print(f"| {kind}, the engine alone | {engine:.1f} | |")
    for kind in KINDS:
        own, engine = cost[kind, "msdk"], statistics.median(alone[kind])
        verdict = "met" if engine / own >= LEAST else "MISSED"
        print(f"\n{verdict:7} {kind}: {engine / own:.1%} of the engine alone, goal {LEAST:.0%};", end=" ")
        print(f"{cost[kind, 'ACA-Py 0.12.8'] / own:.2f} times ACA-Py")
        ratio = pace[kind, "msdk"] / pace[kind, "ACA-Py 0.12.8"]
        verdict = "met" if ratio >= BY_THE_CLOCK[kind] else "MISSED"
        print(f"{verdict:7} {kind} by the clock: {ratio:.2f} times ACA-Py, goal {BY_THE_CLOCK[kind]}")


if __name__ == "__main__":
    main()
