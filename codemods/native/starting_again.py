"""Programs that initialize variables several times: each time, all that runs later has to be made since the last time.

A tutorial of several parts has a session for each part. The native program makes the variables of each part when that
part begins, with their first values.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from codemods.native.functions import Function
from codemods.native.items import Body, Item
from codemods.native.kinds import OF_VARIABLES, Kind
from codemods.native.meanings import Meanings
from codemods.native.refusals import NotNativeError
from codemods.native.runs import Run
from codemods.native.slices import places_in
from codemods.tree import walk


def require_apart(
    starts: Sequence[int],
    functions: Sequence[tuple[Run, Function]],
    reads: Sequence[Run],
    at: Mapping[ast.Call, int],
    body: Body,
    meanings: Meanings,
) -> None:
    """Refuses a program that initializes variables anew which it has used, and uses them again.

    Args:
        starts: The numbers of the statements that initialize all variables.
        functions: The calls that become functions.
        reads: The calls that read variables.
        at: Call -> the number of its statement.
        body: The statements.
        meanings: The kinds of its places.

    Raises:
        NotNativeError: This is such a program.
    """
    for before, start in zip(sorted(starts), sorted(starts)[1:], strict=False):
        for call in meanings.savers:
            if start == len(body.items) or _number(call, body) > start:
                raise _again(call)
        for run, function in functions:
            used = [*function.slice.ordered, *_variables(function.slice.variables, run, at, body)]
            if at[run.node] >= start and any(item.index < before and _keeps_state(item) for item in used):
                raise _again(run.node)
        for run in reads:
            places = places_in(fetch.node for fetch in run.fetches)
            if at[run.node] >= start and any(item.index < before for item in _variables(places, run, at, body)):
                raise _again(run.node)


def _variables(places: set[str], run: Run, at: Mapping[ast.Call, int], body: Body) -> list[Item]:
    made = (body.definition(place, at[run.node]) for place in sorted(places))
    return [item for item in made if item is not None and item.kind in OF_VARIABLES]


def _keeps_state(item: Item) -> bool:
    """Returns whether a statement makes variables, or an optimizer's step."""
    return bool(item.effects.layers or item.effects.variables) or item.kind in (*OF_VARIABLES, Kind.TRAIN)


def _number(call: ast.Call, body: Body) -> int:
    """Returns the number of the statement of a call; that of the end for a call in a function."""
    for item in body.items:
        if any(below is call for below in walk(item.node)):
            return len(body.items) if isinstance(item.node, (ast.FunctionDef, ast.ClassDef)) else item.index
    return len(body.items)


def _again(node: ast.AST) -> NotNativeError:
    message = "this uses variables that are initialized a second time; make them again instead"
    return NotNativeError(node, "NAT008", message)
