"""A source text with edits: spans that get another text, and the text of a node with the edits inside it."""

from __future__ import annotations

import ast
import bisect
import io
import tokenize
from collections.abc import Iterable
from functools import cached_property

from codemods.alignment import kept
from codemods.names import Names
from codemods.positions import Positions
from codemods.splice import Edit
from codemods.tree import walk

Span = tuple[int, int]


class SourceText:
    """A text, its tree, and the edits made so far. Offsets are bytes.

    A later edit replaces all earlier ones inside its span, so inner edits are made first.
    """

    def __init__(self, text: str, tree: ast.Module) -> None:
        self.tree = tree
        self.positions = Positions(text.encode())
        self._edits: dict[Span, str] = {}
        self._shifts: dict[int, int] = {}

    @property
    def data(self) -> bytes:
        """The text as bytes."""
        return self.positions.data

    def span(self, node: ast.AST) -> Span:
        """Returns the start and end of a node."""
        return self.positions.span(node)

    def plain(self, node: ast.AST) -> str:
        """Returns the text of a node without edits."""
        return self.positions.text(node)

    def replace(self, span: Span, text: str) -> None:
        """Puts a text in place of a span."""
        start, end = span
        for other in [other for other in self._edits if start <= other[0] and other[1] <= end and other[0] < other[1]]:
            del self._edits[other]
        self._edits[span] = text

    def delete(self, span: Span) -> None:
        """Removes a span."""
        self.replace(span, "")

    def rendered(self, span: Span) -> str:
        """Returns the text of a span with the edits inside it."""
        start, end = span
        parts: list[bytes] = []
        at = start
        for (low, high), text in sorted(self._edits.items()):
            if start <= low and high <= end and low >= at:
                parts += [self.data[at:low], text.encode()]
                at = high
        parts.append(self.data[at:end])
        return b"".join(parts).decode()

    def text_of(self, node: ast.AST) -> str:
        """Returns the text of a node with the edits inside it."""
        return self.rendered(self.span(node))

    def result(self) -> str:
        """Returns the whole text with all edits."""
        return self.rendered((0, len(self.data)))

    def with_origins(self) -> tuple[str, tuple[int, ...]]:
        """Returns the whole text with all edits, and the old number of each line."""
        origins = [1]
        at = 0
        for (low, high), text in sorted(self._edits.items()):
            if low >= at:
                first, last = self.positions.line(low), self.positions.line(high)
                origins += range(self.positions.line(at) + 1, first + 1)
                origins += (min(first + number, last) for number in range(1, text.count("\n") + 1))
                whole = text.endswith("\n") if text else low == self.positions.line_start(low)
                if whole and high == self.positions.line_start(high):
                    origins[-1] = last  # whole lines went: what follows is the next one
                at = high
        origins += range(self.positions.line(at) + 1, self.positions.line(len(self.data)) + 1)
        return self.result(), tuple(origins)

    def lines_of(self, statement: ast.stmt) -> Span:
        """Returns the whole lines of a statement, with the comments directly above it and the newline."""
        start, end = self.span(statement)
        decorators = getattr(statement, "decorator_list", [])
        if decorators:
            start = self.span(decorators[0])[0]
        start = self.positions.line_start(start)
        indent = self._indent(start)
        while start:
            above = self.positions.line_start(start - 1)
            line = self.data[above:start].decode()
            if not line.lstrip().startswith("#") or self._indent(above) != indent or above in self._inside_strings:
                break
            start = above
        return start, self.positions.after_newline(self.positions.line_end(end))

    def is_alone(self, statement: ast.stmt) -> bool:
        """Returns whether no other statement shares the lines of this one."""
        start, end = self.span(statement)
        after = self.data[end : self.positions.line_end(end)].strip()
        return self.positions.indent(start) is not None and (not after or after.startswith(b"#"))

    def indent_of(self, statement: ast.stmt) -> str:
        """Returns the white space before a statement."""
        return self._indent(self.positions.line_start(self.span(statement)[0]))

    @property
    def indent_step(self) -> str:
        """By how much the file indents a block."""
        for node in walk(self.tree):
            if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.For, ast.With, ast.If)):
                inner, outer = self.indent_of(node.body[0]), self.indent_of(node)
                if len(inner) > len(outer):
                    return inner[len(outer) :]
        return "    "

    def _indent(self, start: int) -> str:
        line = self.data[start : self.positions.line_end(start)].decode()
        return line[: len(line) - len(line.lstrip())]

    @property
    def lines_in_strings(self) -> frozenset[int]:
        """The numbers of the lines that begin inside a string."""
        return frozenset(self.positions.line(start) for start in self._inside_strings)

    @cached_property
    def _inside_strings(self) -> frozenset[int]:
        """The starts of lines that begin inside a string."""
        starts: set[int] = set()
        for token in tokenize.tokenize(io.BytesIO(self.data).readline):
            if token.type == tokenize.STRING:
                starts.update(self.positions.starts[token.start[0] : token.end[0]])
        return frozenset(starts)

    def shift(self, statements: Iterable[ast.stmt], width: int) -> None:
        """Moves the lines of a block to the left. Lines inside strings stay. It comes before all other edits."""
        for statement in statements:
            start, end = self.lines_of(statement)
            first = bisect.bisect_left(self.positions.starts, start)
            last = bisect.bisect_left(self.positions.starts, end)
            for line in self.positions.starts[first:last]:
                content = self.data[line : self.positions.line_end(line)]
                if line not in self._inside_strings and content.strip():
                    blanks = len(content) - len(content.lstrip())
                    self._shifts[line] = min(self._shifts.get(line, 0) + width, blanks)
                    self._edits = {span: text for span, text in self._edits.items() if span[0] != line}
                    self._edits[line, line + self._shifts[line]] = ""

    def keep_alignment(self, names: Names) -> None:
        """Moves continued lines with the bracket that they are aligned to, after the edits before it on its line."""
        edits = [Edit(*span, text) for span, text in self._edits.items() if self._shifts.get(span[0]) is None]
        for edit in list(kept(edits, names, self.positions)):
            line, shift = edit.start, self._shifts.get(edit.start, 0)
            self._edits.pop((line, line + shift), None)
            shift += edit.end - line - len(edit.text)
            self._shifts[line] = max(shift, 0)
            self._edits[line, line + self._shifts[line]] = " " * -shift

    def shifted(self, line: int) -> int:
        """Returns by how much a line moved to the left."""
        return self._shifts.get(line, 0)


def reindented(text: str, old: str, new: str) -> str:
    """Returns lines with another indentation. Lines inside strings keep theirs."""
    lines = text.splitlines(keepends=True)
    inside: set[int] = set()
    try:
        for token in tokenize.generate_tokens(io.StringIO("if 1:\n" + text if old else text).readline):
            shift = 1 if old else 0
            if token.type == tokenize.STRING:
                inside.update(range(token.start[0] + 1 - shift, token.end[0] + 1 - shift))
    except (tokenize.TokenError, IndentationError):
        inside = set()
    return "".join(
        new + line.removeprefix(old) if line.strip() and number not in inside else line
        for number, line in enumerate(lines, 1)
    )
