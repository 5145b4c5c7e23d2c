"""What the tests share: one ACA-Py agent and one agency for all of them, one Alice for each."""

from __future__ import annotations

import pathlib
from collections.abc import Iterator

import pytest

from acapy import Agent
from agency import Agency
from alice import Alice
from peer import Peer


@pytest.fixture(scope="session")
def faber(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Agent]:
    """An unmodified ACA-Py agent."""
    with Agent("Faber", tmp_path_factory.mktemp("faber")) as agent:
        yield agent


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


@pytest.fixture
def mallory() -> Iterator[Peer]:
    """A peer that does what the test says."""
    with Peer() as peer:
        yield peer
