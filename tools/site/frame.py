"""The parts of a page around its text: addresses, links of the navigation, the list of headings, the pages before and after."""

from __future__ import annotations

import html
import posixpath

from documents import GUIDE, Document
from markdown import Heading
from names import breakable


def relative(page: str, target: str) -> str:
    path, _, anchor = target.partition("#")
    found = posixpath.relpath(path or ".", posixpath.dirname(page) or ".")
    return ("" if path == page and anchor else found) + (f"#{anchor}" if anchor else "")


def here(page: str, address: str, name: str) -> str:
    current = ' aria-current="page"' if page == address else ""
    return f'<a href="{relative(page, address)}"{current}>{html.escape(name)}</a>'


def contents(headings: tuple[Heading, ...]) -> str:
    """The headings of a page, if there are several."""
    listed = [each for each in headings if each.level == 2]
    if len(listed) < 2:
        return ""
    items = "".join(f'<li><a href="#{each.anchor}">{breakable(each.text)}</a></li>' for each in listed)
    return f'<nav class="contents" aria-label="On this page"><h2>On this page</h2><ul>{items}</ul></nav>'


def steps(document: Document) -> tuple[Document | None, Document | None]:
    """The pages of the guide before and after a document."""
    if document not in GUIDE:
        return None, None
    number = GUIDE.index(document)
    return GUIDE[number - 1] if number else None, GUIDE[number + 1] if number + 1 < len(GUIDE) else None


def links(page: str, around: tuple[Document | None, Document | None]) -> str:
    """Links to the pages before and after."""
    shown = "".join(
        f'<a class="{label.lower()}" href="{relative(page, each.address)}"><span>{label}</span>{html.escape(each.title)}</a>'
        for label, each in zip(("Before", "Next"), around) if each
    )
    return f'<nav class="steps" aria-label="Pages of the guide">{shown}</nav>' if shown else ""
