"""The documents of the site, in the order of its navigation, and the examples that they quote."""

from __future__ import annotations

import dataclasses
import pathlib
import posixpath
import re

import markdown

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Wrong(Exception):
    """A fault of the documents."""


@dataclasses.dataclass(frozen=True)
class Document:
    """A document and its place in the site. A split one has a page for each chapter."""

    path: str
    address: str
    title: str
    is_split: bool = False


SECTIONS: dict[str, list[Document]] = {
    "Start": [
        Document("docs/README.md", "index.html", "msdk"),
        Document("docs/quick-start.md", "quick-start.html", "Quick start"),
        Document("docs/states.md", "states.html", "States and messages"),
    ],
    "Guide": [
        Document("docs/guide.md", "guide/index.html", "Guide", is_split=True),
        Document("docs/c.md", "c.html", "C and C++"),
        Document("bindings/python/README.md", "python.html", "Python"),
        Document("bindings/swift/README.md", "swift.html", "Swift"),
        Document("docs/java.md", "java.html", "Java"),
        Document("docs/command.md", "command.html", "The command msdk"),
        Document("docs/wallet.md", "wallet.html", "Wallets"),
    ],
    "Reference": [Document("docs/json.md", "json.html", "JSON texts")],
    "Operate": [
        Document("docs/agency.md", "agency.html", "msdk-agency"),
        Document("docs/upgrading.md", "upgrading.html", "Upgrading"),
        Document("docs/metrics.md", "metrics.html", "Metrics"),
        Document("SECURITY.md", "security.html", "Security"),
        Document("docs/reliability.md", "reliability.html", "Reliability"),
        Document("docs/benchmarks.md", "benchmarks.html", "Benchmarks"),
    ],
    "Move": [
        Document("docs/from-libvcx.md", "from-libvcx.html", "From libvcx"),
        Document("docs/ports.md", "ports.html", "Other systems"),
        Document("CHANGELOG.md", "changelog.html", "Changes"),
    ],
    "Inside": [
        Document("docs/architecture.md", "architecture.html", "Architecture"),
        Document("docs/walkthrough.md", "walkthrough.html", "Walkthrough"),
        Document("docs/decisions/README.md", "decisions/index.html", "Decisions"),
        Document("CONTRIBUTING.md", "contributing.html", "Contributing"),
    ],
}


@dataclasses.dataclass(frozen=True)
class Chapter:
    """A part of a document with a page of its own: its Markdown, and its anchors."""

    address: str
    title: str
    text: str


def chapters(document: Document) -> list[Chapter]:
    text = (ROOT / document.path).read_text()
    if not document.is_split:
        return [Chapter(document.address, document.title, text)]
    first, *rest = re.split(r"^## ", text, flags=re.MULTILINE)
    folder = posixpath.dirname(document.address)
    parts = []
    for chapter in rest:
        title = chapter.partition("\n")[0]
        deeper = re.sub(r"^###", "##", chapter, flags=re.MULTILINE)
        parts.append(Chapter(f"{folder}/{markdown.anchor(title)}.html", title, f"# {deeper}"))
    listed = "\n".join(f"- [{part.title}](#{markdown.anchor(part.title)})" for part in parts)
    return [Chapter(document.address, document.title, f"{first}\n## Chapters\n\n{listed}\n"), *parts]


def anchors_in(text: str) -> set[str]:
    prose = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    return {markdown.anchor(heading) for heading in re.findall(r"^#+ (.*)$", prose, re.MULTILINE)}


def example(name: str) -> tuple[str, str]:
    """An example by its name, such as `c complete`: a function of a tested source, without its comment.

    `readme c` is the first block of C in the README.
    """
    language, _, function = name.rpartition(" ")
    if language == "readme":
        return function, block("README.md", function, "")
    if language in ("c", "cpp"):
        return language, block("docs/c.md", language, function)
    folder = ROOT / "bindings" / "swift" / "Sources" / "Guide"
    source = "\n".join(file.read_text() for file in sorted(folder.glob("*.swift")))
    found = re.search(rf"^func {function}\b.*?^}}\n", source, re.MULTILINE | re.DOTALL)
    if found is None:
        raise Wrong(f"{folder.name} has no function {function}")
    return "swift", found[0]


def block(document: str, language: str, function: str) -> str:
    """The first block of a language in a document that defines a function."""
    for text in re.findall(rf"^```{language}\n(.*?)^```$", (ROOT / document).read_text(), re.MULTILINE | re.DOTALL):
        if not function or re.search(rf"^[\w: ]+[ *]{function}\(", text, re.MULTILINE):
            return str(text)
    raise Wrong(f"{document} has no example of {language} with {function}")
