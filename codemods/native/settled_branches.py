"""Branches that the arguments of one call settle: `if activation is None` in a function that stands at its calls."""

from __future__ import annotations

import ast
import operator
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from codemods import scopes
from codemods.names import Names
from codemods.native.kinds import v1_name
from codemods.native.one_by_one import Lines
from codemods.native.source_text import SourceText, reindented
from codemods.native.stated_names import BoundOnce
from codemods.tree import walk


def without_settled_branches(text: str, origins: Sequence[int]) -> Lines | None:
    """Returns a text with the branch that runs in place of an `if` on an argument, and the old number of each line.

    Args:
        text: A text in which functions stand at their calls.
        origins: The legacy line of each line. Those that a call became share one.

    Returns:
        None if there is no such branch.
    """
    shared = Counter(origins)
    numbers = tuple(range(1, len(origins) + 1))
    changed = False
    while True:
        made = _step(
            text,
            frozenset(n for n, old in enumerate(numbers, 1) if old <= len(origins) and shared[origins[old - 1]] > 1),
        )
        if made is None:
            return (text, numbers) if changed else None
        text, numbers, changed = made[0], tuple(numbers[number - 1] for number in made[1]), True


def _step(text: str, written: frozenset[int]) -> Lines | None:
    """Settles the first branch. `written`: the lines that calls became."""
    tree = ast.parse(text)
    names, source = scopes.resolve(tree), SourceText(text, tree)
    numbers = tuple(range(1, len(text.splitlines()) + 1))
    for block in (node for node in walk(tree) if isinstance(node, (ast.Module, ast.FunctionDef))):
        bound = BoundOnce(tree, block)
        for node in bound.nodes:
            if not isinstance(node, (ast.If, ast.IfExp)):
                continue
            runs = _settled(node.test, bound, names, written) if not _turns_on(node) else _is_true(node.test)
            if runs is None:
                continue
            if isinstance(node, ast.IfExp):
                source.replace(source.span(node), source.plain(node.body if runs else node.orelse))
                if source.result().count("\n") == text.count("\n"):
                    return source.result(), numbers
                return None
            made = _branch(node, runs, text, source)
            if made is not None:
                return made
    return None


_COMPARED: Mapping[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
}


def _is_true(test: ast.expr) -> bool:
    return isinstance(test, ast.Constant) and bool(test.value)


def _turns_on(node: ast.If | ast.IfExp) -> bool:
    """Returns whether an argument decided if a scope uses variables again: `if True: scope.reuse_variables()`."""
    is_constant = isinstance(node, ast.If) and isinstance(node.test, ast.Constant)
    return is_constant and any(isinstance(n, ast.Attribute) and n.attr == "reuse_variables" for n in walk(node))


_EQUAL = (ast.Eq, ast.NotEq)
"""Comparisons of anything; all others are of numbers."""


def _settled(test: ast.expr, bound: BoundOnce, names: Names, written: frozenset[int]) -> bool | None:
    """Returns whether a condition holds, by what an argument is; None if the source does not say it."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        if isinstance(test.operand, ast.Constant):  # it stands for an argument: an author writes no `not True`
            return not test.operand.value
        inner = _settled(test.operand, bound, names, written)
        return None if inner is None else not inner
    if isinstance(test, ast.Name):  # a constant may be a switch of the author
        value = _value(test, bound, written)
        return bool(value.value) if isinstance(value, ast.Constant) else None
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return None
    value, right, of = _value(test.left, bound, written), test.comparators[0], type(test.ops[0])
    if value is None or not isinstance(right, ast.Constant):
        return None
    if of in (ast.Is, ast.IsNot) and right.value is None:
        if not isinstance(value, ast.Constant) and v1_name(names, value) is None:
            return None
        return (isinstance(value, ast.Constant) and value.value is None) == (of is ast.Is)
    if not isinstance(value, ast.Constant) or of not in _COMPARED:
        return None
    numbers = isinstance(value.value, (int, float)) and isinstance(right.value, (int, float))
    return _COMPARED[of](value.value, right.value) if numbers or of in _EQUAL else None


def _value(node: ast.expr, bound: BoundOnce, written: frozenset[int]) -> ast.expr | None:
    """Returns what stands for an argument: itself, or what a call gave to its name."""
    if not isinstance(node, ast.Name):
        return node
    made = bound.statement(node)
    return made.value if made is not None and made.lineno in written else None


def _branch(node: ast.If, runs: bool, text: str, source: SourceText) -> Lines | None:
    """Returns the text with one branch in place of a statement; None for an `elif`, or an unusual form."""
    lines = text.splitlines(keepends=True)
    indent = source.indent_of(node)
    head = lines[node.lineno - 1].lstrip()
    if not head.startswith("if") or node.test.end_lineno != node.lineno:
        return None
    end = node.end_lineno or node.lineno
    body_end = node.body[-1].end_lineno or node.lineno
    kept: list[int] = []
    first = node.body[0] if runs else node.orelse[0] if node.orelse else None
    new: list[str] = []
    if runs:
        kept = list(range(node.lineno + 1, body_end + 1))
    elif node.orelse:
        turn = next((n for n in range(body_end + 1, end + 1) if lines[n - 1].startswith((f"{indent}el",))), None)
        if turn is None:
            return None
        is_elif = lines[turn - 1].lstrip().startswith("elif")
        kept = list(range(turn if is_elif else turn + 1, end + 1))
        first = None if is_elif else first
        new = [lines[n - 1] for n in kept]
        if is_elif:
            new[0] = new[0].replace("elif", "if", 1)
    if first is not None:
        if not kept or first.lineno < kept[0]:
            return None  # the branch stands on the line of its `if` or `else`
        block = "".join(lines[n - 1] for n in kept)
        new = reindented(block, source.indent_of(first), indent).splitlines(keepends=True)
    if not kept and _is_alone(node, source.tree):
        kept, new = [node.lineno], [f"{indent}pass\n"]
    if len(new) != len(kept):
        return None
    numbered = list(enumerate(lines, 1))
    rows = [(line, n) for n, line in numbered if n < node.lineno]
    rows += list(zip(new, kept, strict=True))
    rows += [(line, n) for n, line in numbered if n > end]
    return "".join(line for line, _ in rows), tuple(n for _, n in rows)


def _is_alone(statement: ast.stmt, tree: ast.Module) -> bool:
    """Returns whether a statement is the only one of its block."""
    blocks = (getattr(node, name, None) for node in walk(tree) for name in ("body", "orelse", "finalbody"))
    return any(isinstance(block, list) and len(block) == 1 and block[0] is statement for block in blocks)
