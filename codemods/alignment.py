"""Keeps lines aligned to an open bracket when the text before that bracket gets longer or shorter."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator

from codemods.names import Names
from codemods.positions import Positions
from codemods.splice import Edit

_BRACKETED = (ast.Call, ast.List, ast.Dict, ast.Tuple)
# Lines inside a text must not change, and after a backslash there may be no bracket.
_UNSAFE = (b'"""', b"'''", b"\\\n", b"\\\r\n", b"\t")


def kept(edits: list[Edit], names: Names, positions: Positions) -> Iterator[Edit]:
    """Returns the edits that move continued lines with the bracket to which they are aligned.

    Nothing moves if a line inside the brackets is further left or is part of a longer text, or if the edit itself
    covers more than one line.
    """
    changes = _changes(edits, positions)
    if not changes:
        return
    shifts: dict[int, int] = {}
    for node in _long_nodes(names, changes):
        start = _bracket(node, positions)
        line = positions.line(start) if start is not None else 0
        if start is None or (line not in changes and line not in shifts):
            continue
        shift = shifts.get(line, 0) + sum(more for at, more in changes.get(line, ()) if at <= start)
        for number in _aligned(node, start, line, positions):
            shifts[number] = shift
    covered = [(edit.start, edit.end) for edit in edits if b"\n" in positions.data[edit.start : edit.end]]
    for number, shift in sorted(shifts.items()):
        at = positions.offset(number, 0)
        if shift and not any(start <= at < end for start, end in covered):
            yield Edit(at, at, " " * shift) if shift > 0 else Edit(at, at - shift, "")


def _changes(edits: list[Edit], positions: Positions) -> dict[int, list[tuple[int, int]]]:
    """Returns line -> the ends of its edits, and by how much they make the line longer."""
    ranges_by_line: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for edit in edits:
        old = positions.data[edit.start : edit.end]
        more = len(edit.text) - len(old.decode())
        if more and old and b"\n" not in old and b"\r" not in old and "\n" not in edit.text:
            ranges_by_line[positions.line(edit.start)].append((edit.end, more))
    return ranges_by_line


def _long_nodes(names: Names, changes: dict[int, list[tuple[int, int]]]) -> list[ast.expr]:
    """Yields nodes in brackets that begin on or below a changed line and have several lines, outer ones first."""
    first = min(changes)
    long_nodes = [
        node
        for kind in _BRACKETED
        for node in names.nodes.get(kind, [])
        if isinstance(node, ast.expr) and node.end_lineno != node.lineno and (node.end_lineno or 0) > first
    ]
    return sorted(long_nodes, key=lambda node: (node.lineno, node.col_offset, -(node.end_lineno or 0)))


def _bracket(node: ast.expr, positions: Positions) -> int | None:
    """Returns the place of the opening bracket of a call, a list or a similar node; None for a tuple without one."""
    start, end = positions.span(node.func if isinstance(node, ast.Call) else node)
    if not isinstance(node, ast.Call):
        return start if positions.data[start : start + 1] in (b"[", b"{", b"(") else None
    while positions.data[end : end + 1] in (b" ", b")"):
        end += 1
    return end if positions.data[end : end + 1] == b"(" else None


def _aligned(node: ast.expr, start: int, line: int, positions: Positions) -> list[int]:
    """Returns the continued lines, if one is aligned to the bracket and none is further left."""
    end = positions.span(node)[1]
    inside = positions.data[start:end]
    if any(mark in inside for mark in _UNSAFE):
        return []
    column = start - positions.offset(line, 0) + 1
    numbers = list(range(line + 1, positions.line(end) + 1))
    indents = {number: _indent(number, positions) for number in numbers}
    filled = [indent for indent in indents.values() if indent is not None]
    if not filled or min(filled) != column:
        return []
    return [number for number in numbers if indents[number] is not None]


def _indent(number: int, positions: Positions) -> int | None:
    """Returns the number of spaces at the beginning of a line; None for an empty line."""
    at = positions.offset(number, 0)
    text = positions.data[at : positions.line_end(at)]
    return len(text) - len(text.lstrip(b" ")) if text.strip() else None
