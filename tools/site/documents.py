"""The documents of the site, in the order of its navigation, and the examples that they quote."""

from __future__ import annotations

import dataclasses
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Wrong(Exception):
    """A fault of the documents."""


@dataclasses.dataclass(frozen=True)
class Document:
    """A document and its place in the site."""

    path: str
    address: str
    title: str


def page_of_guide(name: str, title: str) -> Document:
    return Document(f"docs/guide/{name}.md", f"guide/{name}.html", title)


GUIDE: list[Document] = [
    page_of_guide("begin", "Begin"),
    page_of_guide("connect", "Accept an invitation"),
    page_of_guide("invite", "Invite others"),
    page_of_guide("messages", "Messages"),
    page_of_guide("mediator", "Use a mediator"),
    page_of_guide("push", "Push"),
    page_of_guide("hold", "Hold a credential"),
    page_of_guide("show", "Show the wallet"),
    page_of_guide("prove", "Prove"),
    page_of_guide("issue", "Issue"),
    page_of_guide("propose", "Propose"),
    page_of_guide("verify", "Verify"),
    page_of_guide("keep", "Keep objects"),
    page_of_guide("records", "Records and backups"),
    page_of_guide("agents", "Several agents in a process"),
    page_of_guide("errors", "Errors and the log"),
    page_of_guide("threads", "Threads and callbacks"),
    page_of_guide("older", "Evernym's older protocol"),
    page_of_guide("trouble", "Something does not work"),
]
"""The pages of the guide, which a reader goes through in this order."""


SECTIONS: dict[str, list[Document]] = {
    "Start": [
        Document("docs/README.md", "index.html", "msdk"),
        Document("docs/quick-start.md", "quick-start.html", "Quick start"),
        Document("docs/states.md", "states.html", "States and messages"),
        Document("docs/public-objects.md", "public-objects.html", "Where public objects live"),
    ],
    "Guide": [
        Document("docs/guide/README.md", "guide/index.html", "Guide"),
        Document("docs/c.md", "c.html", "C and C++"),
        Document("bindings/python/README.md", "python.html", "Python"),
        Document("bindings/swift/README.md", "swift.html", "Swift"),
        Document("docs/java.md", "java.html", "Java"),
        Document("bindings/go/README.md", "go.html", "Go"),
        Document("bindings/node/README.md", "node.html", "Node.js"),
        Document("docs/command.md", "command.html", "The command msdk"),
        Document("docs/wallet.md", "wallet.html", "Wallets"),
    ],
    "Reference": [Document("docs/json.md", "json.html", "JSON texts")],
    "Operate": [
        Document("docs/agency.md", "agency.html", "msdk-agency"),
        Document("docs/upgrading.md", "upgrading.html", "Upgrading"),
        Document("docs/releases.md", "releases.html", "Releases"),
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


def program(text: str) -> str:
    """The blocks of Python of a page of the guide, which are one program; empty if there are none."""
    return "".join(re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))


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
