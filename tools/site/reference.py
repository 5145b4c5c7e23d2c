"""The pages of the API reference, from the header: a page for each group, a list of all functions, the errors."""

from __future__ import annotations

import ast
import html
import pathlib
import re
from collections.abc import Callable, Iterator, Mapping

from header import Comment, Entry, Group, Header, Number, spread
from markdown import Heading, Rendered, coloured
from names import breakable

ENUMS = {
    "vcx_state": "States of connections and credentials",
    "vcx_proof_state": "Results of a verification",
    "vcx_backup_state": "States of a backup",
    "vcx_publication_state": "States of a publication",
    "vcx_log_level": "Levels of the log",
}


def python_names(package: pathlib.Path) -> dict[str, list[str]]:
    """The functions and methods of the Python package that call each function of the library."""
    found: dict[str, list[str]] = {}
    for module in sorted(package.glob("[a-z]*.py")):
        prefix = f"{module.stem}." if module.stem in ("messages", "wallet") else ""
        defined = dict(definitions(ast.parse(module.read_text())))
        for name in defined:
            if not name.rpartition(".")[2].startswith("_"):
                for called in calls(name, defined):
                    found.setdefault(called, []).append(prefix + name)
    return found


def definitions(module: ast.Module) -> Iterator[tuple[str, ast.AST]]:
    """The functions and methods of a module, by their names."""
    for top in module.body:
        for node in top.body if isinstance(top, ast.ClassDef) else [top]:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                yield f"{top.name}.{node.name}" if isinstance(top, ast.ClassDef) else node.name, node


def calls(name: str, defined: Mapping[str, ast.AST]) -> set[str]:
    """The functions of the library that a function names, itself or in the private ones that it calls."""
    owner = name.rpartition(".")[0]
    found: set[str] = set()
    for node in ast.walk(defined[name]):
        if isinstance(node, ast.Constant) and re.fullmatch(r"(vcx|msdk)_\w+", str(node.value)):
            found.add(str(node.value))
        used = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
        for private in (used, f"{owner}.{used}") if used.startswith("_") else ():
            found |= calls(private, defined) if private in defined and private != name else set()
    return found


class Reference:
    """`mark` gives the HTML of a function's or an error's name; `texts` the section of the JSON texts for a function."""

    def __init__(
        self,
        header: Header,
        mark: Callable[[str], str],
        texts: Mapping[str, list[tuple[str, str]]],
        python: Mapping[str, list[str]],
    ) -> None:
        self.header, self.mark, self.texts, self.python = header, mark, texts, python

    def prose(self, text: str) -> str:
        """Text of a comment, with links where it names functions and errors."""
        pieces = re.split(r"\b((?:vcx|msdk|VCX)_\w+(?: \(\d{4}\))?)", text)
        return "".join(self.mark(each) if number % 2 else html.escape(each) for number, each in enumerate(pieces))

    def comment(self, comment: Comment) -> str:
        text = "".join(f"<p>{self.prose(each)}</p>" for each in comment.paragraphs)
        if comment.parameters:
            named = comment.parameters
            rows = "".join(f"<dt><code>{breakable(name)}</code></dt><dd>{self.prose(told)}</dd>" for name, told in named)
            text += f"<dl class=\"parameters\">{rows}</dl>"
        return text + (f"<p><strong>Returns</strong> {self.prose(comment.result)}</p>" if comment.result else "")

    def entry(self, entry: Entry) -> str:
        body = f'<section class="entry" id="{entry.name}"><h3><a href="#{entry.name}">{breakable(entry.name)}</a></h3>'
        body += f'<pre class="code" tabindex="0"><code>{coloured(spread(entry.declaration), "c")}</code></pre>'
        body += self.comment(entry.comment)
        if names := self.python.get(entry.name):
            body += '<p class="other">Python: ' + ", ".join(map(self.mark, dict.fromkeys(names))) + "</p>"
        for title, table in self.texts.get(entry.name, ()):
            body += f"<details><summary>JSON: {html.escape(title)}</summary>{table}</details>"
        return body + "</section>\n"

    def group(self, group: Group) -> Rendered:
        body = f"<h1>{html.escape(group.title)}</h1>"
        body += "".join(f"<p>{self.prose(each)}</p>" for each in group.introduction)
        body += "".join(map(self.entry, group.entries))
        return Rendered(body, tuple(Heading(2, each.name, each.name) for each in group.entries))

    def index(self, address: Callable[[Group], str]) -> Rendered:
        """All functions, with a field to find one."""
        first, *rest = self.header.preamble
        body = f"<h1>C functions</h1><p>{html.escape(first)} Declared in <code>msdk.h</code>.</p>"
        for group in self.header.groups:
            body += f'<h2><a href="{address(group)}">{html.escape(group.title)}</a></h2><ul class="names">'
            for entry in group.entries:
                told = re.split(r"(?<=\.) ", entry.comment.paragraphs[0])[0]
                body += f"<li>{self.mark(entry.name)} <span>{html.escape(told)}</span></li>"
            body += "</ul>"
        body += '<h2 id="rules">Rules for all functions</h2>' + "".join(f"<p>{self.lead(each)}</p>" for each in rest)
        body += '<h2 id="callbacks">Callbacks</h2>' + "".join(map(self.entry, self.header.callbacks))
        for name, title in ENUMS.items():
            body += f'<h2 id="{name}">{title}</h2>' + numbers(self.header.enums[name], self.prose)
        headings = [Heading(2, "Rules for all functions", "rules"), Heading(2, "Callbacks", "callbacks")]
        return Rendered(body, (*headings, *(Heading(2, title, name) for name, title in ENUMS.items())))

    def lead(self, text: str) -> str:
        """A paragraph whose first word or two are its title."""
        title = re.match(r"^([A-Z][\w ]{2,30})\. (?=\S)", text)
        return f"<strong>{title[1]}.</strong> {self.prose(text[title.end():])}" if title else self.prose(text)

    def errors(self, families: Mapping[int, str]) -> Rendered:
        """Every number, with its text and the class of the exception in Python."""

        def exception(code: int) -> str:
            return f"<br>{families.get(code, 'VcxError')}" if code else ""

        rows = "".join(
            f'<tr id="{each.name}"><td>{each.value}</td><td><code>{breakable(each.name)}</code>{exception(each.value)}</td>'
            f"<td>{self.prose(each.text)}</td></tr>"
            for each in self.header.enums["vcx_error_code"]
        )
        body = (
            "<h1>Errors</h1><p>Every number that a call may return or hand to its callback. The numbers are libvcx's. The second "
            'name is that of the exception in Python.</p><div class="scroll names"><table><thead><tr><th>Number</th>'
            f"<th>Name</th><th>Meaning</th></tr></thead><tbody>{rows}</tbody></table></div>"
        )
        return Rendered(body, ())


def numbers(listed: tuple[Number, ...], prose: Callable[[str], str]) -> str:
    rows = "".join(
        f"<tr><td>{each.value}</td><td><code>{breakable(each.name)}</code></td><td>{prose(each.text)}</td></tr>" for each in listed
    )
    return f'<div class="scroll"><table><tbody>{rows}</tbody></table></div>'
