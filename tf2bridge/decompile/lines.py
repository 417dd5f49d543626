"""Lines of source that know which nodes of the graph they stand for."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from tf2bridge.decompile.expressions import LONGEST, wrapped

INDENT = "    "


class RawCall(NamedTuple):
    """A call of `tf.raw_ops`.

    Attributes:
        op: The type of the operation.
        why: Why the call is no public function.
        node: The old name of the node.
    """

    op: str
    why: str
    node: str


class Line(str):
    """A line of source.

    Attributes:
        nodes: The old names of the nodes that it computes, or whose values it holds.
        raw_calls: The calls of `tf.raw_ops` in it.
    """

    __slots__ = ("nodes", "raw_calls")

    nodes: tuple[str, ...]
    raw_calls: tuple[RawCall, ...]

    def __new__(cls, text: str, nodes: Iterable[str] = (), raw_calls: Iterable[RawCall] = ()) -> Line:
        """Returns a line."""
        line = super().__new__(cls, text)
        line.nodes = tuple(nodes)
        line.raw_calls = tuple(raw_calls)
        return line


def as_line(text: str) -> Line:
    """Returns a text as a line: itself, if it is one."""
    return text if isinstance(text, Line) else Line(text)


def indented(lines: Iterable[str], depth: int = 1) -> list[Line]:
    """Returns lines with an indent before each that is not empty."""
    return [Line(INDENT * depth + line if line else "", line.nodes, line.raw_calls) for line in map(as_line, lines)]


def within_columns(line: str) -> list[Line]:
    """Returns a line as several lines that are short enough, if it can be broken. Each has the nodes of the line."""
    indent = len(line) - len(line.lstrip())
    known = as_line(line)
    parts = [" " * indent + part for part in wrapped(line.strip(), indent)]
    return [Line(part, known.nodes, () if number else known.raw_calls) for number, part in enumerate(parts)]


def docstring(text: str) -> str:
    """Returns a docstring with a text of any origin, such as the name of a file: nothing in it ends the docstring."""
    safe = "".join(char if char.isprintable() and char not in '"\\' else _escaped(char) for char in text)
    return f'"""{safe}"""'


def docstring_lines(text: str, depth: int) -> list[str]:
    """Returns a docstring as lines with an indent, of at most `LONGEST` columns each if it has spaces."""
    indent = INDENT * depth
    lines = textwrap.wrap(docstring(text), LONGEST - len(indent), break_long_words=False, break_on_hyphens=False)
    return [indent + line for line in lines]


def _escaped(char: str) -> str:
    return f"\\{char}" if char in '"\\' else char.encode("unicode_escape").decode("ascii")


def merged(texts: Iterable[str], several: Sequence[Sequence[str]]) -> list[Line]:
    """Returns lines that stand for the nodes of several equal pieces of code.

    Args:
        texts: The lines.
        several: The lines of each piece.
    """
    return [
        Line(text, dict.fromkeys(node for line in alike for node in as_line(line).nodes), as_line(alike[0]).raw_calls)
        for text, *alike in zip(texts, *several, strict=True)
    ]


def shortened(parameters: Sequence[str], lines: Sequence[str]) -> list[str]:
    """Returns parameters, with `*_` for the last ones if these are several that no line uses."""
    used = set(re.findall(r"\w+", "\n".join(lines)))
    last = max((place for place, name in enumerate(parameters) if name in used), default=-1)
    rest = len(parameters) - last - 1
    return [*parameters[: last + 1], "*_"] if rest > 1 else list(parameters)


def function_lines(name: str, parameters: Sequence[str], body: Sequence[str]) -> list[Line]:
    """Returns the lines of a function."""
    return [Line(f"def {name}({', '.join(parameters)}):"), *indented(body)]
