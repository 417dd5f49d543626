"""Rewrites the text of a call with other keywords, and changes nothing else.

Most rewrites are of this kind, and need no LibCST: ast knows the places of the arguments, and between them are only
white space, comments, commas and brackets.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from codemods import parsing
from codemods.positions import Positions

_Edit = tuple[int, int, bytes]
_GAP = rb"(?:\s|\\\r?\n|#[^\r\n]*(?=[\r\n]))*"  # a comment is skipped as a whole
_BLANK = re.compile(_GAP)
# The brackets around an expression are not part of its node.
_CLOSED = re.compile(rb"(?:" + _GAP + rb"\))*")
_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Rewording:
    """A rewrite of calls.

    `keywords`: place or old keyword of an argument -> its new keyword. `added`: further arguments (keyword, text) at
    the end.
    """

    keywords: tuple[tuple[int | str, str], ...] = ()
    added: tuple[tuple[str, str], ...] = ()

    def of(self, text: str) -> str:
        """Returns the new text of a call. The text of another expression stays."""
        call, positions = _parsed(text)
        if call is None:
            return text
        brackets = list(_brackets(call, positions))
        if brackets:
            call, positions = _parsed(_made(brackets, positions))
            assert call is not None
        return _made(self._edits(call, positions), positions)

    def _edits(self, call: ast.Call, positions: Positions) -> Iterator[_Edit]:
        wanted = dict(self.keywords)
        for place in range(len(call.args)):
            if place in wanted:
                start = _start(call, place, positions)
                yield start, start, f"{wanted[place]}=".encode()
        for keyword in call.keywords:
            if keyword.arg in wanted:
                start = positions.offset(keyword.lineno, keyword.col_offset)
                word = _WORD.match(positions.data[start:].decode())
                assert word is not None
                yield start, start + len(word.group().encode()), wanted[keyword.arg].encode()
        if self.added:
            yield _added(call, ", ".join(f"{name}={value}" for name, value in self.added), positions)


def _parsed(text: str) -> tuple[ast.Call | None, Positions]:
    """Returns the call of a text, and the places of its parts.

    The text is parsed in brackets: it may have several lines.
    """
    text = f"({text})"
    body = parsing.parse(text).body
    call = body[0].value if len(body) == 1 and isinstance(body[0], ast.Expr) else None
    return call if isinstance(call, ast.Call) else None, Positions(text.encode())


def _made(edits: Iterable[_Edit], positions: Positions) -> str:
    data = positions.data
    for start, end, new in sorted(edits, reverse=True):
        data = data[:start] + new + data[end:]
    return data[1:-1].decode()


def _brackets(call: ast.Call, positions: Positions) -> Iterator[_Edit]:
    """Returns the brackets that an argument needs if it gets a keyword or is not alone: f(x for x in y), f(x := y)."""
    for place, argument in enumerate(call.args):
        start, end = positions.span(argument)
        if isinstance(argument, ast.GeneratorExp) and end == positions.span(call)[1]:
            start, end = start + 1, end - 1  # it shares the brackets of the call
        elif not isinstance(argument, ast.NamedExpr) or _start(call, place, positions) < start:
            continue
        yield from ((start, start, b"("), (end, end, b")"))


def _start(call: ast.Call, place: int, positions: Positions) -> int:
    """Returns the start of an argument and its brackets: after a comma, or after the bracket of the call."""
    before = call.args[place - 1] if place else call.func
    return _skip(_BLANK, _skip(_BLANK, _skip(_CLOSED, positions.span(before)[1], positions), positions) + 1, positions)


def _added(call: ast.Call, text: str, positions: Positions) -> _Edit:
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    end = positions.span(call)[1] - 1
    if not given:
        return end, end, text.encode()
    last = max(positions.span(node)[1] for node in given)
    at = _skip(_CLOSED, last, positions, end)
    return at, at, f", {text}".encode()


def _skip(pattern: re.Pattern[bytes], start: int, positions: Positions, limit: int = sys.maxsize) -> int:
    match = pattern.match(positions.data, start, limit)
    assert match is not None  # it may be empty
    return match.end()
