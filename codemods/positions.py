"""Where an ast node's bytes are. ast counts lines and UTF-8 columns; edits need offsets into the whole text."""

from __future__ import annotations

import ast
import bisect
import re
from dataclasses import dataclass
from functools import cached_property

NEWLINE = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True)
class Positions:
    """The UTF-8 bytes of a text, and where each of its lines starts."""

    data: bytes

    @cached_property
    def starts(self) -> list[int]:
        """The offset of each line. Form feeds end no line; bytes.splitlines would not be told apart from \\r\\n."""
        return [0, *(match.end() for match in re.finditer(rb"\r\n|\n|\r", self.data))]

    def offset(self, line: int, column: int) -> int:
        """The offset of an ast position (lines from 1, columns in UTF-8 bytes from 0)."""
        return self.starts[line - 1] + column

    def line(self, offset: int) -> int:
        """The line that an offset is on."""
        return bisect.bisect_right(self.starts, offset)

    def span(self, node: ast.AST) -> tuple[int, int]:
        """Where a node starts and ends; a module is everything."""
        if isinstance(node, ast.Module):
            return 0, len(self.data)
        line, end_line = node.lineno, node.end_lineno  # type: ignore[attr-defined]
        return self.offset(line, node.col_offset), self.offset(end_line, node.end_col_offset)  # type: ignore[attr-defined]

    def text(self, node: ast.AST) -> str:
        """The source of a node."""
        start, end = self.span(node)
        return self.data[start:end].decode()

    def line_start(self, offset: int) -> int:
        """Where the line that holds this offset starts."""
        low = max(self.data.rfind(b"\n", 0, offset), self.data.rfind(b"\r", 0, offset))
        return low + 1

    def line_end(self, offset: int) -> int:
        """Where the line that holds this offset ends, before its newline."""
        match = re.compile(rb"[\r\n]").search(self.data, offset)
        return match.start() if match else len(self.data)

    def after_newline(self, offset: int) -> int:
        """The start of the next line, given the end of one."""
        match = re.compile(rb"\r\n|\n|\r").match(self.data, offset)
        return match.end() if match else offset

    def indent(self, offset: int) -> str | None:
        """The white space before an offset, or None if anything else stands before it on its line."""
        before = self.data[self.line_start(offset) : offset]
        return before.decode() if not before.strip() else None


def first_line_node(statement: ast.stmt) -> tuple[int, int]:
    """The position a statement starts at, its decorators included."""
    decorators = getattr(statement, "decorator_list", [])
    if decorators:
        return decorators[0].lineno, decorators[0].col_offset - 1
    return statement.lineno, statement.col_offset
