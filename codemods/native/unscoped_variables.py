"""Moves `w = tf.get_variable("w")` out of a `tf.name_scope` with a tf.Variable: the scope names this one alone."""

from __future__ import annotations

import ast

from codemods import scopes
from codemods.names import Names
from codemods.native.kinds import v1_name
from codemods.native.one_by_one import Lines
from codemods.native.places import stores, uses
from codemods.native.source_text import SourceText, reindented
from codemods.tree import walk


def with_variables_outside(text: str) -> Lines | None:
    """Returns a text whose name scopes have variables of one kind, and the old number of each line; None if all do."""
    if "name_scope" not in text or "get_variable" not in text:
        return None
    tree = ast.parse(text)
    names, source = scopes.resolve(tree), SourceText(text, tree)
    moved: dict[int, list[tuple[str, int]]] = {}
    gone: set[int] = set()
    for block in names.nodes.get(ast.With, []):
        assert isinstance(block, ast.With)
        for statement in _movable(block, names, source):
            start, end = source.lines_of(statement)
            first, last = source.positions.line(start), statement.end_lineno or statement.lineno
            lines = reindented(source.rendered((start, end)), source.indent_of(statement), source.indent_of(block))
            at = source.positions.line(source.lines_of(block)[0])
            rows = [(line, first + number) for number, line in enumerate(lines.splitlines(keepends=True))]
            moved.setdefault(at, []).extend(rows)
            gone |= set(range(first, last + 1))
    if not moved:
        return None
    made: list[tuple[str, int]] = []
    for number, line in enumerate(text.splitlines(keepends=True), 1):
        made += moved.get(number, [])
        made += [] if number in gone else [(line, number)]
    return "".join(line for line, _ in made), tuple(number for _, number in made)


def _movable(block: ast.With, names: Names, source: SourceText) -> list[ast.stmt]:
    """Returns the statements of a block that only make a variable whose name the block does not change."""
    kinds = [v1_name(names, item.context_expr.func) for item in block.items if isinstance(item.context_expr, ast.Call)]
    made = {v1_name(names, node.func) for node in walk(block) if isinstance(node, ast.Call)}
    if len(kinds) != len(block.items) or not {*kinds} <= {"name_scope", "device"} or "Variable" not in made:
        return []
    held = {place for item in block.items if item.optional_vars is not None for place in stores(item.optional_vars)}
    movable: list[ast.stmt] = []
    for statement in block.body:
        value = statement.value if isinstance(statement, ast.Assign) else None
        is_made = isinstance(value, ast.Call) and v1_name(names, value.func) == "get_variable"
        read = {place for place, _ in uses(statement)}
        if is_made and source.is_alone(statement) and not (read | stores(statement)) & held:
            movable.append(statement)
        else:
            held |= read | stores(statement)
    return movable if len(movable) < len(block.body) else []
