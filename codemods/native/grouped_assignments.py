"""Gives assignments that are grouped with a step statements of their own: `tf.group(step, tf.assign_add(count, 1))`."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from codemods import scopes
from codemods.names import Names
from codemods.native.edited_lines import EditedLines
from codemods.native.kinds import ASSIGNING, Kind, v1_name
from codemods.native.one_by_one import Lines
from codemods.native.places import method_of
from codemods.native.refusals import NotNativeError
from codemods.tree import walk


def with_named_assignments(text: str) -> Lines | None:
    """Returns a text whose grouped assignments have names, and the old number of each line; None if all have."""
    if "group(" not in text:
        return None
    tree = ast.parse(text)
    names, lines = scopes.resolve(tree), EditedLines(text, tree)
    changed = False
    for statement in (node for node in walk(tree) if isinstance(node, (ast.Assign, ast.Return))):
        value = statement.value
        if not isinstance(value, ast.Call) or v1_name(names, value.func) != "group" or not lines.fits([statement]):
            continue
        inside = [part for part in value.args if _assigns(part, names)]
        if len(inside) == len(value.args) or any("#" in lines.source.plain(part) for part in inside):
            continue
        before: list[str] = []
        for part in inside:
            name = lines.free("assignment")
            before.append(f"{name} = {' '.join(line.strip() for line in lines.source.plain(part).splitlines())}")
            lines.source.replace(lines.source.span(part), name)
        if before:
            indent = lines.source.indent_of(statement)
            rest = lines.source.rendered(lines.source.lines_of(statement)).splitlines()
            while rest and rest[0].lstrip().startswith("#"):
                del rest[0]
            lines.put(statement, [*before, *(line.removeprefix(indent) for line in rest)])
            changed = True
    return lines.result() if changed else None


def require_named_assignments(group: ast.Call, kinds: Sequence[Kind], names: Names) -> None:
    """Refuses an assignment without a name beside a step: a function makes the step, and would lose it.

    Raises:
        NotNativeError: There is one.
    """
    part = next((part for part in group.args if _assigns(part, names)), None)
    if part is not None and Kind.TRAIN in kinds:
        raise NotNativeError(part, "NAT008", "this assignment is grouped with a step; give it a name of its own")


def _assigns(node: ast.expr, names: Names) -> bool:
    return isinstance(node, ast.Call) and (v1_name(names, node.func) in ASSIGNING or method_of(node) in ASSIGNING)
