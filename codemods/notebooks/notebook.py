"""Treats a notebook as a source file: joins its code cells to one text, and writes the text back cell by cell."""

from __future__ import annotations

import bisect
import codecs
from dataclasses import dataclass, field
from pathlib import Path

from codemods import parsing
from codemods.errors import BrokenNotebookError, CodemodsError, NotANotebookError, OtherLanguageError
from codemods.notebooks.cells import Cell, NoCellsError, code_cells, language, written
from codemods.notebooks.magics import Hidden, hide, hide_all
from codemods.notebooks.spans import NotJsonError
from codemods.source import SourceFile, to_python3
from codemods.systems import reported


@dataclass(frozen=True)
class Notebook(SourceFile):
    """A notebook. Its `text` is the Python of all code cells, each followed by a line that marks the cell's end.

    Attributes:
        json: the notebook's JSON.
        cells: the code cells.
        hidden: the texts of IPython's syntax that `text` replaces.
        starts: the first line of each cell in `text`.
        unread: the cells that are not Python, with the reason; they stay as they are.
    """

    json: str = ""
    cells: tuple[Cell, ...] = ()
    hidden: Hidden = field(default_factory=Hidden)
    starts: tuple[int, ...] = ()
    unread: tuple[tuple[int, str], ...] = ()

    def encode(self, text: str) -> bytes:
        """Returns the notebook's bytes with the cells of a new text. Unchanged cells keep every byte.

        Raises:
            BrokenNotebookError: the marks between the cells have changed.
        """
        parts: list[str] = []
        at = 0
        for cell, new in zip(self.cells, self._split(text), strict=True):
            if new != cell.text:
                parts += [self.json[at : cell.start], written(self.json, cell, new)]
                at = cell.end
        return super().encode("".join(parts) + self.json[at:])

    def place(self, line: int) -> tuple[int | None, int]:
        """Returns the number of the cell at a line of `text`, and the line in the cell."""
        index = max(0, bisect.bisect_right(self.starts, line) - 1)
        return (self.cells[index].number, line - self.starts[index] + 1) if self.cells else (None, line)

    def lines(self, cell: int | None) -> list[str]:
        """Returns the lines of one cell."""
        return next((item.text.split("\n") for item in self.cells if item.number == cell), [])

    def _split(self, text: str) -> list[str]:
        texts: list[str] = []
        for cell in self.cells:
            part, mark, text = text.partition(_mark(cell))
            if not mark:
                raise BrokenNotebookError(self.path, cell.number)
            texts.append(self.hidden.show(part if cell.text.endswith("\n") else part.removesuffix("\n")))
        if text:
            raise BrokenNotebookError(self.path, self.cells[-1].number if self.cells else 0)
        return texts


def _mark(cell: Cell) -> str:
    return f"# --- codemods, end of cell {cell.number} ---\n"


def read(data: bytes, path: Path | str) -> Notebook:
    """Returns the notebook of these bytes.

    Raises:
        NotANotebookError: the bytes are not a notebook.
        OtherLanguageError: the notebook's language is not Python.
    """
    bom = data.startswith(codecs.BOM_UTF8)
    try:
        text = data.removeprefix(codecs.BOM_UTF8).decode()
        spoken = language(text)
        if spoken not in ("python", "ipython"):
            raise OtherLanguageError(path, spoken)
        cells = code_cells(text)
    except (UnicodeError, NotJsonError, NoCellsError) as error:
        raise NotANotebookError(path, str(error)) from error
    hidden = Hidden()
    joined: list[str] = []
    starts: list[int] = []
    unread: list[tuple[int, str]] = []
    line = 1
    for cell in cells:
        part, why = _python(cell, hidden, f"cell {cell.number}")
        unread += [(cell.number, why)] if why else []
        part = (part if cell.text.endswith("\n") else part + "\n") + _mark(cell)
        joined.append(part)
        starts.append(line)
        line += part.count("\n")
    return Notebook(
        reported(path), "".join(joined), "utf-8", bom, text, tuple(cells), hidden, tuple(starts), tuple(unread)
    )


def _python(cell: Cell, hidden: Hidden, place: str) -> tuple[str, str]:
    """Returns a cell's text as Python, and why it is hidden or "". A broken cell is hidden so that others are read."""
    masked = hide(cell.text, hidden)
    if parsing.syntax_error(masked) is None:
        return masked, ""
    try:
        to_python3(masked, place)
    except CodemodsError as error:
        return hide_all(cell.text, hidden), str(error)
    return masked, ""
