"""Fixtures for a registrar at an agency of its own, with a gate on the way to it. A module that imports them has them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from agency import Agency
from gate import Gate
from registrar import Registrar


@pytest.fixture(scope="module")
def its_agency(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Agency]:
    with Agency(tmp_path_factory.mktemp("registrar-agency")) as agency:
        yield agency


@pytest.fixture(scope="module")
def gate(its_agency: Agency) -> Iterator[Gate]:
    """The way to the registrar's agency."""
    gate = Gate(its_agency.endpoint)
    yield gate
    gate.close()


@pytest.fixture(scope="module")
def registrar(tmp_path_factory: pytest.TempPathFactory, its_agency: Agency, gate: Gate) -> Iterator[Registrar]:
    registrar = Registrar(tmp_path_factory.mktemp("registrar"), its_agency, gate.endpoint)
    yield registrar
    registrar.program.stop()
