"""The types of `msdk_vcx.sync`: those of the package, with each asynchronous function as one that waits.

Used by scripts/bindings. Reads the sources of the package and imports none of them.
"""

from __future__ import annotations

import ast
import pathlib
import re
from collections.abc import Iterator

HEADER = '''"""The types of sync.py. Written by scripts/bindings from the package's asynchronous sources."""

import contextlib
import dataclasses
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Optional, TypeVar, Union

from ._serving import OfAgent

_Self = TypeVar("_Self")
__version__: str

'''
WAITING = {
    "AsyncIterator": "Iterator", "asynccontextmanager": "contextmanager",
    "__aenter__": "__enter__", "__aexit__": "__exit__", "__aiter__": "__iter__",
}
NAMESPACES = ("messages", "wallet")
"""The modules that the package offers whole."""


class Waits(ast.NodeTransformer):
    """Takes the asynchronous words out of a definition, and the bodies."""

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        members = {name: getattr(node, name) for name in node._fields}
        return self.visit_FunctionDef(ast.FunctionDef(**{**members, "name": WAITING.get(node.name, node.name)}))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.body = [ast.Expr(ast.Constant(...))]
        node.args.defaults = [ast.Constant(...) for _ in node.args.defaults]
        node.args.kw_defaults = [each and ast.Constant(...) for each in node.args.kw_defaults]
        node.decorator_list = unchecked(node.decorator_list)
        self.generic_visit(node)
        return node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.Name(WAITING.get(node.id, node.id))

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        return ast.Attribute(self.visit(node.value), WAITING.get(node.attr, node.attr))

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        kept = [each for each in node.body if is_public(each)]
        node.decorator_list = unchecked(node.decorator_list)
        node.body = [self.visit(each) for each in kept] or [ast.Expr(ast.Constant(...))]
        return node


def unchecked(decorators: list[ast.expr]) -> list[ast.expr]:
    """The decorators without the one that checks arguments, which changes no type."""
    return [each for each in decorators if ast.unparse(each) != "checked"]


def is_public(node: ast.stmt) -> bool:
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return not node.name.startswith("_") or node.name.startswith("__")
    return isinstance(node, ast.AnnAssign) and not ast.unparse(node.target).startswith("_")


def is_asynchronous(node: ast.AST) -> bool:
    return any(isinstance(each, ast.AsyncFunctionDef) for each in ast.walk(node))


def names(package: pathlib.Path) -> tuple[dict[str, str], set[str]]:
    """The names that the package imports from its modules, and all that it offers."""
    tree = ast.parse((package / "__init__.py").read_text())
    imported = {
        each.name: node.module for node in tree.body if isinstance(node, ast.ImportFrom) and node.module
        for each in node.names
    }
    offered = next(
        {str(ast.literal_eval(each)) for each in node.value.elts} for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__" and isinstance(node.value, ast.List)
    )
    return imported, offered


def definitions(package: pathlib.Path, module: str) -> dict[str, ast.stmt]:
    tree = ast.parse((package / f"{module}.py").read_text())
    return {
        node.name: node for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef))
    }


def aliases(package: pathlib.Path, module: str) -> list[str]:
    """The types that a module gives a name, such as `JSONObject`."""
    tree = ast.parse((package / f"{module}.py").read_text())
    targets = [ast.unparse(target) for node in tree.body if isinstance(node, ast.Assign) for target in node.targets]
    return [name for name in targets if name[0].isupper() and not name.isupper()]


def stub(package: pathlib.Path) -> str:
    """The text of sync.pyi."""
    imported, offered = names(package)
    wanted = {name: module for name, module in imported.items() if name in offered}
    wanted |= {name: module for module in NAMESPACES for name in definitions(package, module) if not name.startswith("_")
               and (name in wanted or isinstance(definitions(package, module)[name], ast.ClassDef))}
    found = {name: (module, definitions(package, module)[name]) for name, module in sorted(wanted.items())}
    plain = [(module, name) for name, (module, node) in found.items() if not is_asynchronous(node)]
    waiting = [node for _, node in found.values() if is_asynchronous(node)]
    modules = {"_held", *NAMESPACES, *(module for module, _ in found.values())}
    lines = [f"from .{module} import {name}" for module in sorted(modules) for name in aliases(package, module)]
    lines += [f"from .{module} import {name} as {name}" for module, name in sorted(plain)]
    waiting.insert(0, definitions(package, "_held")["Held"])
    lines += [ast.unparse(ast.fix_missing_locations(Waits().visit(node))) + "\n" for node in waiting]
    lines += [line for module in NAMESPACES for line in namespace(package, module)]
    # Names of classes in a class that has members of these names.
    lines += [f"_{name} = {name}" for name in sorted(set(re.findall(r"type\[_(?!Self)(\w+)\]", "\n".join(lines))))]
    return HEADER + "\n".join(lines) + "\n"


def namespace(package: pathlib.Path, module: str) -> Iterator[str]:
    """The functions of a module that the package offers whole, as those of a class."""
    yield f"class {module}:"
    for name, node in definitions(package, module).items():
        if isinstance(node, ast.ClassDef) or name.startswith("_"):
            continue
        text = ast.unparse(ast.fix_missing_locations(Waits().visit(node)))
        yield "    @staticmethod\n" + "\n".join("    " + line for line in text.splitlines())
    yield ""
