"""Assignments of a call whose order the source settles: they wait for the step, and no other value reads the result."""

from __future__ import annotations

import ast

from codemods.names import Names
from codemods.native.items import Body, Item
from codemods.native.kinds import ASSIGNING, MACHINERY, Kind, v1_name
from codemods.native.places import place_of
from codemods.native.runs import Run
from codemods.native.slices import Slice, places_in, slice_of
from codemods.tree import walk

_FUNCTIONS = frozenset(name for name, kind in MACHINERY.items() if kind is Kind.ASSIGN)
_STEPS = frozenset(("minimize", "apply_gradients"))


def is_settled(run: Run, needed: Slice, body: Body, at: int, names: Names) -> bool:
    """Returns whether the source says the order of the assignments of a call.

    Args:
        run: The call.
        needed: The statements that it needs.
        body: All statements.
        at: The number of the statement that calls.
        names: The meanings of names.
    """
    if not any(fetch.kind is Kind.ASSIGN for fetch in run.fetches):
        return False
    if any(not fetch.gives and fetch.kind is not Kind.ASSIGN for fetch in run.fetches):
        return False
    assigned = [item for item in needed.ordered if item.kind is Kind.ASSIGN]
    made = {place for item in assigned for place in item.writes}
    if any(fetch.kind is Kind.ASSIGN and fetch.place not in made for fetch in run.fetches):
        return False  # one of a list
    trains = [item for item in needed.ordered if item.kind is Kind.TRAIN]
    changed: set[str] = set()
    for item in assigned:
        behind = slice_of(body, item.reads, item.index).items
        if any(train.index not in behind for train in trains):
            return False
        places = _changed(item, names)
        if places is None or places & changed:
            return False
        changed |= places
    for fetch in run.values:
        read = slice_of(body, places_in([fetch.node]), at)
        if (read.variables | places_in([fetch.node])) & changed:
            return False
    return len(assigned) == 1 or not any(
        _reads(item, body) & changed - (_changed(item, names) or set()) for item in assigned
    )


def changed_by_assignments(needed: Slice, names: Names) -> set[str] | None:
    """Returns the places of the variables that statements assign; None if the source does not say them."""
    places = [_changed(item, names) for item in needed.ordered if item.kind is Kind.ASSIGN]
    known = [assigned for assigned in places if assigned is not None]
    return set().union(*known) if len(known) == len(places) else None


def open_averages(needed: Slice, body: Body, names: Names) -> list[str]:
    """Returns what is assigned beside a step of which nothing says whether it comes before or after."""
    steps = [item for item in needed.ordered if item.kind is Kind.TRAIN and _does_more_than_wait(item)]
    opened = []
    for item in (item for item in needed.ordered if item.kind is Kind.ASSIGN and steps):
        behind = slice_of(body, item.reads, item.index).items
        if not all(step.index in behind for step in steps):
            opened += sorted(_changed(item, names) or item.writes)
    return opened


def _does_more_than_wait(item: Item) -> bool:
    return any(isinstance(node, ast.Attribute) and node.attr in _STEPS for node in walk(item.node))


def _changed(item: Item, names: Names) -> set[str] | None:
    """Returns the places of the variables that a statement assigns; None if the source does not say them."""
    places: set[str | None] = set()
    for call in (node for node in walk(item.node) if isinstance(node, ast.Call)):
        if v1_name(names, call.func) in _FUNCTIONS:
            places.add(place_of(call.args[0]) if call.args else None)
        elif isinstance(call.func, ast.Attribute) and call.func.attr in ASSIGNING:
            places.add(place_of(call.func.value))
    return None if None in places else {place for place in places if place is not None}


def _reads(item: Item, body: Body) -> set[str]:
    return slice_of(body, item.reads, item.index).variables
