"""The parts of the documentation site that read: the header, and diagrams as text. `make docs` checks the pages."""

from __future__ import annotations

import pathlib
import re
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools" / "site"))

import diagrams  # noqa: E402
import header  # noqa: E402


@pytest.fixture(scope="module")
def read() -> header.Header:
    return header.read(ROOT / "include" / "msdk.h")


def test_every_function_of_the_header_is_read_once(read: header.Header) -> None:
    text = (ROOT / "include" / "msdk.h").read_text()
    declared = re.findall(r"^(?!typedef)[a-z].*?\*?\b((?:vcx|msdk)_\w+)\(", text, re.MULTILINE)
    assert sorted(read.functions()) == sorted(declared)
    assert sum(len(group.entries) for group in read.groups) == len(declared)


def test_a_comment_has_its_parameters_and_its_result(read: header.Header) -> None:
    entries = {entry.name: entry for group in read.groups for entry in group.entries}
    shutdown = entries["vcx_shutdown"].comment
    assert shutdown.paragraphs[0] == "Closes the wallet and forgets all objects and settings."
    assert [name for name, _ in shutdown.parameters] == ["delete_wallet"] and shutdown.result == "Always 0."


def test_errors_have_their_numbers(read: header.Header) -> None:
    codes = {each.value: each.name for each in read.enums["vcx_error_code"]}
    assert codes[1003] == "VCX_INVALID_CONNECTION_HANDLE" and len(codes) > 90


def test_a_sequence_has_its_participants_and_messages() -> None:
    drawn = diagrams.sequence("Alice -> Bob: hello <you>\nBob --> Alice: later\nnote Bob: done\n")
    assert drawn.count('class="box"') == 2
    assert drawn.count('class="solid"') == drawn.count('class="dashed"') == drawn.count('class="note"') == 1
    assert "hello &lt;you&gt;" in drawn


@pytest.mark.parametrize("line", ["Alice: hello", "Alice - Bob: hello", "Alice -> Bob"])
def test_a_line_that_is_no_message_is_an_error(line: str) -> None:
    with pytest.raises(diagrams.Unreadable, match=line):
        diagrams.sequence(line)


def test_a_line_that_is_no_transition_is_an_error() -> None:
    with pytest.raises(diagrams.Unreadable, match="1 created"):
        diagrams.states("1 created")
