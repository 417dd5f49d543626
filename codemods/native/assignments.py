"""Assignments of variables: what a statement assigns, and what of it comes after a training step."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass

from codemods.names import Names
from codemods.native.items import Body, Item
from codemods.native.kinds import ASSIGNING, MACHINERY, Kind, v1_name
from codemods.native.places import named_arguments, place_of
from codemods.native.slices import Slice, slice_of
from codemods.tree import walk

_FUNCTIONS = frozenset(name for name, kind in MACHINERY.items() if kind is Kind.ASSIGN)
_STEPS = frozenset(("minimize", "apply_gradients"))


@dataclass(frozen=True)
class Assignment:
    """A call that changes a variable.

    Attributes:
        variable: The place of the variable; None if the source does not say it.
        value: The new value; None if the call computes it from the old one in another way, as `scatter_add` does.
    """

    variable: str | None
    value: ast.expr | None


def assignment_of(node: ast.AST, names: Names) -> Assignment | None:
    """Returns what a call assigns; None if it assigns nothing."""
    if not isinstance(node, ast.Call):
        return None
    name = v1_name(names, node.func)
    if name in _FUNCTIONS:
        given = named_arguments(node, ("ref", "value"))
        target, value = given.get("ref"), given.get("value") if name in ASSIGNING else None
    elif name is None and isinstance(node.func, ast.Attribute) and node.func.attr in ASSIGNING:
        target, value = node.func.value, node.args[0] if node.args else None
    else:
        return None
    return Assignment(place_of(target) if target is not None else None, value)


def assigned_by(item: Item, names: Names) -> set[str] | None:
    """Returns the places of the variables that a statement assigns; None if the source does not say them."""
    places: set[str] = set()
    for node in walk(item.node):
        assignment = assignment_of(node, names)
        if assignment is not None:
            if assignment.variable is None:
                return None
            places.add(assignment.variable)
    return places


def assigned_by_all(items: Iterable[Item], names: Names) -> set[str] | None:
    """Returns the places of the variables that statements assign; None if the source does not say them."""
    places: set[str] = set()
    for item in items:
        assigned = assigned_by(item, names) if item.kind is Kind.ASSIGN else set()
        if assigned is None:
            return None
        places |= assigned
    return places


def open_averages(needed: Slice, body: Body, names: Names) -> list[str]:
    """Returns what is assigned beside a step of which nothing says whether it comes before or after."""
    steps = [item for item in needed.ordered if item.kind is Kind.TRAIN and _does_more_than_wait(item)]
    opened = []
    for item in (item for item in needed.ordered if item.kind is Kind.ASSIGN and steps):
        behind = slice_of(body, item.reads, item.index).items
        if not all(step.index in behind for step in steps):
            opened += sorted(assigned_by(item, names) or item.writes)
    return opened


def _does_more_than_wait(item: Item) -> bool:
    return any(isinstance(node, ast.Attribute) and node.attr in _STEPS for node in walk(item.node))
