"""The sides of exchanges that go by lot: of programs with the library, which are killed between, and of ACA-Py."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Sequence
from typing import Any, Optional, Protocol

from alice import UNREAD, Alice, AliceError
from bargainer import Bargainer, Record
from process import PeerError

GOOD, BAD = "good", "bad"
"""The ends of a side: the exchange has reached its goal, or a problem report has ended it."""

PARTNERS = {"holder": "issuer", "issuer": "holder", "prover": "verifier", "verifier": "prover"}
DONE = 4
ENDED = (0, 9)
FIRST_MESSAGE = {
    "holder": "credential-offer", "issuer": "credential-proposal",
    "prover": "presentation-request", "verifier": "propose-presentation",
}
"""The kinds of the messages with which a peer begins an exchange with each role."""

LIBRARY_MOVES: dict[str, dict[int, Sequence[str]]] = {
    "holder": {1: ["propose"], 3: ["accept", "counter", "decline"], 10: ["", "decline"], 2: ["", "decline"]},
    "issuer": {1: ["offer"], 10: ["plan", "decline"], 2: ["", "decline"], 3: ["issue", "decline"]},
    "prover": {1: ["propose"], 2: ["", "decline"], 3: ["prove", "counter", "decline"]},
    "verifier": {1: ["send"], 2: ["", "decline"], 3: ["send", "decline"]},
}
"""By role and state. The first of each leads on; an empty name is to wait."""

ACAPY_MOVES: dict[str, dict[str, Sequence[str]]] = {
    "holder": {
        "offer-received": ["send-request", "refuse"], "credential-received": ["store", "refuse"],
        "proposal-sent": ["", "refuse"], "request-sent": ["", "refuse"],
    },
    "issuer": {
        "proposal-received": ["send-offer", "refuse"], "request-received": ["issue", "refuse"],
        "offer-sent": ["", "refuse"],
    },
    "prover": {"request-received": ["present", "refuse"], "proposal-sent": ["", "refuse"]},
    "verifier": {
        "proposal-received": ["send-request", "refuse"], "presentation-received": ["verify-presentation", "refuse"],
        "request-sent": ["", "refuse"],
    },
}
"""The same."""


class Side(Protocol):
    """One side of an exchange. `end` is nil while it goes on; `state` is in the words of the agent."""

    name: str
    role: str
    state: Any
    end: Optional[str]

    def begin(self) -> str:
        """Begins the exchange; returns its thread."""

    def join(self, thread: str) -> None:
        """Waits for the first message of a thread."""

    def look(self) -> None:
        """Takes up the messages that have come."""

    def moves(self) -> Sequence[str]:
        """The moves that the protocol permits, the one that leads on first."""

    def move(self, move: str, lot: random.Random) -> str:
        """Makes a move; returns how."""


class Program:
    """A program with the library, which stores each object after each step, and goes on with what it has stored."""

    def __init__(self, name: str, alice: Alice, did: str) -> None:
        self.name, self.alice, self.did = name, alice, did
        self.texts: dict[tuple[str, str], str] = {}
        self.kills, self.restarts = 0, 0

    def keep(self, kind: str, name: str) -> None:
        """Stores an object that another command has made."""
        self.texts[kind, name] = str(self.alice.ask("tell", kind, name, "serialize"))

    def make(self, kind: str, name: str, method: str, arguments: Any, options: Any = None) -> None:
        self.texts[kind, name] = str(self.alice.ask("make", kind, name, method, arguments, options))

    def step(self, kind: str, name: str, method: str, *arguments: Any) -> int:
        state, self.texts[kind, name] = self.alice.ask("step", kind, name, method, *arguments)
        return int(state)

    def dies_in(self, kind: str, name: str, method: str, *arguments: Any, after: float) -> int:
        """Begins a step, and ends as a phone without power some time after; goes on in another process."""
        self.alice.post("step", kind, name, method, *arguments)
        time.sleep(after)
        self.alice.kill()
        self.kills += 1
        self._go_on()
        return int(self.alice.ask("tell", kind, name, "state"))

    def forget(self, kind: str, name: str) -> None:
        self.alice.ask("forget", kind, name)
        del self.texts[kind, name]

    def restart(self) -> None:
        self.alice.stop()
        self.restarts += 1
        self._go_on()

    def _go_on(self) -> None:
        self.alice.start()
        self.alice.ask("init", self.alice.config)
        for (kind, name), text in self.texts.items():
            self.alice.ask("make", kind, name, "deserialize", [text])


class LibrarySide:
    """The side of a program. `peer` names the connection, `form` is that of the exchange if this side begins it."""

    def __init__(
        self, program: Program, peer: str, role: str, id: str, definition: str, values: dict[str, str], form: Any
    ) -> None:
        self.program, self.role, self.id, self.form = program, role, id, form
        self.name, self.over = f"{program.name} as {role}", {"connection": peer}
        self.definition, self.values = definition, values
        self.state: Any = None
        self.end: Optional[str] = None
        self._thread = ""
        self._first: Any = None
        self._interrupted = ""

    def begin(self) -> str:
        program, id = self.program, self.id
        if self.role == "holder":
            program.make("holder", id, "proposing", [self.values, self._filter, "please"], self.form)
        elif self.role == "issuer":
            program.make("issuer", id, "create", [{"definition": "degree"}, self.values, "Degree"], self.form)
        elif self.role == "prover":
            program.make("prover", id, "proposing", [self._preview, "please"], self.form)
        else:
            wanted = {"name": {"names": "name", "restrictions": [self._filter]}}
            program.texts["verifier", id] = str(program.alice.ask("want", id, wanted, self.form))
        self.state = program.alice.ask("tell", self.role, id, "state")
        return str(program.alice.ask("tell", self.role, id, "thread_id"))

    def join(self, thread: str) -> None:
        self._thread = thread

    def look(self) -> None:
        if self.end or self._interrupted:
            return
        if self.state is not None:
            self.state = self.program.step(self.role, self.id, "update_state")
        else:
            self._find_first_message()
        self._judge()

    def moves(self) -> Sequence[str]:
        if self._interrupted:
            return [self._interrupted]
        if self.end or self.role == "prover" and "PresentationSent" in self.program.texts.get(("prover", self.id), ""):
            return []
        return LIBRARY_MOVES[self.role].get(self.state, [])

    def move(self, move: str, lot: random.Random) -> str:
        """A program that was killed in the midst of a move repeats that move, before it does anything else: the peer may
        have got the message."""
        if not move:
            return "waits"
        program, how = self.program, lot.choices(["once", "twice", "killed", "hear"], [88, 4, 6, 2])[0]
        if self._interrupted:
            how = "again"
        before = program.texts[self.role, self.id]
        if how == "hear" and self._first is not None:
            self.state = program.step(self.role, self.id, "update_state_with_message", json.loads(self._first["text"]))
        if move == "prove" and how != "again":
            program.alice.ask("choose_first", self.id, {})
            program.keep(self.role, self.id)
        self._interrupted = move if how == "killed" else ""
        method, *arguments = self._call(move)
        if how == "killed":
            self.state = program.dies_in(self.role, self.id, method, *arguments, after=lot.uniform(0, 0.15))
        else:
            self.state = program.step(self.role, self.id, method, *arguments)
        if how == "twice" and move != "prove":
            program.make(self.role, self.id, "deserialize", [before])
            self.state = program.step(self.role, self.id, method, *arguments)
        self._judge()
        return how

    def _call(self, move: str) -> tuple[Any, ...]:
        """The method of the package that makes a move, and its arguments."""
        match self.role, move:
            case "holder", "counter":
                return "propose_instead", self.over, {**self.values, "degree": "Physics"}, self._filter
            case "issuer", "plan":
                return "plan", {"definition": "degree"}, self.values, "Degree"
            case "prover", "counter":
                return "decline", self.over, None, self._preview
            case "prover", "prove":
                return "send", self.over
            case _, "issue":
                return ("issue",)
            case _, "decline":
                return "decline", self.over, "not now"
            case _:
                return move, self.over

    def _find_first_message(self) -> None:
        kind = FIRST_MESSAGE[self.role]
        for each in self.program.alice.ask("download", self.over["connection"], UNREAD):
            if each["kind"] == kind and (content := json.loads(each["text"]))["@id"] == self._thread:
                if self.role in ("holder", "prover"):
                    self.program.make(self.role, self.id, "from_message", [self.over, each["uid"]])
                else:
                    method = "from_proposal"
                    self.program.make(self.role, self.id, method, [content])
                self.program.alice.ask("mark_read", each)
                self._first = each
                self.state = self.program.alice.ask("tell", self.role, self.id, "state")
                return

    def _judge(self) -> None:
        """An issuer is done with the holder's ack; an end without a goal has a report."""
        if self.state == DONE:
            done = self.role != "issuer" or '"Finished"' in self.program.texts["issuer", self.id]
            self.end = GOOD if done else None
        elif self.state in ENDED:
            report = self.program.alice.ask("tell", self.role, self.id, "problem_report")
            self.end = BAD if report else f"state {self.state} without a report"

    @property
    def _filter(self) -> dict[str, str]:
        return {"cred_def_id": self.definition}

    @property
    def _preview(self) -> str:
        return json.dumps({"attributes": [{"name": "name", "cred_def_id": self.definition}]})

    def release(self) -> None:
        if (self.role, self.id) in self.program.texts:
            self.program.forget(self.role, self.id)


class AcapySide:
    """The side of an ACA-Py agent. It knows its report of a problem by having sent it: ACA-Py takes an exchange up again
    if a message comes after."""

    def __init__(
        self, agent: Bargainer, connection: str, role: str, version: int, definition: str, values: dict[str, str]
    ) -> None:
        self.agent, self.connection, self.role, self.version = agent, connection, role, version
        self.name = f"ACA-Py {agent.version} as {role}"
        self.definition, self.values = definition, values
        self.state: Any = None
        self.end: Optional[str] = None
        self._thread = ""
        self._record: Optional[Record] = None

    def begin(self) -> str:
        agent, role, version = self.agent, self.role, self.version
        content = (
            agent.credential(role, self.definition, self.values, version)
            if role in ("holder", "issuer")
            else agent.proof(role, self.definition, version)
        )
        self._take(agent.begin(role, self.connection, version, content))
        assert self._record is not None
        self._thread = self._record.thread
        return self._thread

    def join(self, thread: str) -> None:
        self._thread = thread

    def look(self) -> None:
        """Of several records one stays: ACA-Py makes another one for each proposal, and confuses them. It is the newest, or
        the first one of a proposal that has come twice."""
        if self.end:
            return
        found = self.agent.records(self.role, self.connection, self.version, self._thread)
        found.sort(key=lambda each: str(each.members["created_at"]))
        while len(found) > 1:
            older, newer = found[-2:]
            self.agent.delete(found.pop(-1 if newer.proposal_id == older.proposal_id else -2))
        for each in found:
            self._take(each)

    def moves(self) -> Sequence[str]:
        return ACAPY_MOVES[self.role].get(self.state, []) if not self.end else []

    def move(self, move: str, lot: random.Random) -> str:
        assert self._record is not None
        if move == "refuse":
            self.agent.act(self._record, "problem-report", {"description": "not now"})
            self.end, self.state = BAD, "refused"
            if lot.random() < 0.3:
                self.agent.delete(self._record)
                return "and deletes it"
        elif move:
            self._act(move)
        return "once"

    def _act(self, move: str) -> None:
        """A step that fails ends the exchange, and the peer is told."""
        assert self._record is not None
        try:
            if move == "present":
                self.agent.present(self._record)
            else:
                self.agent.act(self._record, move)
        except PeerError:
            self._take(self.agent.read(self._record))
            raise

    def _take(self, record: Record) -> None:
        self._record, self.state = record, record.state
        if record.state == "abandoned":
            self.end = BAD if record.members.get("error_msg") else "abandoned without a report"
        elif self.role == "verifier" and record.state in ("verified", "done"):
            self.end = GOOD if record.members.get("verified") == "true" else "not verified"
        elif record.state in ("done", "credential-acked", "presentation-acked"):
            self.end = GOOD

    def release(self) -> None:
        """The record stays, as ACA-Py keeps it."""


REFUSALS = (AliceError, PeerError)
"""The errors of moves that a side refuses."""
