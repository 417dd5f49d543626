"""A program with what it takes from other files, and where its lines stood."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from pathlib import Path

from codemods.native.joined_modules import relative_name
from codemods.native.joining import Joined
from codemods.native.line_origins import lines_before
from codemods.native.refusals import NotJoinedError, NotNativeError
from codemods.reading import open_source


def decoded(data: bytes, path: str) -> str:
    """Returns the text of a file."""
    return open_source(data, path).text


def places(
    whole: Joined, path: str, text_of: Callable[[str], str | None]
) -> tuple[Callable[[int], int], Callable[[int], str]]:
    """Returns what gives the line of the legacy file, and the name of the file, for a line of a joined text."""
    lines = {file: _lines(file, text_of) for file in dict.fromkeys(file for file, _ in whole.origins)}

    def line(number: int) -> int:
        file, own = whole.origin(number)
        return lines[file](own)

    return line, lambda number: relative_name(whole.origin(number)[0], path)


def at_home(error: NotNativeError, whole: Joined, path: str, text_of: Callable[[str], str | None]) -> NotNativeError:
    """Returns an error at its line of the program; at the import of the file that the line is of, if it is another."""
    number = getattr(error.node, "lineno", 1)
    through: Mapping[str, int] = whole.through
    if isinstance(error, NotJoinedError):
        file = error.path
        through = {file: error.through.lineno} if error.through is not None else {}
    else:
        file, number = whole.origin(number)
    if file == path:
        where = ast.Pass(lineno=number, col_offset=getattr(error.node, "col_offset", 0))
        return NotNativeError(where, error.code, error.message)
    place = f"line {_lines(file, text_of)(number)} of {relative_name(file, path)}, which belongs to this program"
    where = ast.Pass(lineno=through.get(file, 1), col_offset=0)
    return NotNativeError(where, error.code, f"{place}: {error.message}")


def _lines(file: str, text_of: Callable[[str], str | None]) -> Callable[[int], int]:
    return lines_before(decoded(Path(file).read_bytes(), file), text_of(file) or "")
