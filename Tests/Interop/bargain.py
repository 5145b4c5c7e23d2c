"""Four agents that know each other, and the exchanges among them."""

from __future__ import annotations

import contextlib
import pathlib
import random
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import registry_ledger
from acapy import python
from agency import Agency
from alice import Alice, wait_until
from bargainer import Bargainer
from bargaining import BAD, GOOD, PARTNERS, REFUSALS, AcapySide, LibrarySide, Program, Side
from holder import VALUES, library
from issuing import DID

AT_ONCE = 6
"""The number of exchanges beside each other."""
PATIENCE = 90.0
"""Seconds without any change, after which an exchange counts as stuck."""
COUNTERS = 3
"""The number of proposals that answer offers or requests, in one exchange."""
DIDS = {"alice": DID, "bob": "Th7MpTaRZVRYnPiabds81Y"}
SEEDS = {"0.12": "000000000000000000000000Faber012", "1.7": "000000000000000000000000Faber017"}
FORMATS = {"0.12": "hlindy", "1.7": "anoncreds"}


@contextlib.contextmanager
def gathered(folder: pathlib.Path) -> Iterator[tuple[list[Program], list[Bargainer]]]:
    """Two programs with the library, and each version of ACA-Py. All are connected, and read each other's objects."""
    for version in SEEDS:
        python(version)
    written, ledger = folder / "registry", folder / "ledger" / "ledger.jsonl"
    ledger.parent.mkdir()
    registries = [
        {"type": "file", "path": str(written), "write": True},
        {"type": "file", "path": str(ledger.parent / "registry")},
    ]
    with contextlib.ExitStack() as stack:
        agency = stack.enter_context(Agency(folder / "agency"))
        programs = []
        for name, did in DIDS.items():
            alice = stack.enter_context(Alice(folder / name))
            alice.provision(agency.provisioning())
            more = {"institution_did": did, "anoncreds_registries": registries}
            alice.config = {**alice.config, "anoncreds_library_path": library("libanoncreds.so"), **more}
            programs.append(Program(name, alice, did))
        _define(programs)
        registry_ledger.copy(written, ledger)
        agents = [Bargainer("Faber", folder / version, version, ledger, seed) for version, seed in SEEDS.items()]
        # The agents end with the threads that have started them.
        pool = stack.enter_context(ThreadPoolExecutor(len(agents)))
        list(pool.map(stack.enter_context, agents))
        yield programs, agents


def _define(programs: Sequence[Program]) -> None:
    """Publishes a definition of each, side by side."""
    for program in programs:
        program.alice.restart()
        program.alice.post("define", "degree", sorted(VALUES), {})
    for program in programs:
        program.alice.answer("define")
        program.keep("definition", "degree")


class Exchange:
    """An exchange and its history. The first side has begun it."""

    def __init__(self, sides: tuple[Side, Side]) -> None:
        self.sides, self.changed = sides, time.monotonic()
        self.counters, self._begun = 0, self.changed
        self._history: list[str] = []

    def note(self, side: Side, words: str) -> None:
        self._history.append(f"  {time.monotonic() - self._begun:7.2f} {side.name}: {words}")

    def look(self, side: Side) -> None:
        before = side.state
        try:
            side.look()
        except REFUSALS as error:
            self.note(side, f"cannot look: {str(error)[:300]}")
        if side.state != before:
            self.changed = time.monotonic()
            self.note(side, f"{before} -> {side.state}")

    @property
    def is_over(self) -> bool:
        return all(side.end for side in self.sides)

    @property
    def agrees(self) -> bool:
        first, second = (side.end for side in self.sides)
        return first == second and first in (GOOD, BAD)

    def __str__(self) -> str:
        ends = ", ".join(f"{side.name}: {side.end or 'open'}" for side in self.sides)
        return "\n".join([ends, *self._history])


class Market:
    """The agents, and the exchanges that go on among them."""

    def __init__(self, programs: list[Program], agents: list[Bargainer], lot: random.Random) -> None:
        self.programs, self.agents, self.lot = programs, agents, lot
        self.open: list[Exchange] = []
        self.filed: list[Exchange] = []
        self.ends: Counter[str] = Counter()
        self.kinds: Counter[str] = Counter()
        self.steps: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self._count = 0
        self._connections: dict[tuple[str, str], str] = {}
        self._connect()
        self.definitions = self._defined()
        self._give()

    # The agents

    def _connect(self) -> None:
        alice, bob = self.programs
        bob.alice.accept("alice", alice.alice.invite("bob", "oob", "didexchange/1.0"))
        both = (alice.alice, "bob"), (bob.alice, "alice")
        wait_until("both to be connected", lambda: [who.ask("update", peer) for who, peer in both] == [4, 4], 30)
        for program in self.programs:
            for agent in self.agents:
                made = agent.invite("oob", handshake=("didexchange/1.0",))
                program.alice.accept(agent.version, made["invitation"])
                program.alice.complete(agent.version, 30)
                self._connections[program.name, agent.version] = agent.wait_for_state(made, "active", 30)
        for program in self.programs:
            for peer in [*(each.version for each in self.agents), *({*DIDS} - {program.name})]:
                program.keep("connection", peer)

    def _defined(self) -> dict[str, str]:
        """The ids of the definitions, by the names of the issuers."""
        made = {each.name: str(each.alice.ask("tell", "definition", "degree", "id")) for each in self.programs}
        return made | {agent.version: agent.define(VALUES) for agent in self.agents}

    def _give(self) -> None:
        """Each agent gets a credential, so that it can prove something."""
        for holder in [*self.definitions]:
            issuer = self._first_definition_for(holder)
            self._begin(issuer, holder, "issuer", self.lot.choice(self._versions(issuer, holder)))
        self._close()
        assert self.ends[GOOD] == len(self.definitions), "\n\n".join(map(str, self.filed))

    @staticmethod
    def _first_definition_for(holder: str) -> str:
        """The issuer of the credential that a holder has from the beginning."""
        return "bob" if holder == "alice" else "alice"

    def _versions(self, *names: str) -> list[int]:
        return [2] if "1.7" in names else [1, 2]

    # Exchanges

    def run(self, seconds: float) -> None:
        """Begins exchanges for some time, and lets all come to their ends."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if len(self.open) < AT_ONCE:
                self._begin_any()
            self._go_on(self.lot.choice(self.open))
            if self.lot.random() < 0.004:
                self.lot.choice(self.programs).restart()
        self._close()

    def _begin_any(self) -> None:
        program = self.lot.choice(self.programs).name
        peer = self.lot.choice([each for each in self.definitions if each != program])
        first, second = self.lot.sample([program, peer], 2)
        role, version = self.lot.choice([*PARTNERS]), self.lot.choice(self._versions(first, second))
        if role == "holder" and version == 1 and second in SEEDS:
            role = "prover"  # ACA-Py would offer on a thread of its own
        self._begin(first, second, role, version)

    def _begin(self, first: str, second: str, role: str, version: int) -> None:
        self._count += 1
        roles = {first: role, second: PARTNERS[role]}
        proving = next((name for name in roles if roles[name] == "prover"), None)
        author = self._first_definition_for(proving) if proving else next(n for n in roles if roles[n] == "issuer")
        sides = (
            self._side(first, second, roles[first], version, self.definitions[author]),
            self._side(second, first, roles[second], version, self.definitions[author]),
        )
        exchange = Exchange(sides)
        self.open.append(exchange)
        self.kinds[f"{role} begins"] += 1
        thread = sides[0].begin()
        exchange.note(sides[0], f"begins {version}.0, {sides[0].state}, thread {thread}")
        sides[1].join(thread)

    def _side(self, name: str, peer: str, role: str, version: int, definition: str) -> Side:
        values = {**VALUES, "age": str(self._count)}
        for agent in self.agents:
            if agent.version == name:
                return AcapySide(agent, self._connections[peer, name], role, version, definition, values)
        program = next(each for each in self.programs if each.name == name)
        format = FORMATS.get(peer) or self.lot.choice(["hlindy", "anoncreds"])
        form = {"version": f"{version}.0", "format": format if version == 2 else "hlindy"}
        return LibrarySide(program, peer, role, f"exchange {self._count}", definition, values, form)

    def _go_on(self, exchange: Exchange, closing: bool = False) -> None:
        """One side looks, and makes a move if it has one."""
        side, other = self.lot.sample(exchange.sides, 2)
        exchange.look(side)
        if moves := side.moves():
            self._move(exchange, side, other, moves[0] if closing else self._chosen(exchange, side, moves))
        if exchange.is_over:
            self._file(exchange)
        elif time.monotonic() - exchange.changed > PATIENCE:
            exchange.note(side, "is stuck")
            self._file(exchange)

    def _chosen(self, exchange: Exchange, side: Side, moves: Sequence[str]) -> str:
        if len(moves) == 1:
            return moves[0]
        acapy = [each for each in exchange.sides if isinstance(each, AcapySide)]
        # In version 1 ACA-Py would offer on a thread of its own.
        may_counter = exchange.counters < COUNTERS and not (side.role == "holder" and acapy and acapy[0].version == 1)
        weights = {"counter": 3 if may_counter else 0, "decline": 0.5, "refuse": 0.5, "": 12}
        return self.lot.choices(moves, [weights.get(each, 8) for each in moves])[0]

    def _move(self, exchange: Exchange, side: Side, other: Side, move: str) -> None:
        before = side.state
        try:
            how = side.move(move, self.lot)
        except REFUSALS as error:
            exchange.note(side, f"cannot {move}: {str(error)[:400]}")
            self.refused[f"{side.name} cannot {move}"] += 1
            return
        if not move:
            return
        self.steps[f"{move}, {how}" if how in ("twice", "killed", "hear", "again") else move] += 1
        if side.state != before:
            exchange.changed = time.monotonic()
        exchange.note(side, f"{move} ({how}) -> {side.state}")
        if move == "counter":
            exchange.counters += 1
            self._await_counter(exchange, other)
        if move == "propose" and how in ("again", "twice") and isinstance(other, AcapySide):
            self._await_repeated(exchange, other)

    def _await_repeated(self, exchange: Exchange, other: AcapySide) -> None:
        """ACA-Py has two records of a proposal that comes twice; a look deletes the second one."""
        end = time.monotonic() + 1
        while time.monotonic() < end:
            exchange.look(other)
            time.sleep(0.1)

    def _await_counter(self, exchange: Exchange, other: Side) -> None:
        """ACA-Py confuses the records of a thread, unless only one is left when the next message comes."""
        end = time.monotonic() + 5
        while isinstance(other, AcapySide) and not other.end and other.state != "proposal-received":
            exchange.look(other)
            if time.monotonic() > end:
                return
            time.sleep(0.1)

    def _close(self) -> None:
        while self.open:
            self._go_on(self.lot.choice(self.open), closing=True)

    def _file(self, exchange: Exchange) -> None:
        self.open.remove(exchange)
        self.filed.append(exchange)
        if exchange.agrees:
            self.ends[str(exchange.sides[0].end)] += 1
        for side in exchange.sides:
            if isinstance(side, LibrarySide):
                side.release()

    @property
    def disagreements(self) -> list[Exchange]:
        return [each for each in self.filed if not each.agrees]

    def account(self) -> str:
        ends = f"{self.ends[GOOD]} reached their goals, {self.ends[BAD]} ended with a report"
        kills = sum(each.kills for each in self.programs)
        restarts = sum(each.restarts for each in self.programs)
        return (
            f"{ends}, {len(self.disagreements)} disagree; {kills} kills, {restarts} restarts\n"
            f"{dict(sorted(self.kinds.items()))}\n{dict(sorted(self.steps.items()))}\n"
            f"{dict(sorted(self.refused.items()))}"
        )
