"""The fixtures of all steps: an agency, apps, and the other side of a connection."""

from __future__ import annotations

import contextlib
import pathlib
from collections.abc import Callable, Iterator

import pytest

import table
from agency import Agency
from app import App
from backends import Sponsor
from holding import VALUES, Holder
from one_node_ledger import Ledger
from peer import Peer
from proving import Prover
from verifier import Verifier

pytest_runtest_logreport = table.collect
pytest_terminal_summary = table.show


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    table.note(items)


@pytest.fixture(scope="session")
def agency(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Agency]:
    """The Cloud Agents' agency, open to everybody."""
    with Agency(tmp_path_factory.mktemp("agency")) as agency:
        yield agency


@pytest.fixture(scope="session")
def genesis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The file with the genesis transactions of a ledger that runs."""
    with Ledger(tmp_path_factory.mktemp("ledger")) as ledger:
        yield str(ledger.genesis)


@pytest.fixture
def start(tmp_path: pathlib.Path) -> Iterator[Callable[[str], App]]:
    """Starts apps that are not provisioned, each with a home of its own."""
    with contextlib.ExitStack() as stack:

        def start(name: str) -> App:
            (tmp_path / name).mkdir()
            return stack.enter_context(App(tmp_path / name))

        yield start


@pytest.fixture
def app(agency: Agency, start: Callable[[str], App]) -> App:
    """An app that is provisioned and initialised."""
    app = start("Alice")
    app.begin(agency.provisioning())
    return app


@pytest.fixture
def faber(agency: Agency, start: Callable[[str], App]) -> App:
    """Another program with the library, for the inviter's side."""
    faber = start("Faber")
    faber.begin(agency.provisioning())
    return faber


@pytest.fixture(scope="session")
def issuer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Verifier, str]]:
    """An ACA-Py agent that issues credentials and verifies proofs, and its credential definition."""
    with Verifier("Faber", tmp_path_factory.mktemp("issuer")) as faber:
        yield faber, faber.define(VALUES)


@pytest.fixture
def holder(app: App, issuer: tuple[Verifier, str]) -> Holder:
    """An app that is connected with the issuer."""
    return Holder(app, *issuer)


@pytest.fixture
def prover(app: App, issuer: tuple[Verifier, str]) -> Prover:
    """An app that holds a credential of the issuer and is connected with it."""
    return Prover(app, *issuer)


@pytest.fixture
def peer() -> Iterator[Peer]:
    """A scripted agent that sends what a step needs."""
    with Peer() as peer:
        yield peer


@pytest.fixture
def sponsor(tmp_path: pathlib.Path) -> Iterator[Sponsor]:
    """The example sponsor, with its backend."""
    with Sponsor(tmp_path / "sponsor") as sponsor:
        yield sponsor


@pytest.fixture
def sponsored(sponsor: Sponsor, tmp_path: pathlib.Path) -> Iterator[Agency]:
    """An agency that gives Cloud Agents for the sponsor's tokens."""
    with Agency(tmp_path / "agency", sponsor.settings()) as agency:
        yield agency
