"""Long chains of binary operators in a text, found by its tokens: `a + b + ...`, `x * y * ...`."""

from __future__ import annotations

import io
import keyword
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import accumulate

LONGEST = 500
"""Operators of one chain that are left to Python's parser."""

_LEVELS = (("|",), ("^",), ("&",), ("<<", ">>"), ("+", "-"), ("*", "/", "//", "%", "@"))
"""Operators that group from the left; those that bind the least come first (section 6.17 of Python's reference)."""
_BINARY = frozenset(operator for level in _LEVELS for operator in level)
_OPERANDS = frozenset({"None", "True", "False"})
_PREFIXES = frozenset({"+", "-", "~", "await"})
_SPACE = frozenset({tokenize.COMMENT, tokenize.NL})
_FSTRING_START, _FSTRING_END = getattr(tokenize, "FSTRING_START", -1), getattr(tokenize, "FSTRING_END", -1)


@dataclass
class Chain:
    """Operands with operators between them, all in characters from the beginning of the text.

    Attributes:
        operands: where each operand begins and ends, its brackets included.
        operators: where each operator begins, and its text.
        inner: the long chains within the operands, which lie in no other one.
    """

    operands: list[tuple[int, int]] = field(default_factory=list)
    operators: list[tuple[int, str]] = field(default_factory=list)
    inner: list[Chain] = field(default_factory=list)

    @property
    def start(self) -> int:
        return self.operands[0][0]

    @property
    def end(self) -> int:
        return self.operands[-1][1]

    def parts(self, level: tuple[str, ...]) -> list[Chain]:
        """Returns the parts between the operators of one level: chains of operators that bind more tightly."""
        cuts = [number for number, (_, operator) in enumerate(self.operators) if operator in level]
        parts = []
        for first, last in zip([-1, *cuts], [*cuts, len(self.operators)], strict=True):
            part = Chain(self.operands[first + 1 : last + 1], self.operators[first + 1 : last])
            part.inner = [chain for chain in self.inner if part.start <= chain.start < part.end]
            parts.append(part)
        return parts

    def long_ones(self, levels: tuple[tuple[str, ...], ...] = _LEVELS) -> list[Chain]:
        """Returns the long chains of one level each; those within another are its `inner`."""
        if len(self.operators) <= LONGEST or len(self.operands) != len(self.operators) + 1:
            return self.inner
        parts = self.parts(levels[0])
        inner = [chain for part in parts for chain in part.long_ones(levels[1:])]
        if len(parts) - 1 <= LONGEST:
            return inner
        operators = [row for row in self.operators if row[1] in levels[0]]
        return [Chain([(part.start, part.end) for part in parts], operators, inner)]


class _Reader:
    """Takes tokens one by one, and keeps the chain that it is in, at each depth of brackets."""

    def __init__(self) -> None:
        self.chains: list[Chain] = []
        self._open: list[tuple[Chain, list[Chain]]] = []
        self._chain = Chain()
        self._in_operand = self._has_value = False

    def take(self, kind: int, word: str, start: int, end: int) -> None:
        if kind == tokenize.OP and word in "([{":
            self._operand(start, end)
            self._open.append((self._chain, self.chains))
            self._chain, self.chains = Chain(), []
            self._in_operand = self._has_value = False
        elif kind == tokenize.OP and word in ")]}" and self._open:
            self.finish()
            inner = self.chains
            self._chain, self.chains = self._open.pop()
            self._chain.inner += inner
            self._in_operand = True
            self._operand(start, end)
        elif word in _BINARY and self._has_value:
            self._chain.operators.append((start, word))
            self._in_operand = self._has_value = False
        elif _is_of_operand(kind, word) and (self._in_operand or word != "**"):
            self._operand(start, end, word not in _PREFIXES and word != "**")
        else:
            self.finish()

    def finish(self) -> None:
        """The chain is at its end: what comes next binds less than any operator."""
        self.chains += self._chain.long_ones()
        self._chain = Chain()
        self._in_operand = self._has_value = False

    def _operand(self, start: int, end: int, has_value: bool = True) -> None:
        if self._in_operand:
            self._chain.operands[-1] = (self._chain.operands[-1][0], end)
        else:
            self._chain.operands.append((start, end))
        self._in_operand, self._has_value = True, has_value


def chains_of(text: str) -> list[Chain]:
    """Returns the long chains of a text that lie in no other one.

    Raises SyntaxError or tokenize.TokenError where the text is not Python.
    """
    reader = _Reader()
    for kind, word, start, end in _tokens(text):
        reader.take(kind, word, start, end)
    reader.finish()
    return reader.chains


def _is_of_operand(kind: int, word: str) -> bool:
    if kind == tokenize.NAME:
        return not keyword.iskeyword(word) or word in _OPERANDS or word in _PREFIXES
    return kind in (tokenize.NUMBER, tokenize.STRING) or word in _PREFIXES or word in (".", "**", "...")


def _tokens(text: str) -> Iterator[tuple[int, str, int, int]]:
    """Yields kind, text, first and last place; an f-string, which Python 3.12 takes apart, is one token."""
    starts = [0, *accumulate(len(line) for line in text.splitlines(keepends=True))]
    depth, first = 0, 0
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        start, end = (starts[row - 1] + column for row, column in (token.start, token.end))
        if token.type == _FSTRING_START:
            first = first if depth else start
            depth += 1
        elif token.type == _FSTRING_END:
            depth -= 1
            if not depth:
                yield tokenize.STRING, "", first, end
        elif not depth and token.type not in _SPACE:
            yield token.type, token.string, start, end
