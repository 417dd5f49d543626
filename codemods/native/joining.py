"""Joins a program of several files into one text: what it takes from the files that build parts of its graph.

`import model` gives way to the statements of model.py that the program needs, and `model.net(x)` becomes `net(x)`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from codemods.native.places import stores
from codemods.native.refusals import NotNativeError
from codemods.native.source_text import SourceText
from codemods.tree import walk

_SWITCHES = ("disable_v2_behavior", "enable")


@dataclass(frozen=True)
class Joined:
    """A text of several files. `origins` has the file and the old number of each line."""

    text: str
    origins: tuple[tuple[str, int], ...]

    def origin(self, number: int) -> tuple[str, int]:
        """Returns the file and the number that a line had."""
        return self.origins[min(max(number, 1), len(self.origins)) - 1]


@dataclass(frozen=True)
class _File:
    """One file: its text, tree and lines, with the names of other files written as its own."""

    path: str
    tree: ast.Module
    lines: Sequence[str]
    taken: Mapping[ast.stmt, tuple[str, frozenset[str], str]]


def joined(path: str, files: Mapping[str, tuple[str, str]], needed: Mapping[str, frozenset[str]]) -> Joined:
    """Returns the text of a program with what it takes from other files.

    Args:
        path: The file that runs.
        files: Module -> its path and text; the program's own path is among them.
        needed: Path -> the modules that it takes statements from.

    Raises:
        NotNativeError: The files have names in common, or are imported in a way that is not known.
    """
    program = _read(path, next(text for known, text in files.values() if known == path), needed)
    lines = list(_joined(program, None, files, needed, set()))
    _require_apart(program, lines)
    return Joined("".join(text for text, _, _ in lines), tuple((file, number) for _, file, number in lines))


_Line = tuple[str, str, int]


def _joined(
    file: _File,
    wanted: frozenset[str] | None,
    files: Mapping[str, tuple[str, str]],
    needed: Mapping[str, frozenset[str]],
    seen: set[str],
) -> Iterator[_Line]:
    """Yields the lines of a file, all of them or those of wanted names, with those of the files it imports."""
    kept = set(file.tree.body) if wanted is None else _needed(file.tree, wanted)
    at = 1
    for statement in file.tree.body:
        first, last = _lines_of(statement, file.lines, at)
        if wanted is None and first > at:
            yield from ((file.lines[number - 1], file.path, number) for number in range(at, first))
        at = last + 1
        if statement in file.taken and statement in kept:
            module, names, rest = file.taken[statement]
            if rest:
                yield rest, file.path, first
            if module not in seen:
                seen.add(module)
                other = _read(*files[module], needed)
                yield from _joined(other, names, files, needed, seen)
        elif statement in kept:
            shown = ast.unparse(statement) if isinstance(statement, (ast.Import, ast.ImportFrom)) else ""
            if shown in seen and wanted is not None:
                continue
            seen |= {shown} - {""}
            apart = wanted is not None and isinstance(statement, (ast.FunctionDef, ast.ClassDef))
            yield from [("\n", file.path, first)] * (2 * apart)
            yield from ((file.lines[number - 1], file.path, number) for number in range(first, last + 1))
            yield from [("\n", file.path, last)] * (2 * apart)
    if wanted is None:
        yield from ((file.lines[number - 1], file.path, number) for number in range(at, len(file.lines) + 1))


def _lines_of(statement: ast.stmt, lines: Sequence[str], at: int) -> tuple[int, int]:
    """Returns the first and last line of a statement, with the comments directly above it."""
    first = min([statement.lineno, *(d.lineno for d in getattr(statement, "decorator_list", []))])
    while first > at and lines[first - 2].lstrip().startswith("#"):
        first -= 1
    return first, statement.end_lineno or statement.lineno


def _read(path: str, text: str, needed: Mapping[str, frozenset[str]]) -> _File:
    """Returns a file whose names of other files are its own.

    Raises:
        NotNativeError: It imports another file in a way that is not known.
    """
    tree = ast.parse(text)
    source = SourceText(text, tree)
    taken: dict[ast.stmt, tuple[str, frozenset[str], str]] = {}
    for node in walk(tree):
        for module in needed.get(path, frozenset()):
            names = _imported(node, module)
            if names is None:
                continue
            if node not in tree.body or not isinstance(node, ast.stmt) or not source.is_alone(node):
                raise NotNativeError(
                    node, "NAT008", f"import {module} in a statement of its own, at the top of the file"
                )
            rest = ""
            if isinstance(node, ast.Import):
                alias = next(alias for alias in node.names if alias.name == module)
                others = [ast.unparse(other) for other in node.names if other is not alias]
                rest = f"import {', '.join(others)}\n" if others else ""
                names = _attributes(tree, alias.asname or module, source)
            elif "*" in names:
                names = frozenset(n.id for n in walk(tree) if isinstance(n, ast.Name))
            if node in taken:
                raise NotNativeError(node, "NAT008", f"import {module} in a statement of its own")
            taken[node] = module, names, rest
    made = source.result() if taken else text
    ending = "" if made.endswith("\n") else "\n"  # lines of another file may follow
    return _File(path, tree, (made + ending).splitlines(keepends=True), taken)


def _imported(node: ast.AST, module: str) -> frozenset[str] | None:
    """Returns the names that a statement imports from a module; None if it imports others."""
    if isinstance(node, ast.Import) and any(alias.name == module for alias in node.names):
        return frozenset()
    if isinstance(node, ast.ImportFrom) and node.module == module and node.level <= 1:
        if any(alias.asname not in (None, alias.name) for alias in node.names):
            raise NotNativeError(node, "NAT008", f"import the names of {module} as they are")
        return frozenset(alias.name for alias in node.names)
    return None


def _attributes(tree: ast.Module, module: str, source: SourceText) -> frozenset[str]:
    """Writes `module.name` as `name`, and returns these names.

    Raises:
        NotNativeError: The file has such a name of its own, or uses the module otherwise.
    """
    own = {n.id for n in walk(tree) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
    own |= {n.arg for n in walk(tree) if isinstance(n, ast.arg)} | {
        n.name for n in walk(tree) if isinstance(n, (ast.FunctionDef, ast.ClassDef))
    }
    names: set[str] = set()
    roots = set()
    for node in walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == module:
            if node.attr in own or not isinstance(node.ctx, ast.Load):
                raise NotNativeError(node, "NAT008", f"{node.attr} is a name of {module} and of this file; rename one")
            roots.add(node.value)
            names.add(node.attr)
            source.replace(source.span(node), node.attr)
    for node in walk(tree):
        if isinstance(node, ast.Name) and node.id == module and node not in roots:
            raise NotNativeError(node, "NAT008", f"the module {module} is used as a value, or has another meaning here")
    return frozenset(names)


def _needed(tree: ast.Module, wanted: frozenset[str]) -> set[ast.stmt]:
    """Returns the statements of a module that bind names, with what they need, and those that run for their effect."""
    statements = [node for node in tree.body if not _is_main(node) and not _is_docstring(node)]
    kept: set[ast.stmt] = {node for node in statements if isinstance(node, ast.Expr) and not _is_switch(node)}
    todo = set(wanted)
    for node in kept:
        todo |= _reads(node)
    done: set[str] = set()
    while todo - done:
        name = sorted(todo - done)[0]
        done.add(name)
        for node in statements:
            if name in stores(node):
                kept.add(node)
                todo |= _reads(node)
    return kept


def _reads(node: ast.stmt) -> set[str]:
    return {below.id for below in walk(node) if isinstance(below, ast.Name)}


def _is_main(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and "__name__" in ast.unparse(node.test)


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_switch(node: ast.Expr) -> bool:
    call = node.value
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in _SWITCHES


def _require_apart(program: _File, lines: Sequence[_Line]) -> None:
    """Refuses files that bind the same name at the top, other than by the same import.

    Raises:
        NotNativeError: Two of them do.
    """
    tree = ast.parse("".join(text for text, _, _ in lines))
    owner: dict[str, tuple[str, str]] = {}
    for node in tree.body:
        shown = ast.unparse(node) if isinstance(node, (ast.Import, ast.ImportFrom)) else ""
        for name in stores(node):
            file = lines[node.lineno - 1][1]
            if isinstance(node, ast.Import) and all(alias.asname is None for alias in node.names):
                shown = f"import {name}"  # `import a.b` and `import a.c` bind the same module
            before = owner.setdefault(name, (file, shown))
            if before[0] != file and not (shown and before[1] == shown):
                where = next((n for n in program.tree.body if n in program.taken), program.tree)
                raise NotNativeError(where, "NAT008", f"{name} is a name of {before[0]} and of {file}; rename one")
