"""Assignments that only the building of a graph read, such as sizes of its layers."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence, Set

from codemods.native.from_graph.building import Building
from codemods.native.from_graph.definitions import Place
from codemods.tree import walk

_PURE = frozenset(
    (
        "abs", "append", "bool", "dict", "enumerate", "extend", "float", "format", "int", "join", "len", "list", "max",
        "min", "range", "reversed", "round", "set", "sorted", "str", "sum", "tuple", "zip",
    )
)  # fmt: skip
"""Functions and methods of Python without an effect outside of what they are called on."""


def unused(
    building: Building, gone: Set[ast.stmt], remaining: Sequence[ast.stmt], vanishing: Set[ast.Call]
) -> Iterator[ast.stmt]:
    """Yields assignments of plain values that statements which went read, and none that remains does.

    Args:
        building: Which expressions are parts of the graph.
        gone: The statements that go.
        remaining: Those that remain, outer ones first.
        vanishing: Calls of sessions: what they fetch is read no more.
    """
    went = {place for statement in gone for place, _ in _read(statement, building, set(), vanishing)}
    inner = {below for statement in remaining for below in walk(statement) if isinstance(below, ast.stmt)}
    left_out = (inner - set(remaining)) | gone
    read: dict[Place, set[ast.stmt]] = {}
    for statement in remaining:
        for place, _ in _read(statement, building, left_out | (set(remaining) - {statement}), vanishing):
            read.setdefault(place, set()).add(statement)
    for statement in remaining:
        places = _stored(statement, building)
        if places and places & went and all(read.get(place, set()) <= {statement} for place in places):
            yield statement


def _stored(statement: ast.stmt, building: Building) -> set[Place]:
    """Returns the places that a statement gives plain values; none if it may do more."""
    if isinstance(statement, ast.Assign):
        targets, value = statement.targets, statement.value
    elif isinstance(statement, ast.AugAssign):
        targets, value = [statement.target], statement.value
    else:
        return set()
    calls = (node for node in walk(value) if isinstance(node, ast.Call))
    if any(_name(call) not in _PURE for call in calls):
        return set()
    parts = [part for t in targets for part in (t.elts if isinstance(t, (ast.Tuple, ast.List)) else [t])]
    places = [building.definitions.place(part) for part in parts]
    return set() if None in places else {place for place in places if place is not None}


def _name(call: ast.Call) -> str:
    if isinstance(call.func, ast.Attribute):
        return call.func.attr
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _read(
    node: ast.AST, building: Building, left_out: Set[ast.AST], vanishing: Set[ast.Call]
) -> Iterator[tuple[Place, ast.AST]]:
    """Yields the places that are read below a node, outside of some nodes; in calls of sessions those of the feeds."""
    pending = [node]
    while pending:
        below = pending.pop()
        if below in left_out and below is not node:
            continue
        if isinstance(below, (ast.Name, ast.Attribute)) and isinstance(below.ctx, ast.Load):
            place = building.definitions.place(below)
            if place is not None:
                yield place, below
        if isinstance(below, ast.AugAssign) and isinstance(below.target, (ast.Name, ast.Attribute)):
            place = building.definitions.place(below.target)
            if place is not None:
                yield place, below
        if below in vanishing and isinstance(below, ast.Call):
            values = [part.value for part in walk(below) if isinstance(part, ast.keyword)]
            pending += [
                v for part in (*below.args, *values) for v in (part.values if isinstance(part, ast.Dict) else ())
            ]
            pending += [part for part in (*below.args, *values) if isinstance(part, ast.Name)]
            continue
        pending += ast.iter_child_nodes(below)
