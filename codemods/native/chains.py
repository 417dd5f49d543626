"""Gives iterators a name: `x = dataset.make_one_shot_iterator().get_next()` becomes two statements."""

from __future__ import annotations

import ast

from codemods.native.datasets import INITIALIZABLE, ONE_SHOT
from codemods.native.places import variable_names
from codemods.native.source_text import SourceText
from codemods.tree import walk


def split_chains(text: str) -> tuple[str, tuple[int, ...]] | None:
    """Returns a text whose iterators have names, and the old number of each line; None if all have one."""
    tree = ast.parse(text)
    source = SourceText(text, tree)
    taken = variable_names(tree)
    before: dict[int, str] = {}
    for statement in walk(tree):
        made = _made(statement)
        if made is None or not isinstance(statement, (ast.Assign, ast.Return)) or not source.is_alone(statement):
            continue
        name = next(n for n in ("iterator", *(f"iterator_{number}" for number in range(2, 99))) if n not in taken)
        taken.add(name)
        value = source.plain(made)
        if "\n" in value:
            continue  # the old numbers of its lines would be wrong
        before[statement.lineno] = f"{source.indent_of(statement)}{name} = {value}\n"
        source.replace(source.span(made), name)
    if not before:
        return None
    lines: list[str] = []
    origins: list[int] = []
    for number, line in enumerate(source.result().splitlines(keepends=True), 1):
        if number in before:
            lines.append(before[number])
            origins.append(number)
        lines.append(line)
        origins.append(number)
    return "".join(lines), tuple(origins)


def _made(statement: ast.AST) -> ast.Call | None:
    """Returns the call that makes the iterator whose next element a statement takes."""
    value = statement.value if isinstance(statement, (ast.Assign, ast.Return)) else None
    if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Attribute) or value.func.attr != "get_next":
        return None
    made = value.func.value
    is_maker = isinstance(made, ast.Call) and isinstance(made.func, ast.Attribute)
    return made if is_maker and made.func.attr in (ONE_SHOT, INITIALIZABLE) else None  # type: ignore[attr-defined,return-value]
