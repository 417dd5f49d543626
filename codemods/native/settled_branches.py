"""Removes the branches that a call has settled: `if activation is None` of a function that got None.

Where the statements of a function stand at its call, constants stand for its parameters. The branch that the call does
not take would stay as dead code, such as `None(x)`.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterator, Mapping

from codemods.native.source_text import SourceText, reindented

_COMPARED: Mapping[type[ast.cmpop], Callable[[object, object], bool]] = {
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
_SINGLE = (None, True, False)
"""The constants of which there is one object each, so that `is` is certain."""


def tests_in(text: str) -> frozenset[str]:
    """Returns the conditions of a text, which its author has written as they are."""
    return frozenset(ast.dump(node.test) for node in ast.walk(ast.parse(text)) if isinstance(node, ast.If))


def with_settled_branches(text: str, authors: frozenset[str]) -> tuple[str, tuple[int, ...]] | None:
    """Returns a text without the branches that never run, and the old number of each line; None if it has none.

    Args:
        text: The text.
        authors: The conditions that stay, as `tests_in` gives them.
    """
    origins: tuple[int, ...] | None = None
    while True:
        made = _without_one(text, authors)
        if made is None:
            return None if origins is None else (text, origins)
        text, kept = made
        origins = kept if origins is None else tuple(origins[number - 1] for number in kept)


def _without_one(text: str, authors: frozenset[str]) -> tuple[str, tuple[int, ...]] | None:
    tree = ast.parse(text)
    source = SourceText(text, tree)
    alone = [block[0] for node in ast.walk(tree) for block in _blocks(node) if len(block) == 1]
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.dump(node.test) not in authors and source.is_alone(node):
            outcome = _outcome(node.test)
            made = None if outcome is None else _taken(node, outcome, text.splitlines(keepends=True), source)
            if made is not None and (made or node not in alone):
                return _put(node, made, text)
    return None


def _blocks(node: ast.AST) -> Iterator[list[ast.stmt]]:
    for name in ("body", "orelse", "finalbody"):
        block = getattr(node, name, None)
        if isinstance(block, list):
            yield block


def _outcome(test: ast.expr) -> bool | None:
    """Returns whether a condition of constants holds; None for any other condition."""
    if isinstance(test, ast.Constant):
        return bool(test.value)
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = _outcome(test.operand)
        return None if inner is None else not inner
    if not isinstance(test, ast.Compare) or len(test.ops) > 1:
        return None
    left, right, of = test.left, test.comparators[0], type(test.ops[0])
    if not isinstance(left, ast.Constant) or not isinstance(right, ast.Constant) or of not in _COMPARED:
        return None
    if of in (ast.Is, ast.IsNot) and not any(right.value is single for single in _SINGLE):
        return None
    return _COMPARED[of](left.value, right.value)


_Numbered = list[tuple[str, int]]


def _taken(node: ast.If, outcome: bool, lines: list[str], source: SourceText) -> _Numbered | None:
    """Returns the lines of the branch that runs, with their old numbers; None if the branches are not apart."""
    start_of_body, start_of_other = (node.test.end_lineno or 0) + 1, _start_of_other(node, lines)
    if node.body[0].lineno < start_of_body or start_of_other is None:
        return None
    end = start_of_other - 1 if node.orelse else node.end_lineno or 0
    if outcome:
        return _moved(lines, range(start_of_body, end + 1), node.body[0], node, source)
    if not node.orelse:
        return []
    last = node.end_lineno or 0
    if lines[start_of_other - 1].lstrip().startswith("elif"):
        first = lines[start_of_other - 1].replace("elif", "if", 1)
        return [(first, start_of_other), *((lines[n - 1], n) for n in range(start_of_other + 1, last + 1))]
    return _moved(lines, range(start_of_other + 1, last + 1), node.orelse[0], node, source)


def _moved(lines: list[str], numbers: range, first: ast.stmt, node: ast.If, source: SourceText) -> _Numbered:
    text = "".join(lines[number - 1] for number in numbers)
    moved = reindented(text, source.indent_of(first), source.indent_of(node))
    return list(zip(moved.splitlines(keepends=True), numbers, strict=True))


def _start_of_other(node: ast.If, lines: list[str]) -> int | None:
    """Returns the line of `else:` or `elif`, and the line after the statement if it has none; None for other forms."""
    if not node.orelse:
        return (node.end_lineno or 0) + 1
    for number in range(node.orelse[0].lineno, node.body[-1].end_lineno or 0, -1):
        words = lines[number - 1].split("#")[0].strip()
        if words == "else:" or (words.startswith("elif") and number == node.orelse[0].lineno):
            return number
    return None


def _put(node: ast.If, new: _Numbered, text: str) -> tuple[str, tuple[int, ...]]:
    """Returns a text with other lines in place of a statement, and the old number of each line."""
    lines = [(line, number) for number, line in enumerate(text.splitlines(keepends=True), 1)]
    made = [*lines[: node.lineno - 1], *new, *lines[node.end_lineno or node.lineno :]]
    return "".join(line for line, _ in made), tuple(number for _, number in made)
