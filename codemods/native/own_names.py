"""Attributes of the object that builds a graph, as names of the functions that they become part of."""

from __future__ import annotations

import ast

from codemods.native import sites
from codemods.native.items import Item
from codemods.native.kinds import Kind
from codemods.native.places import place_of
from codemods.native.refusals import NotNativeError
from codemods.native.state import Rewriting
from codemods.tree import walk


def unself(state: Rewriting) -> None:
    """Writes `self.x` as `x` in what moves into functions: there it is a name of the function."""
    built = {place for item in state.body.items if item.moves for place in item.writes}
    built |= {place for item in state.body.items if item.kind is Kind.PLACEHOLDER for place in item.writes}
    built |= {place for place in state.planner.iterators.by_place if state.planner.iterators.is_parameter(place)}
    for item in state.body.items:
        if item.moves:
            _unself_below(state, item.node, item, built)
    for index, rate in state.planner.rates.items():
        _unself_below(state, rate, state.body.items[index], built)
    for function in state.planner.functions:
        last = function.slice.ordered[-1] if function.slice.items else None
        for node in (fetch.node for run in function.runs for fetch in run.fetches):
            if sites.is_attribute(function, state.body):
                _of_self(state, node)
            _unself_below(state, node, last, built)


def _of_self(state: Rewriting, node: ast.AST) -> None:
    """Writes `model.w` as `self.w` in what moves into the class."""
    for below in walk(node):
        root = below.value if isinstance(below, ast.Attribute) else None
        if isinstance(root, ast.Name) and root.id == "self" and state.source.plain(root) != "self":
            state.source.replace(state.source.span(root), "self")


def _unself_below(state: Rewriting, node: ast.AST, item: Item | None, built: set[str]) -> None:
    for below in walk(node):
        place = place_of(below) if isinstance(below, ast.Attribute) else None
        if place is None or place not in built:
            continue
        name = place.removeprefix("self.")
        home = item.home if item is not None else None
        used = (other for other in state.body.items if other.home is home and (other.moves or other is item))
        if any(name in other.writes or name in other.reads for other in used):
            raise NotNativeError(below, "NAT006", f"{place} and {name} are two things; give one of them another name")
        state.source.replace(state.source.span(below), name)
