"""Finds the bytes of an ast node. ast counts lines and UTF-8 columns; edits need offsets into the whole text."""

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
        """The offset of each line. A form feed does not end a line, as it does for bytes.splitlines."""
        return [0, *(match.end() for match in re.finditer(rb"\r\n|\n|\r", self.data))]

    def offset(self, line: int, column: int) -> int:
        """Returns the offset of an ast position (lines from 1, columns in UTF-8 bytes from 0)."""
        return self.starts[line - 1] + column

    def line(self, offset: int) -> int:
        """Returns the line that an offset is on."""
        return bisect.bisect_right(self.starts, offset)

    def span(self, node: ast.AST) -> tuple[int, int]:
        """Returns the start and the end of a node. A module is the whole text."""
        if isinstance(node, ast.Module):
            return 0, len(self.data)
        line, end_line = node.lineno, node.end_lineno  # type: ignore[attr-defined]
        return self.offset(line, node.col_offset), self.offset(end_line, node.end_col_offset)  # type: ignore[attr-defined]

    def text(self, node: ast.AST) -> str:
        """Returns the source of a node."""
        start, end = self.span(node)
        return self.data[start:end].decode()

    def line_start(self, offset: int) -> int:
        """Returns the start of the line with this offset."""
        low = max(self.data.rfind(b"\n", 0, offset), self.data.rfind(b"\r", 0, offset))
        return low + 1

    def line_end(self, offset: int) -> int:
        """Returns the end of the line with this offset, before its newline."""
        match = re.compile(rb"[\r\n]").search(self.data, offset)
        return match.start() if match else len(self.data)

    def after_newline(self, offset: int) -> int:
        """Returns the start of the next line, from the end of a line."""
        match = re.compile(rb"\r\n|\n|\r").match(self.data, offset)
        return match.end() if match else offset

    def indent(self, offset: int) -> str | None:
        """Returns the white space before an offset on its line, or None if anything else is before it."""
        before = self.data[self.line_start(offset) : offset]
        return before.decode() if not before.strip() else None


def first_line_node(statement: ast.stmt) -> tuple[int, int]:
    """Returns the position a statement starts at, its decorators included."""
    decorators = getattr(statement, "decorator_list", [])
    if decorators:
        return decorators[0].lineno, decorators[0].col_offset - 1
    return statement.lineno, statement.col_offset
