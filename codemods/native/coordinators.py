"""Removes the threads that filled queues: coordinators, and what starts, stops and joins the threads."""

from __future__ import annotations

import ast

from codemods import scopes
from codemods.names import Names
from codemods.native.edited_lines import EditedLines
from codemods.native.kinds import v1_name
from codemods.tree import walk

_MADE = ("train.Coordinator", "train.start_queue_runners")


def without_threads(text: str) -> tuple[str, tuple[int, ...]] | None:
    """Returns a text without coordinators and threads of queues, and the old number of each line.

    A queue that ended raised OutOfRangeError in the call that needed an element, and did not stop the coordinator, so
    that `while not coord.should_stop()` ran until then. None means that a coordinator is used in another way.
    """
    tree = ast.parse(text)
    names = scopes.resolve(tree)
    held = {
        target.id
        for node in walk(tree)
        if isinstance(node, ast.Assign) and _is_made(node.value, names)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    lines = EditedLines(text, tree)
    used: set[int] = set()
    for node in walk(tree):
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            gone = [s for s in block if _goes(s, names, held)] if isinstance(block, list) else []
            for statement in gone:
                used |= {id(below) for below in walk(statement)}
                if len(gone) == len(block or ()) and statement is gone[0]:
                    lines.put(statement, ["pass"])
                else:
                    lines.remove(statement)
        if isinstance(node, ast.While) and _stops(node.test, held, negated=True):
            lines.source.replace(lines.source.span(node.test), "True")
            used |= {id(below) for below in walk(node.test)}
    if any(isinstance(n, ast.Name) and n.id in held and id(n) not in used for n in walk(tree)):
        return None
    lines.lines = lines.source.result().splitlines(keepends=True)  # no line moved
    return lines.result()


def _is_made(node: ast.AST, names: Names) -> bool:
    return isinstance(node, ast.Call) and v1_name(names, node.func) in _MADE


def _goes(statement: ast.stmt, names: Names, held: set[str]) -> bool:
    """Returns whether a statement only makes, stops or joins threads."""
    if isinstance(statement, ast.If):
        leaves = len(statement.body) == 1 and isinstance(statement.body[0], ast.Break) and not statement.orelse
        return leaves and _stops(statement.test, held, negated=False)
    value = statement.value if isinstance(statement, (ast.Assign, ast.Expr)) else None
    if value is None or _is_made(value, names):
        return value is not None
    call = value if isinstance(value, ast.Call) and isinstance(statement, ast.Expr) else None
    function = call.func if call is not None else None
    if not (isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name) and call is not None):
        return False
    return function.value.id in held and (
        function.attr == "join" or (function.attr == "request_stop" and not call.args)
    )


def _stops(test: ast.expr, held: set[str], negated: bool) -> bool:
    """Returns whether a test is `coord.should_stop()`, or its negation."""
    if negated:
        return isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) and _stops(test.operand, held, False)
    function = test.func if isinstance(test, ast.Call) else None
    named = isinstance(function, ast.Attribute) and function.attr == "should_stop"
    return named and isinstance(function.value, ast.Name) and function.value.id in held  # type: ignore[union-attr]
