"""Every operation of a real msdk-agency under every fault that can meet it: each cell of the table is a test."""

from __future__ import annotations

import contextlib
import functools
import pathlib
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator

import pytest

from agency import Agency
from agency_world import AgencyWorld
from cells import AGENCY, cells
from faults import KILL, Control, Fault
from performance import GENEROUS, Stage, points, preload
from process import PeerError
from table import Table

@pytest.fixture(scope="module")
def world(shim: pathlib.Path, stage: Stage, tmp_path_factory: pytest.TempPathFactory) -> Iterator[AgencyWorld]:
    settings = {**GENEROUS, "private_webhooks": True}
    world = AgencyWorld(shim, tmp_path_factory.mktemp("world"), settings, stage)
    try:
        yield world
    finally:
        world.close()


@pytest.fixture(scope="module")
def hearing(world: AgencyWorld) -> AgencyWorld:
    """The same, and its receiver is told of messages."""
    world.hear()
    return world


def reach(world: AgencyWorld, operation: str, perform: Callable[[], object]) -> dict[str, int]:
    """How many calls of each kind an operation makes when nothing fails."""
    if operation not in world.counts:
        with world.control.armed(None):
            perform()
        world.counts[operation] = world.control.counts
    return world.counts[operation]


# Messages in


@cells(AGENCY[0:1])
def test_a_message_that_was_taken_is_kept_once(
    operation: str, fault: Fault, world: AgencyWorld, table: Table
) -> None:
    count = reach(world, operation, lambda: world.deliver(world.letter("counted")))[fault.kind]
    sent, struck = [], 0
    for number in points(count):
        content = f"{fault.name} {number}"
        letter = world.letter(content)
        with world.control.armed(fault, number):
            is_taken = world.deliver(letter)
        struck += bool(world.control.struck)
        world.revive(fault)
        assert is_taken or world.deliver(letter), f"{content}: the second attempt was refused"
        sent.append(content)
    table.note(operation, fault, struck)
    world.restart()
    code, found = world.collect()
    assert code == 0
    kept = sorted(content for _, content in found if (content or "").startswith(fault.name + " "))
    assert kept == sorted(sent)


# Messages out


@cells(AGENCY[1:2])
def test_messages_are_handed_out_whole_or_with_an_error(
    operation: str, fault: Fault, world: AgencyWorld, table: Table
) -> None:
    whole = world.collect()
    assert whole[0] == 0
    world.restart()  # so that it has to read
    count = reach(world, operation, world.collect)[fault.kind]
    struck = 0
    for number in points(count):
        world.restart()
        with world.control.armed(fault, number):
            code, found = world.collect()
        struck += bool(world.control.struck)
        world.revive(fault)
        assert code or found == whole[1], f"{len(found)} of {len(whole[1])} came when call {number} met {fault.name}"
        assert world.collect() == whole
    table.note(operation, fault, struck)


# Announcements


def announce(world: AgencyWorld, content: str, fault: Fault | None = None, number: int = 0) -> bool:
    """Delivers a message and lets the receiver be told of it, for a while. Returns whether it was taken."""
    letter, known = world.letter(content), len(world.receiver.uids)
    with world.control.armed(fault, number):
        is_taken = world.deliver(letter)
        if is_taken:
            world.receiver.wait_for(functools.partial(has_more, known), 0.7)
            time.sleep(0.02)  # what comes after the answer of the receiver may fail, too
    return is_taken or world.deliver(letter)


def has_more(known: int, uids: set[str]) -> bool:
    return len(uids) > known


@cells(AGENCY[2:3])
def test_every_message_is_announced(
    operation: str, fault: Fault, hearing: AgencyWorld, table: Table
) -> None:
    world = hearing
    count = reach(world, operation, lambda: announce(world, "counted"))[fault.kind]
    sent, struck = set(), 0
    for number in points(count):
        content = f"announced, {fault.name} {number}"
        known = len(world.receiver.uids)
        assert announce(world, content, fault, number), f"{content}: the second attempt was refused"
        struck += bool(world.control.struck)
        world.revive(fault)
        assert world.receiver.wait_for(functools.partial(has_more, known), 60), f"{content}: nobody was told"
        sent.add(content)
    table.note(operation, fault, struck)
    code, found = world.collect()
    uids = {uid for uid, content in found if content in sent}
    assert code == 0 and len(uids) == len(sent)
    assert uids <= world.receiver.uids


# The start, and what is too old


@contextlib.contextmanager
def opened(folder: pathlib.Path) -> Iterator[sqlite3.Connection]:
    """The database of an agency, in a transaction that is committed. It is closed at the end: a connection that is left
    to the garbage collector removes the write-ahead log at any later moment, in the midst of a copy."""
    with contextlib.closing(sqlite3.connect(folder / "data" / "agency.db", timeout=10)) as database, database:
        yield database


def rows(folder: pathlib.Path) -> tuple[int, int]:
    """Returns how many messages in a store stay, and how many are too old."""
    with opened(folder) as database:
        old = database.execute("SELECT count(*) FROM messages WHERE updated = 1").fetchone()[0]
        return database.execute("SELECT count(*) FROM messages").fetchone()[0] - old, old


def is_swept(folder: pathlib.Path, seconds: float) -> bool:
    end = time.monotonic() + seconds
    while rows(folder)[1]:
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


@pytest.fixture(scope="module")
def store(shim: pathlib.Path, stage: Stage, tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """The folder of an agency that does not run, with five messages that are too old and one that is not."""
    world = AgencyWorld(shim, tmp_path_factory.mktemp("store"), GENEROUS, stage)
    try:
        world.agency.stop()
        folder = world.agency.folder
        with opened(folder) as database:
            database.execute("UPDATE messages SET updated = 1")
        world.agency.start()
        assert world.deliver(world.letter("it stays"))
        assert is_swept(folder, 10)
        world.agency.stop()
        with opened(folder) as database:
            database.execute(
                "INSERT INTO messages (uid, pairwise_id, status, size, digest, created, updated, payload)"
                " SELECT uid || value, pairwise_id, status, size, digest, created, 1, payload"
                " FROM messages, json_each('[1, 2, 3, 4, 5]')"
            )
    finally:
        world.close()
    assert rows(folder) == (1, 5)
    return folder


@cells(AGENCY[3:4])
def test_a_start_fails_or_serves_and_the_next_one_serves(
    operation: str, fault: Fault, store: pathlib.Path, shim: pathlib.Path, tmp_path: pathlib.Path, table: Table
) -> None:
    control = Control(tmp_path / "control")
    agency = Agency(tmp_path / "agency", GENEROUS, preload(shim, control))

    def start(number: int) -> None:
        """Starts the agency on a copy of the store, and again without the fault."""
        shutil.rmtree(agency.folder, ignore_errors=True)
        shutil.copytree(store, agency.folder)
        agency.facts = {}
        with control.armed(fault if number else None, number):
            try:
                agency.start()
                is_swept(agency.folder, 0.3)
            except PeerError:
                assert agency.status in (1, 2) or fault.action == KILL, f"the agency ended with {agency.status}"
        first = agency.facts
        agency.stop()
        agency.start()
        assert not first or agency.facts["did"] == first["did"]
        assert is_swept(agency.folder, 10)
        assert rows(agency.folder) == (1, 0)
        agency.stop()

    try:
        start(0)
        count, struck = control.counts[fault.kind], 0
        for number in points(count):
            start(number)
            struck += bool(control.struck)
        table.note(operation, fault, struck)
    finally:
        agency.stop()
