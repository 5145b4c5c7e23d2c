"""The reference of the Python package: a page for each module, and a list of all names."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Mapping, Sequence

from markdown import Heading, Rendered, code
from names import breakable
from package import Entry, Module, paragraphs

Mark = Callable[[str], str]


def prose(text: str, mark: Mark) -> str:
    """A paragraph of a docstring as HTML, with its names marked."""
    words = re.split(r"`([^`]+)`", text)
    return "".join(mark(word) if number % 2 else html.escape(word) for number, word in enumerate(words))


def docstring(text: str, mark: Mark) -> str:
    """A docstring as HTML: paragraphs, and indented lines as code."""
    told = paragraphs(text)
    return "".join(code(each + "\n", "python") if is_code else f"<p>{prose(each, mark)}</p>" for is_code, each in told)


class Pages:
    """The pages. `mark` gives the HTML of a name for a reader of an entry, `beneath` the library's functions of an entry."""

    def __init__(
        self,
        modules: Sequence[Module],
        types: Sequence[Entry],
        mark: Callable[[str, str], str],
        beneath: Mapping[str, Sequence[str]],
    ) -> None:
        self.modules, self.types, self.mark, self.beneath = modules, types, mark, beneath

    def page(self, module: Module) -> Rendered:
        body = f"<h1>{html.escape(module.title)}</h1>{docstring(module.text, lambda word: self.mark('', word))}"
        body += "".join(self.entry(each, 2) for each in module.entries)
        return Rendered(body, tuple(Heading(2, each.name, each.name) for each in module.all()))

    def entry(self, entry: Entry, level: int) -> str:
        def mark(word: str) -> str:
            return self.mark(entry.name, word)

        title = f'<h{level}><a href="#{entry.name}">{breakable(entry.name)}</a></h{level}>'
        body = f'<section class="entry" id="{entry.name}">{title}{code(entry.declaration + chr(10), "python")}'
        body += docstring(entry.text, mark)
        if called := self.beneath.get(entry.name):
            body += '<p class="other">C: ' + ", ".join(map(mark, dict.fromkeys(called))) + "</p>"
        return body + "</section>\n" + "".join(self.entry(each, 3) for each in entry.parts)

    def index(self) -> Rendered:
        body = (
            "<h1>Python reference</h1><p>The package <code>msdk_vcx</code>, which programs import as <code>msdk</code>. "
            "Functions that begin with <code>async</code> are awaited; <code>msdk_vcx.sync</code> has the same names without "
            "asyncio.</p>"
        )
        for each in self.modules:
            body += f'<h2><a href="{each.address.partition("/")[2]}">{html.escape(each.title)}</a></h2><ul class="names">'
            for entry in each.all():
                first = re.split(r"(?<=\.)\s", " ".join(entry.text.split()))[0]
                told = prose(first, lambda word: f"<code>{html.escape(word)}</code>")
                body += f"<li>{self.mark('', entry.name)} <span>{told}</span></li>"
            body += "</ul>"
        body += '<h2 id="types">Names of types</h2>' + "".join(self.entry(each, 3) for each in self.types)
        return Rendered(body, ())
