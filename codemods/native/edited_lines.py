"""Edits of whole statements in a text, which remember the line that each new line stands for."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

from codemods.native.source_text import SourceText, reindented
from codemods.tree import walk


class FreeNames:
    """Names that a text has not. Each is given once."""

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken = {*taken}

    def take(self, name: str) -> str:
        """Returns a name that the text has not, from a wished one."""
        made = next(n for n in (name, *(f"{name}_{number}" for number in range(2, 99))) if n not in self._taken)
        self._taken.add(made)
        return made


class EditedLines:
    """A text whose statements get other lines, or go."""

    def __init__(self, text: str, tree: ast.Module) -> None:
        self.source = SourceText(text, tree)
        self.lines = text.splitlines(keepends=True)
        self._put: dict[int, list[str]] = {}
        self._gone: set[int] = set()
        taken = {n.id for n in walk(tree) if isinstance(n, ast.Name)}
        taken |= {n.name for n in walk(tree) if isinstance(n, (ast.FunctionDef, ast.ClassDef))}
        self.free = FreeNames(taken).take

    @property
    def step(self) -> str:
        """By how much the file indents a block."""
        return self.source.indent_step

    def put(self, statement: ast.stmt, new: Iterable[str]) -> None:
        """Puts lines in place of a statement, at its indentation."""
        indent = self.source.indent_of(statement)
        self._put[statement.lineno] = [f"{indent}{line}\n" if line.strip() else "\n" for line in new]
        self.remove(statement)

    def insert(self, statement: ast.stmt, new: Iterable[str]) -> None:
        """Puts lines before a statement, at its indentation."""
        indent = self.source.indent_of(statement)
        self._put.setdefault(statement.lineno, []).extend(f"{indent}{line}\n" for line in new)

    def remove(self, statement: ast.stmt) -> None:
        """Removes the lines of a statement. Comments above it stay."""
        self._gone |= {*range(statement.lineno, (statement.end_lineno or statement.lineno) + 1)}

    def indented(self, statements: Sequence[ast.stmt]) -> list[str]:
        """Returns the lines of statements, with the comments above them, one step further in than their block."""
        made: list[str] = []
        for statement in statements:
            text = self.source.rendered(self.source.lines_of(statement))
            for number in range(self.source.positions.line(self.source.lines_of(statement)[0]), statement.lineno):
                self._gone.add(number)
            made += reindented(text, self.source.indent_of(statement), self.step).splitlines()
        return made

    def fits(self, statements: Iterable[ast.stmt]) -> bool:
        """Returns whether each of these statements has its lines alone."""
        return all(self.source.is_alone(statement) for statement in statements)

    def result(self) -> tuple[str, tuple[int, ...]]:
        """Returns the new text, and the old number of each line."""
        kept: list[tuple[str, int]] = []
        for number, line in enumerate(self.lines, 1):
            kept += [(new, number) for new in self._put.get(number, [])]
            if number not in self._gone:
                kept.append((line, number))
        return "".join(line for line, _ in kept), (*(number for _, number in kept), len(self.lines))
