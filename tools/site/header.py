"""Reads include/msdk.h: groups, functions, callbacks and lists of numbers, each with its comment."""

from __future__ import annotations

import dataclasses
import pathlib
import re


@dataclasses.dataclass(frozen=True)
class Comment:
    """A comment of the header: paragraphs, parameters by name, and the result."""

    paragraphs: tuple[str, ...]
    parameters: tuple[tuple[str, str], ...]
    result: str


@dataclasses.dataclass(frozen=True)
class Entry:
    """A function or a type of callbacks, as declared."""

    name: str
    declaration: str
    comment: Comment


@dataclasses.dataclass(frozen=True)
class Group:
    """The functions of one object, under a title and an introduction."""

    title: str
    introduction: tuple[str, ...]
    entries: tuple[Entry, ...]

    @property
    def slug(self) -> str:
        return re.sub(r"\W+", "-", self.title.lower()).strip("-")


@dataclasses.dataclass(frozen=True)
class Number:
    """A constant of an enum."""

    name: str
    value: int
    text: str


@dataclasses.dataclass(frozen=True)
class Header:
    preamble: tuple[str, ...]
    groups: tuple[Group, ...]
    callbacks: tuple[Entry, ...]
    enums: dict[str, tuple[Number, ...]]

    def functions(self) -> dict[str, Group]:
        """The group of each function."""
        return {entry.name: group for group in self.groups for entry in group.entries}


DECLARED = re.compile(r"/\*\*(.*?)\*/\n((?:typedef|enum|[a-z_]).*?;\n)", re.DOTALL)
TITLED = re.compile(r"^/\* (\w[^\n]*?) -{4,}\n(.*?)\*/", re.DOTALL | re.MULTILINE)


def spread(declaration: str, width: int = 76) -> str:
    """A declaration that is too long for a line of a page, with a line for each parameter. Its last parentheses hold them."""
    if "\n" not in declaration and len(declaration) <= width:
        return declaration
    line = " ".join(declaration.split()).replace("( ", "(")
    depth, begin = 0, line.rindex(")")
    while begin > 0:
        depth += {")": 1, "(": -1}.get(line[begin], 0)
        if depth == 0:
            break
        begin -= 1
    text = line[:begin + 1] + "\n    "
    for character in line[begin + 1:].lstrip():
        depth += {"(": 1, ")": -1}.get(character, 0)
        text += character + ("\n   " if character == "," and depth == 0 else "")
    return text


def paragraphs(text: str) -> tuple[str, ...]:
    """The text of a comment without its stars, by paragraphs."""
    lines = [re.sub(r"^\s*\*+ ?", "", line) for line in text.splitlines()]
    joined = "\n".join(lines).strip()
    return tuple(" ".join(each.split()) for each in re.split(r"\n\s*\n", joined) if each.strip())


def comment(text: str) -> Comment:
    body, *tags = re.split(r"@(?=param|return)", text)
    named, result = [], ""
    for tag in tags:
        words = " ".join(paragraphs(tag))
        if words.startswith("return"):
            result = words[len("return"):].strip()
        else:
            _, name, rest = words.split(" ", 2)
            named.append((name, rest))
    return Comment(paragraphs(body), tuple(named), result)


def entries(text: str) -> tuple[Entry, ...]:
    found = []
    for written, declaration in DECLARED.findall(text):
        name = re.search(r"\b((?:vcx|msdk)_\w+)\)?\(", declaration)
        if name and not declaration.startswith("enum"):
            found.append(Entry(name[1], declaration.strip(), comment(written)))
    return tuple(found)


def numbers(text: str) -> dict[str, tuple[Number, ...]]:
    enums = {}
    for name, body in re.findall(r"^enum (\w+) \{\n(.*?)^\};", text, re.DOTALL | re.MULTILINE):
        found = re.findall(r"/\*\*((?:(?!\*/).)*)\*/\s*(\w+) = (\d+)", body, re.DOTALL)
        enums[name] = tuple(Number(each, int(value), " ".join(paragraphs(told))) for told, each, value in found)
    return enums


def read(path: pathlib.Path) -> Header:
    text = path.read_text()
    titles = list(TITLED.finditer(text))
    ends = [each.start() for each in titles[1:]] + [len(text)]
    groups = [
        Group(title[1], paragraphs(title[2]), entries(text[title.end():end])) for title, end in zip(titles, ends)
    ]
    before = text[: titles[0].start()]
    preamble = re.match(r"/\*\n(.*?)\*/", text, re.DOTALL)
    return Header(
        paragraphs(preamble[1]) if preamble else (), tuple(group for group in groups if group.entries),
        entries(before), numbers(text),
    )
