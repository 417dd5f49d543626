"""Lets a value take the name of an earlier value that nothing needs any more: no x_2, x_3 in a row of layers."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence

from tf2bridge.decompile.lines import Line


def with_reused_names(lines: Sequence[Line], parameters: Sequence[str]) -> list[Line]:
    """Returns the statements of a function with fewer names that differ in a number alone.

    Args:
        lines: The statements.
        parameters: The names of the function's parameters.
    """
    statements = ast.parse("\n".join(lines)).body
    last_use = _last_uses(statements)
    fixed = {name for part in statements if isinstance(part, ast.FunctionDef) for name in _names(part)}
    renamed: dict[str, str] = {}
    free_from: dict[str, dict[str, int]] = {}
    for name in parameters:
        free_from.setdefault(_base(name), {})[name] = len(statements) if name in fixed else last_use.get(name, -1)
    for number, statement in enumerate(statements):
        for target in _new_names(statement, renamed):
            pool = free_from.setdefault(_base(target), {})
            first_use = number - isinstance(statement, ast.For)  # the body of a loop is run more than once
            free = [] if target in fixed else [name for name, ends in pool.items() if ends <= first_use]
            renamed[target] = free[0] if free else target
            pool[renamed[target]] = len(statements) if target in fixed else last_use[target]
    return _without_copies(_with_names(lines, statements, renamed))


def _last_uses(statements: Sequence[ast.stmt]) -> dict[str, int]:
    """Returns each name -> the number of the last statement that has it."""
    return {name: number for number, statement in enumerate(statements) for name in _names(statement)}


def _names(statement: ast.stmt) -> set[str]:
    return {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}


def _new_names(statement: ast.stmt, known: Mapping[str, str]) -> list[str]:
    """Returns the name that a statement is the first to give a value to."""
    target: ast.AST | None = None
    if isinstance(statement, ast.Assign):
        target = statement.targets[0]
    elif isinstance(statement, ast.For):
        target = statement.target
    return [target.id] if isinstance(target, ast.Name) and target.id not in known else []


def _with_names(lines: Sequence[Line], statements: Sequence[ast.stmt], renamed: Mapping[str, str]) -> list[Line]:
    places = [
        (node.lineno - 1, node.col_offset, node.id)
        for statement in statements
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and node.id in renamed
    ]
    texts = [line.encode() for line in lines]
    for line, column, name in sorted(places, reverse=True):
        texts[line] = texts[line][:column] + renamed[name].encode() + texts[line][column + len(name) :]
    return [Line(text.decode(), line.nodes, line.raw_calls) for text, line in zip(texts, lines, strict=True)]


def _base(name: str) -> str:
    return re.sub(r"_\d+$", "", name)


def _without_copies(lines: Sequence[Line]) -> list[Line]:
    """Returns lines without those that give a value the name that it has. What they stand for, the next ones do."""
    kept: list[Line] = []
    pending: tuple[str, ...] = ()
    for line in lines:
        target, equals, value = line.partition(" = ")
        if equals and target == value:
            pending += line.nodes
        else:
            kept.append(Line(line, (*pending, *line.nodes), line.raw_calls))
            pending = ()
    return kept
