"""Power cuts. A wallet's life is recorded once (`traced.py`), and cut off at many moments (`disk.py`). After any loss
of unsynchronised data the wallet opens, is sound, and holds all that was confirmed.

MSDK_TEST_CUTS says how many moments, MSDK_TEST_SEED which, MSDK_TEST_RECORDS how long the life is.
"""

from __future__ import annotations

import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from typing import Optional

import pytest

from command import msdk
from disk import Change, Disk, Loss, build, environment, read_trace
from wallets import RAW_KEY, SAMPLE_KEY, THIRD_KEY

PROGRAM = pathlib.Path(__file__).with_name("traced.py")
CUTS = int(os.environ.get("MSDK_TEST_CUTS", "60"))
SEED = int(os.environ.get("MSDK_TEST_SEED", "1"))
RECORDS = int(os.environ.get("MSDK_TEST_RECORDS", "36"))
SAMPLES = 12
"""Records that the sample export has."""


@dataclass
class Recording:
    """The changes of a process to its files, and their place."""

    home: str
    changes: list[Change]


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Recording:
    folder = tmp_path_factory.mktemp("power").resolve()
    home, trace = folder / "wallets", folder / "trace"
    home.mkdir()
    command = [sys.executable, str(PROGRAM), str(home), str(RECORDS)]
    subprocess.run(command, check=True, timeout=120, env=environment(build(folder), home, trace=trace))
    return Recording(str(home), list(read_trace(trace)))


@dataclass
class Promise:
    """The records that must be there, from the process's messages."""

    keys: set[str] = field(default_factory=set)
    """Those of which one must open the wallet."""
    may_be_absent: bool = True
    versions: dict[str, set[Optional[int]]] = field(default_factory=dict)
    """The permitted contents of each record; None: it may be absent."""

    def __init__(self, said: list[str]) -> None:
        self.keys, self.may_be_absent, self.versions = set(), True, {}
        for line in said:
            word, *rest = line.split()
            if word in ("putting", "deleting"):
                self.versions.setdefault(rest[0], {None}).add(int(rest[1]) if rest[1:] else None)
            elif word in ("put", "deleted"):
                self.versions[rest[0]] = {int(rest[1]) if rest[1:] else None}
            else:
                self.hear(word, rest)

    def hear(self, word: str, rest: list[str]) -> None:
        if word == "making":
            self.keys, self.versions = {RAW_KEY if rest == ["1"] else THIRD_KEY}, {}
        elif word == "rekeying":
            self.keys.add(SAMPLE_KEY)
        elif word == "rekeyed":
            self.keys = {SAMPLE_KEY}
        elif word == "removed":
            self.keys = set()
        self.may_be_absent = word in ("making", "removing", "removed") or (self.may_be_absent and word != "made")

    def faults(self, home: pathlib.Path) -> list[str]:
        """The faults; one for each confirmed record that is missing."""
        for key in sorted(self.keys):
            found = msdk(home, "search", "wallet", "letter", "{}", "--json", MSDK_WALLET_KEY=key)
            if found.status == 0:
                return self.faults_of([json.loads(line) for line in found.output.splitlines()], home, key)
        if not (home / "wallet" / "sqlite.db").exists() and self.may_be_absent:
            return []
        if not self.keys:
            return ["a wallet that was removed is there"]
        return ["the wallet cannot be read"] + [f"{id} is missing" for id in self.versions if self.is_certain(id)]

    def is_certain(self, id: str) -> bool:
        return None not in self.versions[id]

    def faults_of(self, letters: list[dict[str, str]], home: pathlib.Path, key: str) -> list[str]:
        versions = {letter["id"]: int(letter["value"].split()[0]) for letter in letters}
        faults = [
            f"{id} is missing or wrong" for id, allowed in self.versions.items() if versions.get(id) not in allowed
        ]
        faults += [f"{id} was never written" for id in versions if id not in self.versions]
        verified = msdk(home, "verify", "wallet", "--json", MSDK_WALLET_KEY=key)
        if verified.status != 0 or verified.json["records"] != SAMPLES + len(letters):
            faults.append(f"it is damaged: {verified.output}{verified.complaint}")
        return faults


def moments(changes: list[Change], count: int, chance: random.Random) -> list[int]:
    """Anywhere, and often just before or after a synchronisation or a change of names."""
    turning = [index for index, change in enumerate(changes) if change.kind in "sulrd"]
    anywhere = [chance.randrange(len(changes) + 1) for _ in range(count - count // 2)]
    return sorted(anywhere + [chance.choice(turning) + chance.randrange(2) for _ in range(count // 2)])


def cut(recording: Recording, count: int, folder: pathlib.Path, synchronizes: bool = True) -> list[str]:
    """Cuts off the power `count` times; all that was not as it must be then."""
    chance = random.Random(SEED)
    disk, done, faults = Disk(synchronizes), 0, list[str]()
    for moment in moments(recording.changes, count, chance):
        for change in recording.changes[done:moment]:
            disk.apply(change, recording.home + "/said")
        done, loss = moment, chance.choice(list(Loss))
        home = folder / "wallets"
        home.mkdir()
        disk.cut(loss, chance, recording.home, home)
        found = Promise(disk.said).faults(home)
        faults += [f"after {moment} changes, lost {loss.value}: {fault}" for fault in found]
        shutil.rmtree(home)
    return faults


def test_confirmed_writes_survive_a_power_cut(recording: Recording, tmp_path: pathlib.Path) -> None:
    assert cut(recording, CUTS, tmp_path) == []


def test_a_disk_that_does_not_synchronise_is_noticed(recording: Recording, tmp_path: pathlib.Path) -> None:
    faults = cut(recording, 20, tmp_path, synchronizes=False)
    assert len([fault for fault in faults if "missing" in fault]) > 20
    assert any("cannot be read" in fault for fault in faults)


def test_the_recording_has_everything(recording: Recording) -> None:
    """A call that went past `disk.c` would be missing on every disk: played to its end, the recording is the wallet."""
    disk = Disk()
    for change in recording.changes:
        disk.apply(change, recording.home + "/said")
    for path, file in disk.names.items():
        if file:
            file.synchronize()
            if not path.endswith(("/said", "-shm")):
                assert bytes(file.content) == pathlib.Path(path).read_bytes(), path
    assert disk.said[-1].startswith("deleted") or disk.said[-1].startswith("put")
    assert {change.kind for change in recording.changes} >= set("ocawtsulrd")
