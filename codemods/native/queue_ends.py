"""Writes down that a managed session took the end of a queue or a dataset for its own end.

`with tf.train.MonitoredTrainingSession() as sess:` and `with sv.managed_session() as sess:` ended without an error when
a run raised OutOfRangeError (`monitored_session.py`, and `coordinator.py` for a supervisor, of TensorFlow 1.15.5).
"""

from __future__ import annotations

import ast

from codemods.native.kinds import v1_name
from codemods.native.machinery import MANAGING
from codemods.native.managed_sessions import Edited
from codemods.native.one_by_one import Lines
from codemods.native.places import method_of
from codemods.native.source_text import reindented
from codemods.tree import walk


def with_ends(text: str) -> Lines | None:
    """Returns a text whose managed sessions catch the end of what they read, and the old number of each line.

    None if no session reads a queue or a dataset.
    """
    edited = Edited(text)
    source = edited.source
    lines = list(enumerate(text.splitlines(keepends=True), 1))
    managed = [node for node in walk(edited.tree) if isinstance(node, ast.With) and _is_managed(node, edited)]
    blocks = [block for block in managed if edited.may_end or _iterates(block)]
    for block in sorted(blocks, key=lambda node: -node.lineno):  # the lines above keep their numbers
        inner, step = source.indent_of(block.body[0]), source.indent_step
        first, end = block.lineno, block.end_lineno or block.lineno
        while not lines[first][1].strip() or lines[first][0] <= (block.items[0].context_expr.end_lineno or 0):
            first += 1
        old = "".join(line for _, line in lines[first:end])
        body = reindented(old if old.endswith("\n") else old + "\n", inner, inner + step).splitlines(keepends=True)
        error = f"{edited.tf.removesuffix('.compat.v1')}.errors.OutOfRangeError"
        error = f"({error}, StopIteration)" if _iterates(block) else error
        lines[first:end] = [
            (first + 1, f"{inner}try:\n"),
            *((number, line) for (number, _), line in zip(lines[first:end], body, strict=True)),
            (end, f"{inner}except {error}:\n"),
            (end, f"{inner}{step}pass\n"),
        ]
    made = "".join(line for _, line in lines)
    return (made, (*(number for number, _ in lines), len(lines))) if blocks else None


def _iterates(block: ast.With) -> bool:
    """Returns whether StopIteration may end a session with hooks, which it did without an error as well."""
    call = block.items[0].context_expr
    is_supervised = isinstance(call, ast.Call) and method_of(call) == "managed_session"
    calls = (node for node in walk(block) if isinstance(node, ast.Call))
    return not is_supervised and any(ast.unparse(c.func) == "next" or method_of(c) == "next" for c in calls)


def _is_managed(block: ast.With, edited: Edited) -> bool:
    call = block.items[0].context_expr
    if not isinstance(call, ast.Call) or len(block.items) > 1 or block.body[0].lineno == block.lineno:
        return False
    name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    return name == "managed_session" or v1_name(edited.names, call.func) in MANAGING
