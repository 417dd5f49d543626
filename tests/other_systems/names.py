"""Which names of the standard library each system has, as typeshed says: mypy carries it, and checks by it."""

from __future__ import annotations

import ast
import functools
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

LINUX, MACOS, WINDOWS = "linux", "darwin", "win32"
SYSTEMS = (LINUX, MACOS, WINDOWS)


@functools.cache
def folder() -> Path:
    """The directory of the stubs of the standard library."""
    spec = find_spec("mypy")
    assert spec is not None and spec.origin is not None
    return Path(spec.origin).parent / "typeshed" / "stdlib"


@functools.cache
def names(module: str, system: str) -> frozenset[str]:
    """What a module has on a system, for the Python that runs; empty where the system has no such module."""
    path = folder() / f"{module}.pyi"
    path = path if path.is_file() else folder() / module / "__init__.pyi"
    return frozenset(_bound(ast.parse(path.read_text("utf-8")).body, system))


def not_everywhere(module: str) -> frozenset[str]:
    """The names of a module that one of the systems lacks, public ones."""
    everywhere = frozenset.intersection(*(names(module, system) for system in SYSTEMS))
    some = frozenset.union(*(names(module, system) for system in SYSTEMS))
    return frozenset(name for name in some - everywhere if not name.startswith("_"))


def lacking(module: str, system: str) -> list[str]:
    """The names that a module has on Linux, and not on another system."""
    return sorted(name for name in names(module, LINUX) - names(module, system) if not name.startswith("_"))


@functools.cache
def modules_lacking(system: str) -> frozenset[str]:
    """The modules that have nothing in them on a system, and something on another."""
    modules = [path.stem for path in folder().glob("*.pyi") if not path.stem.startswith("_")]
    return frozenset(name for name in modules if not _own(name, system) and any(_own(name, other) for other in SYSTEMS))


def _own(module: str, system: str) -> bool:
    """Whether a module defines anything on a system, other than what its stub imports."""
    tree = ast.parse((folder() / f"{module}.pyi").read_text("utf-8"))
    body = [node for node in tree.body if not isinstance(node, ast.Import | ast.ImportFrom)]
    return any(not name.startswith("_") for name in _bound(body, system))


def _bound(body: list[ast.stmt], system: str) -> Iterator[str]:
    for node in body:
        if isinstance(node, ast.If):
            yield from _bound(node.body if _holds(node.test, system) else node.orelse, system)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.AnnAssign | ast.Assign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from (target.id for target in targets if isinstance(target, ast.Name))
        elif isinstance(node, ast.ImportFrom):
            yield from (alias.asname or alias.name for alias in node.names)


def _holds(test: ast.expr, system: str) -> bool:
    """What a condition of a stub comes to: of sys.platform, sys.version_info, or both."""
    if isinstance(test, ast.BoolOp):
        values = [_holds(value, system) for value in test.values]
        return all(values) if isinstance(test.op, ast.And) else any(values)
    if isinstance(test, ast.UnaryOp):
        return not _holds(test.operand, system)
    text = ast.unparse(test)
    if "sys.platform" not in text and "sys.version_info" not in text:
        return True  # TYPE_CHECKING
    asked = text.replace("sys.platform", repr(system)).replace("sys.version_info", repr(tuple(sys.version_info[:2])))
    return bool(eval(asked, {"__builtins__": {}}))  # of typeshed's own text
