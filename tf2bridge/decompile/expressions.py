"""Expressions made of templates and of the expressions for their arguments, with parentheses where they are needed."""

from __future__ import annotations

import ast
import copy
import functools
import itertools
import re
import textwrap
from collections.abc import Mapping

OPERATORS = (ast.BinOp, ast.UnaryOp, ast.Compare)
LONGEST = 88
"""Columns of a line."""
_INDENT = "    "
_MANY = 9
"""Numbers or names from which on a list has several of them on each line."""
_SHORT = re.compile(r"-?[\w.+-]{1,24}")
_BY_PRECEDENCE = (r" (?:[<>]=?|[!=]=) ", r" \| ", r" & ", r" [+-] ", r" (?:\*|//?|%|@) ")
"""Operators that a statement can be broken before, those that bind least first."""


def filled(template: str, arguments: Mapping[str, str]) -> str:
    """Returns a template with the names in it replaced by expressions."""
    parsed = {name: ast.parse(text, mode="eval").body for name, text in arguments.items()}
    tree = copy.deepcopy(_parsed(template))
    return ast.unparse(_Filler(parsed).visit(tree))


def is_operator(template: str) -> bool:
    """Returns True if a template is an operator of Python, not a call."""
    return isinstance(_parsed(template).body, OPERATORS)


@functools.cache
def names_in(template: str) -> frozenset[str]:
    """Returns the placeholders of a template: the names that begin with an underscore."""
    names = (node.id for node in ast.walk(_parsed(template)) if isinstance(node, ast.Name))
    return frozenset(name for name in names if name.startswith("_"))


@functools.cache
def _parsed(template: str) -> ast.Expression:
    return ast.parse(template, mode="eval")


class _Filler(ast.NodeTransformer):
    def __init__(self, arguments: Mapping[str, ast.expr]) -> None:
        self._arguments = arguments

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._arguments.get(node.id, node)

    def visit_Tuple(self, node: ast.Tuple) -> ast.expr:
        """Writes `(*(a, b), c)` as `(a, b, c)`."""
        self.generic_visit(node)
        parts = [(part.value if isinstance(part, ast.Starred) else None, part) for part in node.elts]
        node.elts = [
            element for inner, part in parts for element in (inner.elts if isinstance(inner, ast.Tuple) else [part])
        ]
        return node


def wrapped(line: str, indent: int) -> list[str]:
    """Returns a statement as lines of at most `LONGEST` columns, if it can be broken within a call or list.

    Args:
        line: The statement, on one line.
        indent: The columns that will stand before it.
    """
    if indent + len(line) <= LONGEST:
        return [line]
    if terms := _terms(line):
        return terms
    start = min((place for place in map(line.find, "([{") if place >= 0), default=-1)
    end = len(line) - next((len(tail) for tail in (")", "]", "}", "):", "),", "],", "},") if line.endswith(tail)), 0)
    parts = _arguments(line[start + 1 : end]) if 0 <= start < end < len(line) else None
    if parts is None:
        start, end = _longest_call(line)
        parts = _arguments(line[start + 1 : end])
    if not parts:
        return [line]
    joined = ", ".join(parts)
    if indent + 4 + len(joined) <= LONGEST:
        return [line[: start + 1], _INDENT + joined, line[end:]]
    if len(parts) >= _MANY and all(map(_SHORT.fullmatch, parts)):
        rows = textwrap.wrap(f"{joined},", LONGEST - indent - 4, break_on_hyphens=False)
        return [line[: start + 1], *(_INDENT + row for row in rows), line[end:]]
    lines = [_INDENT + broken for part in parts for broken in wrapped(f"{part},", indent + 4)]
    return [line[: start + 1], *lines, line[end:]]


def _terms(line: str) -> list[str]:
    """Returns a statement that is a comparison, a sum or a product as lines, one for each part; or none."""
    start = re.match(r"(return |\w+ = )?", line)
    begin = start.group() if start else ""
    text = line[len(begin) :]
    depths = _depths(text)
    if depths is None or " if " in text or text.startswith(("lambda", "for ", "def ", "class ")):
        return []
    for operators in _BY_PRECEDENCE:
        matches = re.finditer(operators, text)
        places = [operator.start() for operator in matches if depths[operator.start()] == 0]
        if places:
            parts = [text[first:last].strip() for first, last in itertools.pairwise([0, *places, len(text)])]
            return [f"{begin}(", *(_INDENT + part for part in parts), ")"] if begin else parts
    return []


def _longest_call(line: str) -> tuple[int, int]:
    """Returns where the brackets of the longest call or list begin and end that is in no other; twice 0 for none."""
    depths = _depths(line) or []
    ends = [place for place, depth in enumerate(depths) if depth == 0 and line[place] in "([{)]}"]
    pairs = [
        (start, end)
        for start, end in zip(ends[::2], ends[1::2], strict=False)
        if (line[start] == "(") is bool(re.search(r"[\w\])]$", line[:start]))
    ]
    return max(pairs, key=lambda pair: pair[1] - pair[0], default=(0, 0))


def _arguments(text: str) -> list[str] | None:
    """Returns the arguments between the parentheses of a call, or None if `text` is not inside one pair of them."""
    depths = _depths(text)
    if depths is None:
        return None
    commas = [place for place, (char, depth) in enumerate(zip(text, depths, strict=True)) if (char, depth) == (",", 0)]
    parts = [text[first:last].strip(", ") for first, last in itertools.pairwise([0, *commas, len(text)])]
    return [part for part in parts if part]


def _depths(text: str) -> list[int] | None:
    """Returns how many brackets are open at each character, -1 within quotes; None if one is closed too early."""
    depths, depth, quote = [], 0, ""
    for place, char in enumerate(text):
        if quote:
            quote = "" if char == quote and text[place - 1] != "\\" else quote
            depths.append(-1)
            continue
        quote = char if char in "'\"" else ""
        depth -= char in ")]}"
        if depth < 0:
            return None
        depths.append(-1 if quote else depth)
        depth += char in "([{"
    return depths
