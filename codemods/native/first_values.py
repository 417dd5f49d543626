"""The value that a variable has when it is made: `w.initialized_value()` gives another variable the same."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from codemods.names import Names
from codemods.native.kinds import DRAWS, Kind, v1_name
from codemods.native.places import place_of
from codemods.native.source_text import SourceText
from codemods.tree import walk

_FIRST = "initialized_value"


def first_values_in(node: ast.AST) -> set[ast.AST]:
    """Returns the nodes of `w.initialized_value()` below a node, and of `w.name`, which no run changes."""
    calls = [below for below in walk(node) if isinstance(below, ast.Call) and not below.args and not below.keywords]
    read = [call for call in calls if isinstance(call.func, ast.Attribute) and call.func.attr == _FIRST]
    named = [below for below in walk(node) if isinstance(below, ast.Attribute) and below.attr == "name"]
    return {below for known in (*read, *named) for below in walk(known)}


def is_draw(value: ast.expr, names: Names) -> bool:
    """Returns whether a value is drawn by calls of TensorFlow alone."""
    calls = [v1_name(names, node.func) for node in walk(value) if isinstance(node, ast.Call)]
    return None not in calls and any(name in DRAWS for name in calls)


def read_first(source: SourceText, places: Mapping[str, Kind], chain: ast.AST) -> None:
    """w.initialized_value() -> w.read_value(), which is the same for a variable that has its value."""
    if isinstance(chain, ast.Attribute) and chain.attr == _FIRST:
        end = source.span(chain)[1]
        if places.get(place_of(chain.value) or "") is Kind.VARIABLE:
            source.replace((end - len(_FIRST), end), "read_value")
