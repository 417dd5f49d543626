"""Finds the function around a line of a legacy program."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from codemods.errors import CodemodsError
from codemods.parsing import parse
from codemods.regular import read_regular
from codemods.source import decode, to_python3

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class Functions:
    """The functions of a program's files, each file read when it is first asked for.

    Args:
        directory: Holds the program; None finds no function.
    """

    def __init__(self, directory: Path | None) -> None:
        self._directory = directory
        self._spans: dict[str, list[tuple[int, int, str]]] = {}

    def at(self, line: str) -> str:
        """Returns the qualified name, "Model.build", of the innermost function around "model.py:45"; "" for none."""
        file, _, number = line.rpartition(":")
        if self._directory is None or not number.isdecimal():
            return ""
        if file not in self._spans:
            self._spans[file] = list(_of_file(self._directory, file))
        around = [(begin, name) for begin, end, name in self._spans[file] if begin <= int(number) <= end]
        return max(around, default=(0, ""))[1]


def functions_in(directory: Path, file: str) -> set[str]:
    """Returns the qualified names of the functions of a file; none if it cannot be read."""
    return {name for _, _, name in _of_file(directory, file)}


def _of_file(directory: Path, file: str) -> Iterator[tuple[int, int, str]]:
    """Yields the first line, last line and name of each function of a file; none if it cannot be read."""
    path = PurePosixPath(file)
    if path.is_absolute() or ".." in path.parts:  # a trace may name any file
        return
    try:
        text = decode(read_regular(directory / file), file).text
        tree = parse(to_python3(text, file))
    except (CodemodsError, OSError, SyntaxError, ValueError):
        return
    yield from _spans(tree, "")


def _spans(tree: ast.AST, scope: str) -> Iterator[tuple[int, int, str]]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, _SCOPES):
            name = f"{scope}.{node.name}" if scope else node.name
            if not isinstance(node, ast.ClassDef):
                yield min([node.lineno, *(part.lineno for part in node.decorator_list)]), node.end_lineno or 0, name
            yield from _spans(node, name)
        else:
            yield from _spans(node, scope)
