"""Tells the calls that make the machinery of sessions."""

from __future__ import annotations

import ast

from codemods.names import Names
from codemods.native.kinds import MACHINERY, Kind, kind_of_call, v1_name
from codemods.tree import walk

_BUILDING = frozenset({Kind.PLACEHOLDER, Kind.SESSION, Kind.INIT})


def is_machinery(call: ast.Call, names: Names) -> bool:
    """Returns whether a call makes a placeholder, a session or an op that initializes."""
    return MACHINERY.get(v1_name(names, call.func) or "") in _BUILDING


def optimizer_calls(statement: ast.stmt, names: Names) -> list[ast.Call]:
    """Returns the calls that make optimizers."""
    return [
        node
        for node in walk(statement)
        if isinstance(node, ast.Call)
        and (name := v1_name(names, node.func)) is not None
        and kind_of_call(name) is Kind.OPTIMIZER
    ]
