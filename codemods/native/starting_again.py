"""Programs that initialize variables several times: each time, all that runs later has to be made since the last time.

A tutorial of several parts has a session for each part. The native program makes the variables of each part when that
part begins, with their first values.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from codemods.native.beginnings import FIRST
from codemods.native.functions import Function
from codemods.native.items import Body, Item
from codemods.native.kinds import OF_VARIABLES, Kind, v1_name
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


def begins_anew(run: Run, parents: Mapping[ast.AST, ast.AST], body: Body, meanings: Meanings) -> bool:
    """Returns whether a call gives variables first values that they may not have any more."""
    statement = parents[run.node]
    return (
        _gives_first_values(run, body)
        and not _is_restored(statement, parents, meanings)
        and not _is_checked(statement, parents)
    )


def _block_of(statement: ast.AST, parents: Mapping[ast.AST, ast.AST]) -> list[ast.AST]:
    """Returns the statements of the block that a statement is in."""
    fields = (getattr(parents[statement], name, None) for name in ("body", "orelse"))
    return next((block for block in fields if isinstance(block, list) and statement in block), [statement])


def _is_checked(statement: ast.AST, parents: Mapping[ast.AST, ast.AST]) -> bool:
    """Returns whether the object checks that its variables have their first values, before it or at a restore."""
    block = _block_of(statement, parents)
    at = block.index(statement)
    otherwise = [node.orelse[-1] for node in block[at + 1 :] if isinstance(node, ast.If) and node.orelse]
    marks = [*block[max(at - 1, 0) : at], *otherwise]
    return any(isinstance(mark, ast.Assign) and ast.unparse(mark) == f"self.{FIRST} = False" for mark in marks)


def _is_restored(statement: ast.AST, parents: Mapping[ast.AST, ast.AST], meanings: Meanings) -> bool:
    """Returns whether the next statement gives all variables the values of a checkpoint."""
    block = _block_of(statement, parents)
    after = block[block.index(statement) + 1 :]
    call = after[0].value if after and isinstance(after[0], ast.Expr) else None
    is_restore = isinstance(call, ast.Call) and call in meanings.savers and ast.unparse(call.func).endswith(".restore")
    root = statement
    while root in parents:
        root = parents[root]
    made_with = [c for c in walk(root) if isinstance(c, ast.Call)]
    savers = [c for c in made_with if v1_name(meanings.names, c.func) == "train.Saver"]
    return is_restore and all(
        not saver.args and all(keyword.arg == "max_to_keep" for keyword in saver.keywords) for saver in savers
    )


def _gives_first_values(run: Run, body: Body) -> bool:
    """Returns whether a call initializes the variables of the graph, and not only local ones or tables."""
    for fetch in run.fetches:
        made = body.definition(fetch.place, len(body.items)) if fetch.place else None
        text = ast.unparse(made.node if made is not None else fetch.node)
        if "local_variables" not in text and "tables" not in text:
            return True
    return False
