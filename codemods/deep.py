"""Trees of texts with long chains of operators, such as thousands of terms, which Python's parser refuses.

`a + b + c` is a tree of two levels, and `ast.parse` gives up at some depth: CPython 3.12.1 at 2,987 terms, whatever the
recursion limit and the stack are, 3.13.0 at 9,969. Here a chain is parsed flat instead, as the tuple of its operands,
and the text around it with a name in its place. All nodes get the places that `ast.parse` would have given them.
"""

from __future__ import annotations

import ast
import tokenize
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

from codemods.chains import Chain, chains_of

_OPERATORS: dict[str, type[ast.operator]] = {
    "|": ast.BitOr, "^": ast.BitXor, "&": ast.BitAnd, "<<": ast.LShift, ">>": ast.RShift, "+": ast.Add,
    "-": ast.Sub, "*": ast.Mult, "/": ast.Div, "//": ast.FloorDiv, "%": ast.Mod, "@": ast.MatMult,
}  # fmt: skip

Place = tuple[int, int]
"""A line, from 1, and a column in bytes, as nodes have them."""


def parse(text: str) -> ast.Module | None:
    """Returns the tree of a Python 3 text, or None if it has no long chain that could be parsed flat.

    Raises what `ast.parse` raises for the rest of the text.
    """
    try:
        chains = chains_of(text)
    except (SyntaxError, tokenize.TokenError):
        return None
    if not chains or len(text.splitlines()) != len(text.split("\n")) - text.endswith("\n"):
        return None  # another character than "\n" ends a line: places could not be told
    places = _Places(text)
    tree = ast.parse(_with_names(text, chains))
    _put_in(tree, chains, places)
    return tree


class _Places:
    """Where each character of a text is, in the terms of nodes."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._starts = [0, *accumulate(len(line) for line in text.splitlines(keepends=True)[:-1])]
        self._bytes = range(len(text) + 1) if text.isascii() else [0, *accumulate(len(char.encode()) for char in text)]

    def of(self, index: int) -> Place:
        line = bisect_right(self._starts, index)
        return line, self._bytes[index] - self._bytes[self._starts[line - 1]]

    def of_name(self, chain: Chain) -> Place:
        """Returns where the name of a chain is, in the text that has names for chains."""
        line, column = self.of(chain.start)
        lines = _place_in_brackets(self.text[chain.start : chain.end]) - 1
        return (line + lines, 0) if lines else (line, column + 1)

    def shift(self, tree: ast.AST, index: int) -> None:
        """Moves the nodes of a tree that was parsed behind one bracket to where its text begins."""
        line, column = self.of(index)
        for node in ast.walk(tree):
            if isinstance(node, ast.expr | ast.keyword | ast.arg):
                assert node.end_lineno is not None
                assert node.end_col_offset is not None
                node.col_offset += column - 1 if node.lineno == 1 else 0
                node.end_col_offset += column - 1 if node.end_lineno == 1 else 0
                node.lineno += line - 1
                node.end_lineno += line - 1


def _with_names(text: str, chains: Sequence[Chain], start: int = 0, end: int | None = None) -> str:
    """Returns a stretch of the text with a name for each chain, on as many lines and bytes."""
    parts, place = [], start
    for chain in chains:
        parts += [text[place : chain.start], _stand_in(text[chain.start : chain.end])]
        place = chain.end
    return "".join([*parts, text[place:end]])


def _stand_in(text: str) -> str:
    """Returns a name in brackets that begins and ends where the text does; what is around it keeps its place, too."""
    blank = "\n".join(" " * len(line.encode()) for line in text.split("\n"))
    place = _place_in_brackets(blank)
    return f"({blank[1:place]}_{blank[place + 1 : -1]})"


def _place_in_brackets(text: str) -> int:
    return next(place for place in range(1, len(text)) if text[place] != "\n")


def _put_in(tree: ast.AST, chains: Sequence[Chain], places: _Places) -> None:
    """Puts the trees of chains where their names stand."""
    by_place = {places.of_name(chain): chain for chain in chains}
    for node in list(ast.walk(tree)):
        for name, value in ast.iter_fields(node):
            if isinstance(value, list):
                value[:] = [_chain_at(item, by_place, places) or item for item in value]
            elif (made := _chain_at(value, by_place, places)) is not None:
                setattr(node, name, made)


def _chain_at(node: object, chains: dict[Place, Chain], places: _Places) -> ast.expr | None:
    if not isinstance(node, ast.Name) or node.id != "_":
        return None
    chain = chains.get((node.lineno, node.col_offset))
    return None if chain is None else _tree(chain, places)


def _tree(chain: Chain, places: _Places) -> ast.expr:
    """Returns the tree of one chain: its operands, parsed as a tuple, one level deeper with each operator."""
    text, last = "(", chain.start
    for place, operator in chain.operators:
        inner = [operand for operand in chain.inner if last <= operand.start < place]
        text += _with_names(places.text, inner, last, place) + ",".ljust(len(operator))
        last = place + len(operator)
    inner = [operand for operand in chain.inner if last <= operand.start]
    flat = ast.parse(text + _with_names(places.text, inner, last, chain.end) + ")", mode="eval").body
    assert isinstance(flat, ast.Tuple)
    places.shift(flat, chain.start)
    _put_in(flat, chain.inner, places)
    return _nested(chain, flat.elts, places)


def _nested(chain: Chain, operands: Sequence[ast.expr], places: _Places) -> ast.expr:
    lineno, col_offset = places.of(chain.start)
    joined = operands[0]
    for (_, word), operand, (_, end) in zip(chain.operators, operands[1:], chain.operands[1:], strict=True):
        end_line, end_column = places.of(end)
        joined = ast.BinOp(
            joined,
            _OPERATORS[word](),
            operand,
            lineno=lineno,
            col_offset=col_offset,
            end_lineno=end_line,
            end_col_offset=end_column,
        )
    return joined
