"""The reference of the Python package from its sources: a page for each module, with the docstrings. Imports nothing of it."""

from __future__ import annotations

import ast
import dataclasses
import html
import inspect
import pathlib
import re
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence

from markdown import Heading, Rendered, breakable, code

MODULES = {
    "agent": "Session", "connection": "Connections", "messages": "Messages", "credential": "Credentials that are held",
    "proof": "Proofs", "issuing": "Issuing", "verification": "Verifying", "wallet": "Wallet", "backup": "Backups",
    "ledger": "Ledgers", "state": "States", "errors": "Exceptions", "logs": "Log", "qr": "QR codes",
}
"""The modules with the titles of their pages, in the order of the navigation."""
OFFERED_WHOLE = ("messages", "wallet")
"""The modules that programs use by their names."""
Mark = Callable[[str], str]


@dataclasses.dataclass(frozen=True)
class Entry:
    """A function, a class or a method: its name for programs, its declaration and its docstring."""

    name: str
    declaration: str
    text: str
    parts: tuple[Entry, ...] = ()


@dataclasses.dataclass(frozen=True)
class Module:
    """A page of the reference."""

    title: str
    address: str
    text: str
    entries: tuple[Entry, ...]

    def all(self) -> Iterator[Entry]:
        for entry in self.entries:
            yield entry
            yield from entry.parts


def read(package: pathlib.Path) -> list[Module]:
    """The pages, with all that the package offers."""
    offered = offered_names(package)
    shared = {each.name: each for each in ast.parse((package / "_held.py").read_text()).body if isinstance(each, ast.ClassDef)}
    return [module(package / f"{name}.py", title, offered, shared) for name, title in MODULES.items()]


def offered_names(package: pathlib.Path) -> set[str]:
    tree = ast.parse((package / "__init__.py").read_text())
    return next(
        set(ast.literal_eval(node.value)) for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
    )


def module(path: pathlib.Path, title: str, offered: set[str], shared: Mapping[str, ast.ClassDef]) -> Module:
    tree = ast.parse(path.read_text())
    prefix = f"{path.stem}." if path.stem in OFFERED_WHOLE else ""
    entries = []
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and (node.name in offered or (prefix and not node.name.startswith("_"))):
            entries.append(class_entry(node, "" if node.name in offered else prefix, shared))
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            if node.name in offered or (prefix and "checked" in map(ast.unparse, node.decorator_list)):
                entries.append(function_entry(node, prefix))
    return Module(title, f"python/{path.stem}.html", ast.get_docstring(tree) or "", tuple(entries))


def function_entry(node: ast.FunctionDef | ast.AsyncFunctionDef, prefix: str, is_method: bool = False) -> Entry:
    return Entry(prefix + node.name, declaration(node, is_method), ast.get_docstring(node) or "")


def class_entry(node: ast.ClassDef, prefix: str, shared: Mapping[str, ast.ClassDef]) -> Entry:
    bases = [ast.unparse(each) for each in node.bases]
    inherited = [each for base in bases if base in shared for each in shared[base].body]
    methods = [
        each for each in [*node.body, *inherited]
        if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef)) and not each.name.startswith("_")
    ]
    name = prefix + node.name
    lines = [line for line in map(member, node.body) if line]
    shown = f"({', '.join(bases)})" if bases and not set(bases) & {"Held", "_Named"} else ""
    head = f"class {node.name}{shown}" + (":\n" + textwrap.indent("\n".join(lines), "    ") if lines else "")
    parts = tuple(function_entry(each, f"{name}.", is_method=True) for each in methods)
    return Entry(name, head, ast.get_docstring(node) or "", parts)


def member(node: ast.stmt) -> str:
    """The line of a field or of a case, without the private ones."""
    is_public = not ast.unparse(node).startswith("_")
    if isinstance(node, ast.AnnAssign) and is_public:
        return ast.unparse(node)
    return ast.unparse(node) if isinstance(node, ast.Assign) and is_public else ""


def declaration(node: ast.FunctionDef | ast.AsyncFunctionDef, is_method: bool) -> str:
    """The first lines of a function as a caller reads them: without `self` or `cls`."""
    decorators = [ast.unparse(each) for each in node.decorator_list]
    kept = [each for each in decorators if each in ("classmethod", "staticmethod", "property")]
    word = "async def" if isinstance(node, ast.AsyncFunctionDef) else "def"
    if "contextlib.asynccontextmanager" in decorators:
        word = "async with"
    given = parameters(node.args)[1 if is_method and "staticmethod" not in kept else 0 :]
    result = f" -> {ast.unparse(node.returns)}" if node.returns and word != "async with" else ""
    line = f"{word} {node.name}({', '.join(given)}){result}"
    if len(line) > 80:
        line = f"{word} {node.name}(\n" + "".join(f"    {each},\n" for each in given) + f"){result}"
    return "".join(f"@{each}\n" for each in kept) + line


def parameters(arguments: ast.arguments) -> list[str]:
    """Each parameter with its annotation and its default."""
    free = [None] * (len(arguments.args) - len(arguments.defaults))
    listed = [parameter(each, default) for each, default in zip(arguments.args, [*free, *arguments.defaults])]
    if arguments.vararg:
        listed.append(f"*{parameter(arguments.vararg, None)}")
    elif arguments.kwonlyargs:
        listed.append("*")
    return listed + [parameter(*each) for each in zip(arguments.kwonlyargs, arguments.kw_defaults)]


def parameter(argument: ast.arg, default: ast.expr | None) -> str:
    typed = argument.arg + (f": {ast.unparse(argument.annotation)}" if argument.annotation else "")
    return typed if default is None else f"{typed} = {ast.unparse(default)}"


def docstring(text: str, mark: Mark) -> str:
    """A docstring as HTML: paragraphs, and indented lines as code."""
    pieces = []
    for each in re.split(r"\n\s*\n", inspect.cleandoc(text)):
        if each.startswith("    "):
            pieces.append(code(textwrap.dedent(each) + "\n", "python"))
        else:
            words = re.split(r"`([^`]+)`", " ".join(each.split()))
            pieces.append("<p>" + "".join(mark(word) if n % 2 else html.escape(word) for n, word in enumerate(words)) + "</p>")
    return "".join(pieces)


class Pages:
    """The pages. `mark` gives the HTML of a name for a reader of an entry, `beneath` the library's functions of an entry."""

    def __init__(self, modules: Sequence[Module], mark: Callable[[str, str], str], beneath: Mapping[str, Sequence[str]]) -> None:
        self.modules, self.mark, self.beneath = modules, mark, beneath

    def page(self, module: Module) -> Rendered:
        body = f"<h1>{html.escape(module.title)}</h1>{docstring(module.text, lambda word: self.mark('', word))}"
        body += "".join(self.entry(each, 2) for each in module.entries)
        return Rendered(body, tuple(Heading(2, each.name, each.name) for each in module.entries))

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
                told = re.split(r"(?<=\.)\s", inspect.cleandoc(entry.text))[0]
                words = re.split(r"`([^`]+)`", " ".join(told.split()))
                line = "".join(f"<code>{html.escape(word)}</code>" if n % 2 else html.escape(word) for n, word in enumerate(words))
                body += f"<li>{self.mark('', entry.name)} <span>{line}</span></li>"
            body += "</ul>"
        return Rendered(body, ())
