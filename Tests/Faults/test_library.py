"""Every operation of the library under every fault that can meet it: each cell of the table is a test."""

from __future__ import annotations

import pytest

from agency import Agency
from cells import AGENCY, MAILBOX, WALLET, Column, cells, markdown
from faults import Fault
from performance import ROOT, Stage, points
from table import Table


@pytest.mark.parametrize("columns", [WALLET, MAILBOX, AGENCY], ids=["wallet", "mailbox", "agency"])
def test_the_document_shows_the_table(columns: list[Column]) -> None:
    assert markdown(columns) in (ROOT / "docs" / "reliability.md").read_text(), "write it anew:\n" + markdown(columns)


@pytest.mark.parametrize("column", WALLET + MAILBOX, ids=lambda column: column.operation)
def test_the_table_has_every_call_that_an_operation_makes(column: Column, stage: Stage, agency: Agency) -> None:
    counts = stage.reach(column.operation, agency.provisioning(institution_name="Alice"))
    assert {kind for kind, count in counts.items() if count} == column.kinds


@cells(WALLET + MAILBOX)
def test_a_fault_loses_nothing(operation: str, fault: Fault, stage: Stage, agency: Agency, table: Table) -> None:
    """Nothing confirmed is missing, nothing is there twice, each call is answered once, and the next try works."""
    count = stage.reach(operation, agency.provisioning(institution_name="Alice"))[fault.kind]
    table.note(operation, fault, sum(stage.perform(operation, fault, number)["struck"] > 0 for number in points(count)))
