"""The parts of the documentation site that read: the header, the Python package, and diagrams as text; and the index of the
search. `make docs` checks the pages."""

from __future__ import annotations

import pathlib
import re
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools" / "site"))

import diagrams  # noqa: E402
import documents  # noqa: E402
import header  # noqa: E402
import names  # noqa: E402
import package  # noqa: E402
import search  # noqa: E402


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
    assert shutdown.paragraphs[0] == (
        "Closes the wallet and forgets all objects and settings of the agent that vcx_init_with_config has started. Agents of"
        " msdk_agent_open go on."
    )
    assert [name for name, _ in shutdown.parameters] == ["delete_wallet"] and shutdown.result == "Always 0."


def test_a_long_declaration_has_a_line_for_each_parameter(read: header.Header) -> None:
    declared = {entry.name: entry.declaration for group in read.groups for entry in group.entries}
    assert header.spread(declared["vcx_shutdown"]) == declared["vcx_shutdown"]
    assert header.spread(declared["msdk_connection_accept"]) == (
        "vcx_error_t msdk_connection_accept(\n    vcx_command_handle_t command_handle,\n    const char *source_id,\n"
        "    const char *invitation,\n    vcx_number_cb cb);")
    assert max(len(line) for each in declared.values() for line in header.spread(each).splitlines()) <= 80


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


def test_readme_and_quick_start_make_the_second_agent_with_the_same_lines() -> None:
    readme, quick_start = ((ROOT / name).read_text() for name in ("README.md", "docs/quick-start.md"))
    lines = [line for line in readme.splitlines() if line.startswith(("MSDK_CONFIG=", "export INVITATION="))]
    assert len(lines) == 2 and "\n".join(["```", *lines, "```"]) in quick_start


def test_every_document_names_the_swift_that_the_package_demands() -> None:
    found = re.match(r"// swift-tools-version: ([\d.]+)\n", (ROOT / "Package.swift").read_text())
    assert found is not None
    for name in ("README.md", "CONTRIBUTING.md", "docs/quick-start.md", "docs/ports.md", "scripts/setup"):
        text = (ROOT / name).read_text()
        named = re.findall(r"Swift(?: toolchain of)? (\d+\.\d+)(?= for| or newer)", text)
        assert named and set(named) == {found[1]}, name


def test_the_first_screen_names_the_peers_that_are_pinned_and_shows_the_diagram() -> None:
    readme = (ROOT / "README.md").read_text()
    pins = [re.search(r"^(?:aries_cloudagent|acapy[-_]agent)==([\d.]+)", path.read_text(), re.M)
            for path in sorted((ROOT / "tools" / "peers").glob("acapy-*.txt"))]
    versions = [pin[1] for pin in pins if pin]
    assert len(versions) == 2 and all(version in readme for version in versions)
    diagram = readme.split("```sequence\n")[1].split("```")[0]
    assert diagram in (ROOT / "docs" / "README.md").read_text()
    first = readme.split("## Features today")[0]
    assert [name for name in ("Credo", "ACA-Py", "Askar", "libvcx", "**Aries**", "**AnonCreds**", "**agency**") if name not in first] == []


PACKAGE = ROOT / "bindings" / "python" / "msdk_vcx"


@pytest.fixture(scope="module")
def entries() -> dict[str, package.Entry]:
    return {entry.name: entry for module in package.read(PACKAGE) for entry in module.all()}


def test_everything_that_the_package_offers_is_in_its_reference_with_a_text(entries: dict[str, package.Entry]) -> None:
    older = {"messages_download", "message_download", "messages_update_status", "download_agent_messages"}
    missing = package.offered_names(PACKAGE) - set(entries) - older - {"messages", "wallet"}
    assert missing == set()
    assert [name for name, entry in entries.items() if not entry.text] == []


def test_a_declaration_is_that_of_a_caller(entries: dict[str, package.Entry]) -> None:
    assert entries["Connection.completed"].declaration == (
        "async def completed(\n    timeout: Optional[float] = None,\n    interval: float = INTERVAL,\n) -> None"
    )
    assert entries["Connection.create_older"].declaration == "@classmethod\nasync def create_older(source_id: str) -> Connection"
    assert entries["messages.mark_read"].declaration == "async def mark_read(*messages: Message) -> None"
    assert entries["session"].declaration == "async with session(config: Configuration)"
    assert "    REQUESTED = 2" in entries["CredentialState"].declaration
    assert {"Connection.release", "wallet.search", "wallet.Search.next", "Found.first"} <= set(entries)
    assert not {"messages.text_of_content", "wallet.checked"} & set(entries)


def test_a_docstring_has_paragraphs_and_code() -> None:
    text = """Ends
    this.

        for each in all:
            pass

    More."""
    assert list(package.paragraphs(text)) == [(False, "Ends this."), (True, "for each in all:\n    pass"), (False, "More.")]


def test_the_names_of_types_are_explained() -> None:
    names = {each.name: each.text for each in package.aliases(PACKAGE)}
    assert set(names) == {"JSONObject", "FilePath", "Configuration", "HandedMessage", "Restrictions", "Query", "WantedItems", "WantedPredicates"}
    assert all(names.values())


def test_the_parts_of_a_page_are_found_by_their_headings() -> None:
    body = (
        '<h1>Page</h1><p>One <code>vcx_<wbr>init</code>.</p><pre>hidden</pre><h2 id="two">Two</h2><p>&lt;b&gt;</p>'
        '<section class="entry" id="f"><h3><a href="#f">f</a></h3>Text</section><table><tr id="E"><td>1045</td></tr></table>'
    )
    assert list(search.parts("a.html", "Page", body)) == [
        ("a.html", "Page", "Page", "One vcx_init."), ("a.html#two", "Page", "Two", "<b>"),
        ("a.html#f", "Page", "f", "Text"), ("a.html#E", "Page", "E", "1045"),
    ]


def test_the_index_is_a_script_that_ends_no_page() -> None:
    assert search.script([("a", "b", "c", "</script>")]) == 'window.searched([["a","b","c","<\\/script>"]]);\n'


def test_names_break_between_their_words_only() -> None:
    assert names.breakable("vcx_wallet_export") == "vcx_<wbr>wallet_<wbr>export"
    assert names.breakable("<Message.kind>_") == "&lt;Message.<wbr>kind&gt;_"
    assert "overflow-wrap: anywhere" not in (ROOT / "tools" / "site" / "style.css").read_text()


def test_every_page_of_the_guide_is_in_the_navigation() -> None:
    listed = {document.path for document in documents.GUIDE} | {"docs/guide/README.md"}
    assert listed == {str(path.relative_to(ROOT)) for path in (ROOT / "docs" / "guide").glob("*.md")}
