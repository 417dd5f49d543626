"""A file with scopes of options, and the file without them once the calls have their options."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from codemods import scopes
from codemods.names import Names
from codemods.native.kinds import v1_name
from codemods.native.one_by_one import Lines
from codemods.native.scope_options import DECORATORS, ScopeReader
from codemods.native.source_text import SourceText, reindented
from codemods.native.steady import Steady
from codemods.tree import walk


@dataclass(frozen=True)
class ScopedFile:
    text: str
    tree: ast.Module
    names: Names
    reader: ScopeReader
    source: SourceText

    @classmethod
    def of(cls, text: str) -> ScopedFile:
        tree = ast.parse(text)
        names = scopes.resolve(tree)
        functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
        return cls(text, tree, names, ScopeReader(names, Steady(names), functions), SourceText(text, tree))

    def scopes_in(self, node: ast.AST) -> list[ast.With]:
        """Returns the blocks with scopes below a node, each outer one before those in it."""
        blocks = [n for n in walk(node) if isinstance(n, ast.With) and self.scopes_of(n)]
        return sorted(blocks, key=lambda block: (block.lineno, block.col_offset))

    def scopes_of(self, block: ast.AST) -> list[ast.withitem]:
        """Returns the parts of a `with` that are scopes of options; none for other statements."""
        items = block.items if isinstance(block, ast.With) else []
        return [item for item in items if self.reader.is_scope(item.context_expr)]


def gives_scope(function: ast.FunctionDef, file: ScopedFile) -> bool:
    """Returns whether a function gives a scope, and calls nothing that makes a part of a graph."""
    calls = [node for node in walk(function) if isinstance(node, ast.Call)]
    others = (call for call in calls if not (isinstance(call.func, ast.Name) and file.names.is_unbound(call.func)))
    known = all(v1_name(file.names, call.func) and file.reader.key(call.func) is None for call in others)
    return known and bool(file.scopes_in(function))


def without_scopes(text: str, line: int) -> Lines:
    """Returns a text without the scope that begins in a line, and those in it."""
    numbers = tuple(range(1, len(text.splitlines()) + 1))
    while True:
        file = ScopedFile.of(text)
        inner = [
            block for outer in file.scopes_in(file.tree) if outer.lineno == line for block in file.scopes_in(outer)
        ]
        if not inner:
            return text, numbers
        text, kept = _without_scope(inner[-1], file)
        numbers = tuple(numbers[number - 1] for number in kept)
        if inner[-1].lineno == line and len(inner) == 1:
            return text, numbers


def _without_scope(block: ast.With, file: ScopedFile) -> Lines:
    gone, lines = file.scopes_of(block), file.text.splitlines(keepends=True)
    first, last = block.body[0].lineno, block.end_lineno or block.lineno
    head_end = max(
        part.end_lineno or 0 for part in (block.items[-1].optional_vars, block.items[-1].context_expr) if part
    )
    while head_end < first - 1 and not lines[head_end - 1].split("#")[0].rstrip().endswith(":"):
        head_end += 1
    kept = range(head_end + 1, last + 1)
    indent = file.source.indent_of(block)
    others = [ast.unparse(part) for part in block.items if part not in gone]
    if others:
        new = [(f"{indent}with {', '.join(others)}:\n", block.lineno)]
        new += [(lines[number - 1], number) for number in kept]
    else:
        body = reindented("".join(lines[n - 1] for n in kept), file.source.indent_of(block.body[0]), indent)
        new = list(zip(body.splitlines(keepends=True), kept, strict=True))
    rows = [(line, n) for n, line in enumerate(lines, 1) if n < block.lineno]
    rows += new
    rows += [(line, n) for n, line in enumerate(lines, 1) if n > last]
    return "".join(line for line, _ in rows), tuple(n for _, n in rows)


def without_leftovers(file: ScopedFile) -> Lines | None:
    """Returns a text without what only scopes needed: functions that give them, names that hold them, decorators."""
    gone = {n for node in _unused(file) for n in range(node.lineno, (node.end_lineno or node.lineno) + 1)}
    if not gone and not file.scopes_in(file.tree):
        functions = (node for node in walk(file.tree) if isinstance(node, ast.FunctionDef))
        decorators = (part for function in functions for part in function.decorator_list)
        gone = {part.lineno for part in decorators if v1_name(file.names, part) in DECORATORS}
    rows = [(line, n) for n, line in enumerate(file.text.splitlines(keepends=True), 1) if n not in gone]
    return ("".join(line for line, _ in rows), tuple(n for _, n in rows)) if gone else None


def _unused(file: ScopedFile) -> Iterator[ast.stmt]:
    """Yields functions that give scopes, and statements that hold what they give, which nothing reads."""
    read = {node.id for node in walk(file.tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    giving = {name: function for name, function in file.reader.functions.items() if gives_scope(function, file)}
    yield from (function for name, function in giving.items() if name not in read)
    for node in (below for below in walk(file.tree) if isinstance(below, ast.Assign)):
        target, value = node.targets[0], node.value
        is_scope = isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in giving
        if is_scope and isinstance(target, ast.Name) and target.id not in read and file.source.is_alone(node):
            yield node
