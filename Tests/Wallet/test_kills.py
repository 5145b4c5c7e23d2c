"""Processes that are killed just before any call that gives a file a name or takes it away, as SIGKILL and the kernel
out of memory do it at random moments.
"""

from __future__ import annotations

import asyncio
import pathlib
import shutil
import signal
import subprocess
import sys
from typing import Optional

import pytest

from command import FAILED, msdk
from disk import build, environment
from wallets import RAW_KEY, SAMPLE_KEY, THIRD_KEY, config, make, opened
from msdk_vcx import wallet

HERE = pathlib.Path(__file__).parent
OLD = 40
"""Records of the wallet that is deleted, or gets another key."""
MOST = 60
"""No operation has so many names to give and to take."""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    return build(tmp_path_factory.mktemp("disk"))


@pytest.fixture(scope="module")
def templates(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """`closed`: a wallet. `left`: only the log of a wallet, as the death of a process leaves it, without the file."""
    home = tmp_path_factory.mktemp("templates")
    settings = config(home, "closed")

    async def run() -> None:
        await make(settings)
        async with opened(settings):
            for number in range(OLD):
                await wallet.add_record("old", str(number), "v" * 500, {"a": "b"})
            shutil.copytree(home / "closed", home / "left")

    asyncio.run(run())
    (home / "left" / "sqlite.db").unlink()
    assert (home / "left" / "sqlite.db-wal").stat().st_size > 0
    return home


class Neighbour:
    """Another process that has the wallet open, so that its log is there."""

    def __init__(self, home: pathlib.Path) -> None:
        command = [sys.executable, str(HERE / "neighbour.py"), str(home)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout and self.process.stdout.readline() == "here\n"

    def __enter__(self) -> Neighbour:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()

    def write(self, text: str) -> str:
        """Its answer: the text, or `refused` and the reason."""
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()
        answer: str = self.process.stdout.readline()
        return answer.strip()


def is_killed(library: pathlib.Path, home: pathlib.Path, deed: str, number: int) -> bool:
    """Runs `killed.py`, killed at the call `number`; False when it came to its end before."""
    ran = subprocess.run(
        [sys.executable, HERE / "killed.py", home, deed],
        env=environment(library, home, kill=number),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert ran.returncode in (0, -signal.SIGKILL), ran.stderr
    return ran.returncode != 0


def counts(home: pathlib.Path, key: str = RAW_KEY) -> Optional[dict[str, int]]:
    """How many records of each type the wallet has, sound as it is; None when there is no wallet."""
    listed = msdk(home, "list", "shared", "--json", MSDK_WALLET_KEY=key)
    if listed.status == FAILED and "There is no wallet" in listed.complaint:
        return None
    assert msdk(home, "verify", "shared", "--json", MSDK_WALLET_KEY=key).status == 0
    return {each["type"]: each["count"] for each in listed.json}


def make_anew(home: pathlib.Path) -> None:
    """Makes the wallet with another key, as the next process does, and checks that it is the new one."""
    asyncio.run(make(config(home, "shared", THIRD_KEY)))
    assert counts(home, THIRD_KEY) == SAMPLE
    assert [path.name for path in (home / "shared").iterdir()] == ["sqlite.db"]


SAMPLE: dict[str, int] = {}


@pytest.fixture(scope="module", autouse=True)
def sample(tmp_path_factory: pytest.TempPathFactory) -> None:
    """The contents of a wallet made from the sample export."""
    home = tmp_path_factory.mktemp("sample")
    asyncio.run(make(config(home, "shared")))
    SAMPLE.update(counts(home) or {})
    assert SAMPLE


def put(template: pathlib.Path, home: pathlib.Path) -> None:
    shutil.rmtree(home / "shared", ignore_errors=True)
    shutil.copytree(template, home / "shared")


@pytest.mark.parametrize("is_log_left", [False, True])
def test_an_import_is_there_or_not(
    is_log_left: bool, library: pathlib.Path, templates: pathlib.Path, home: pathlib.Path
) -> None:
    there = set()
    for number in range(1, MOST):
        shutil.rmtree(home / "shared", ignore_errors=True)
        if is_log_left:
            put(templates / "left", home)
        was_killed = is_killed(library, home, "import", number)
        found = counts(home)
        assert found in (None, SAMPLE), number
        there.add(found is not None)
        if found is None:
            make_anew(home)
        if not was_killed:
            break
    assert not was_killed and there == {False, True}


@pytest.mark.parametrize("is_open_elsewhere", [False, True])
def test_a_deletion_happens_or_not(
    is_open_elsewhere: bool, library: pathlib.Path, templates: pathlib.Path, home: pathlib.Path
) -> None:
    there = set()
    for number in range(1, MOST):
        put(templates / "closed", home)
        if is_open_elsewhere:
            with Neighbour(home) as neighbour:
                assert neighbour.write("before") == "before"
                was_killed = is_killed(library, home, "delete", number)
                is_there = (home / "shared" / "sqlite.db").exists()
                # As long as the wallet is there its users go on; then they are told.
                assert neighbour.write("after") == ("after" if is_there else "refused 1079"), number
        else:
            was_killed = is_killed(library, home, "delete", number)
        found = counts(home)
        assert found is None or found["old"] == OLD, number
        there.add(found is not None)
        if found is None:
            make_anew(home)
        if not was_killed:
            break
    assert not was_killed and there == {False, True}
    assert found is None


def test_a_deletion_is_finished_by_the_next_who_comes(
    library: pathlib.Path, templates: pathlib.Path, home: pathlib.Path
) -> None:
    """The next process's use of the wallet, of any kind."""
    for number in range(1, MOST):
        put(templates / "closed", home)
        with Neighbour(home):
            was_killed = is_killed(library, home, "delete", number)
        if not was_killed:
            break
        is_there = (home / "shared" / "sqlite.db").exists()
        ran = msdk(home, "export", "shared", home / "file", MSDK_BACKUP_KEY="key")
        assert (ran.status == 0) == is_there
        (home / "file").unlink(missing_ok=True)
        if not is_there:
            assert not [path.name for path in home.glob("shared/*")], number


def test_a_new_key_is_in_force_or_not(library: pathlib.Path, templates: pathlib.Path, home: pathlib.Path) -> None:
    keys = set()
    for number in range(1, MOST):
        put(templates / "closed", home)
        was_killed = is_killed(library, home, "rekey", number)
        opening = [key for key in (RAW_KEY, SAMPLE_KEY) if msdk(home, "list", "shared", MSDK_WALLET_KEY=key).status == 0]
        assert len(opening) == 1, number
        found = counts(home, opening[0])
        assert found and found["old"] == OLD
        keys |= set(opening)
        if not was_killed:
            break
    assert not was_killed and opening == [SAMPLE_KEY] and SAMPLE_KEY in keys
