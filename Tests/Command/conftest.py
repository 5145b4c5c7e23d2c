"""Shared by the tests of the command line: users with a home of their own, and an agency."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import subprocess
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / each) for each in ("tools/peers", "Tests/Wallet", "bindings/python")]
os.environ.setdefault("MSDK_AGENCY", str(ROOT / ".build" / "release" / "msdk-agency"))

from agency import Agency  # noqa: E402
from command import DONE, PROGRAM, Answer, Ran, run, run_on_terminal_of  # noqa: E402

if TYPE_CHECKING:
    from registrar import Registrar


class Running:
    """A command that goes on, and its lines."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process

    def output(self) -> str:
        assert self.process.stdout
        return self.process.stdout.readline()

    def complaint(self) -> str:
        assert self.process.stderr
        return self.process.stderr.readline()


class User:
    """A user of the machine: a home, with the configuration and the wallet in it."""

    def __init__(self, home: pathlib.Path) -> None:
        home.mkdir()
        self.home = home
        self.config = home / ".config" / "msdk" / "config.json"

    def msdk(self, *words: object, **keys: str) -> Ran:
        return run(self.home, *words, **keys)

    def done(self, *words: object) -> list[Any]:
        """The values that a command prints as JSON, one on each line."""
        return self.msdk(*words, "--json").lines

    def on_terminal(
        self, words: list[str], answers: Sequence[tuple[str, Answer]], size: tuple[int, int] | None = None
    ) -> Ran:
        return run_on_terminal_of(size, self.home, words, answers, {})

    @contextlib.contextmanager
    def running(self, *words: object) -> Iterator[Running]:
        """A command that goes on. It is ended after the block."""
        process = subprocess.Popen(
            [PROGRAM, *map(str, words)], env={**os.environ, "HOME": str(self.home)},
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            yield Running(process)
        finally:
            process.kill()
            process.communicate()

    def provision(self, agency: Agency, *options: object) -> Any:
        return self.provision_at(agency.endpoint, *options)

    def provision_at(self, endpoint: str, *options: object) -> Any:
        ran = self.msdk("provision", endpoint, "--name", self.home.name, *options, "--json")
        assert ran.status == DONE, ran.complaint
        return json.loads(self.config.read_text())


@pytest.fixture(scope="session")
def agency(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Agency]:
    with Agency(tmp_path_factory.mktemp("agency")) as running:
        yield running


@pytest.fixture
def alice(tmp_path: pathlib.Path, agency: Agency) -> User:
    user = User(tmp_path / "Alice")
    user.provision(agency)
    return user


@pytest.fixture
def faber(tmp_path: pathlib.Path, agency: Agency) -> User:
    user = User(tmp_path / "Faber")
    user.provision(agency)
    return user


@pytest.fixture
def name(request: pytest.FixtureRequest) -> str:
    """A name for the exchanges of one test."""
    return str(request.node.name)


@pytest.fixture
def holder(alice: User, registrar: Registrar, name: str) -> User:
    """Alice, connected under the test's name with the registrar of the test's file."""
    registrar.meet(alice, name)
    return alice
