"""Reads the Python package from its sources: what it offers, with declarations and docstrings. Imports nothing of it."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import pathlib
import re
import textwrap
from collections.abc import Iterator, Mapping

MODULES = {
    "agent": "Session", "agents": "Several agents", "connection": "Connections", "messages": "Messages",
    "credential": "Credentials that are held", "display": "Words and pictures for people",
    "proof": "Proofs", "issuing": "Issuing", "verification": "Verifying", "wallet": "Wallet", "backup": "Backups", "kept": "Kept objects",
    "ledger": "Ledgers", "webvh": "DIDs of did:webvh", "resolver": "Public objects from the program",
    "state": "States", "errors": "Exceptions", "logs": "Log", "qr": "QR codes",
}
"""The modules with the titles of their pages, in the order of the navigation."""
ALIASES = ("_held", "agent", "messages", "verification", "wallet")
"""The modules with names for types."""
OFFERED_WHOLE = ("messages", "wallet")
"""The modules that programs use by their names."""


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

    name: str
    title: str
    text: str
    entries: tuple[Entry, ...]

    @property
    def address(self) -> str:
        return f"python/{self.name}.html"

    def all(self) -> Iterator[Entry]:
        for entry in self.entries:
            yield entry
            yield from entry.parts


def read(package: pathlib.Path) -> list[Module]:
    """The pages, with all that the package offers."""
    offered = offered_names(package)
    shared = {each.name: each for each in ast.parse((package / "_held.py").read_text()).body if isinstance(each, ast.ClassDef)}
    return [module(package / f"{name}.py", title, offered, shared) for name, title in MODULES.items()]


def aliases(package: pathlib.Path) -> Iterator[Entry]:
    """The names for types that stand in declarations, each with the text after it."""
    for name in ALIASES:
        body = ast.parse((package / f"{name}.py").read_text()).body
        for node, following in zip(body, body[1:]):
            if isinstance(node, ast.Assign) and isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant):
                if re.fullmatch(r"[A-Z][a-zA-Z]*[a-z]", target := ast.unparse(node.targets[0])):
                    yield Entry(target, ast.unparse(node), str(following.value.value))


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
                entries.append(function_entry(node, "" if node.name in offered else prefix))
    return Module(path.stem, title, ast.get_docstring(tree) or "", tuple(entries))


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


def paragraphs(docstring: str) -> Iterator[tuple[bool, str]]:
    """The paragraphs of a docstring, each with whether it is code: its lines are indented then."""
    for each in re.split(r"\n\s*\n", inspect.cleandoc(docstring)):
        is_code = each.startswith("    ")
        yield is_code, textwrap.dedent(each) if is_code else " ".join(each.split())
