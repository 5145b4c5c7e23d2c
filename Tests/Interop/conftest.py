"""Shared by the tests: one ACA-Py agent of each version and one agency for all of them, one Alice for each."""

from __future__ import annotations

import contextlib
import pathlib
from collections.abc import Callable, Iterator

import pytest

import matrix
from acapy import Agent, python
from agency import Agency
from alice import Alice
from holder import Faber
from issuing import PreparedWallet, Registrar, Taking
from peer import Peer
from process import PeerError
from verifier import Verifier
from webvh_agents import WebVHVerifier
from webhooks import Webhooks


pytest_collection_modifyitems = matrix.narrow
pytest_runtest_setup = matrix.exchange
pytest_runtest_logreport = matrix.collect
pytest_terminal_summary = matrix.show


@pytest.fixture(scope="session")
def acapy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Agent]]:
    """An unmodified ACA-Py agent of a version; skips where that is not installed."""
    agents: dict[str, Agent] = {}
    with contextlib.ExitStack() as stack:

        def get(version: str) -> Agent:
            if version not in agents:
                try:
                    python(version)
                except PeerError as error:
                    pytest.skip(error.what)
                agents[version] = stack.enter_context(Agent("Faber", tmp_path_factory.mktemp("faber"), version))
            return agents[version]

        yield get


@pytest.fixture(scope="session")
def publisher(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Faber]]:
    """An unmodified ACA-Py agent of a version, which issues and verifies; skips where that is not installed."""
    agents: dict[str, Faber] = {}
    with contextlib.ExitStack() as stack:

        def get(version: str) -> Faber:
            if version not in agents:
                is_web = version == "webvh"
                try:
                    python("1.7" if is_web else version)
                except PeerError as error:
                    pytest.skip(error.what)
                folder = tmp_path_factory.mktemp("publisher")
                agent = WebVHVerifier("Faber", folder) if is_web else Verifier("Faber", folder, version)
                agents[version] = Faber(stack.enter_context(agent))
            return agents[version]

        yield get


@pytest.fixture
def faber(acapy: Callable[[str], Agent]) -> Agent:
    """An ACA-Py agent of the version that speaks every handshake."""
    return acapy("0.12")


@pytest.fixture(scope="session")
def agency(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Agency]:
    """The mailbox."""
    with Agency(tmp_path_factory.mktemp("agency")) as agency:
        yield agency


@pytest.fixture
def alice(agency: Agency, tmp_path: pathlib.Path) -> Iterator[Alice]:
    """A process with the library, provisioned and initialised."""
    with Alice(tmp_path) as alice:
        alice.provision(agency.provisioning())
        yield alice


@pytest.fixture(scope="session")
def prepared_wallet(agency: Agency, tmp_path_factory: pytest.TempPathFactory) -> PreparedWallet:
    """A wallet with definitions."""
    return PreparedWallet(tmp_path_factory.mktemp("prepared"), agency)


@pytest.fixture
def bob(agency: Agency, prepared_wallet: PreparedWallet, tmp_path: pathlib.Path) -> Iterator[Alice]:
    """Another process with the library, with a wallet of its own."""
    prepared_wallet.copy_to(tmp_path / "bob")
    with Alice(tmp_path / "bob") as bob:
        bob.provision(agency.provisioning())
        yield bob


@pytest.fixture
def registrar(bob: Alice, tmp_path: pathlib.Path) -> Registrar:
    """Bob as an issuer."""
    return Registrar(bob, tmp_path / "issuer")


@pytest.fixture
def taking(registrar: Registrar, alice: Alice) -> Taking:
    """Alice with a connection to the issuer, who calls it "alice"."""
    taking = Taking(alice, registrar)
    taking.connect("alice")
    return taking


@pytest.fixture
def mallory() -> Iterator[Peer]:
    """A peer that does what the test says."""
    with Peer() as peer:
        yield peer


@pytest.fixture
def webhooks() -> Iterator[Webhooks]:
    """A program's own server that the agency tells of messages."""
    webhooks = Webhooks()
    webhooks.start()
    yield webhooks
    webhooks.stop()
