"""Reads the code cells from a notebook's JSON, and writes a cell's new text in the style of the old text."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from codemods.notebooks import spans


@dataclass(frozen=True)
class Cell:
    """A code cell: its number among all cells (from 1), its text, and the start and end of the text's JSON."""

    number: int
    text: str
    start: int
    end: int


class NoCellsError(Exception):
    """The JSON is not a notebook of a known format."""


def language(text: str) -> str:
    """Returns the language that the notebook's metadata or kernel names; "python" if neither does."""
    place = spans.member(text, 0, "metadata")
    metadata = spans.value(text, place[0])[0] if place else {}
    for key, name in (("language_info", "name"), ("kernelspec", "language")):
        section = metadata.get(key) if isinstance(metadata, dict) else None
        if isinstance(section, dict) and isinstance(section.get(name), str):
            return " ".join(str(section[name]).split())[:40].lower()
    return "python"


def code_cells(text: str) -> list[Cell]:
    """Returns the code cells in order. Raises NotJsonError and NoCellsError."""
    notebook, _ = spans.value(text, 0)
    if not isinstance(notebook, dict) or not ({"cells", "worksheets"} & notebook.keys()):
        raise NoCellsError("it has neither cells nor worksheets")
    cells: list[Cell] = []
    for number, start in enumerate(_cells(text), start=1):
        cell = {key: (begin, end) for key, begin, end in spans.members(text, start)}
        place = cell.get("source") or cell.get("input")
        if "cell_type" not in cell or place is None or spans.value(text, cell["cell_type"][0])[0] != "code":
            continue
        spoken = spans.value(text, cell["language"][0])[0] if "language" in cell else "python"
        source = _joined(spans.value(text, place[0])[0])
        if source is not None and spoken == "python":
            cells.append(Cell(number, source, *place))
    return cells


def _cells(text: str) -> Iterator[int]:
    """Yields the start of each cell. Format 4 has them at the top level, formats 2 and 3 in worksheets."""
    cells = spans.member(text, 0, "cells")
    if cells:
        yield from (start for start, _ in spans.items(text, cells[0]))
        return
    sheets = spans.member(text, 0, "worksheets")
    for sheet, _ in spans.items(text, sheets[0]) if sheets else ():
        inner = spans.member(text, sheet, "cells")
        if inner:
            yield from (start for start, _ in spans.items(text, inner[0]))


def _joined(source: object) -> str | None:
    if isinstance(source, str):
        return source
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        return "".join(source)
    return None


def written(json_text: str, cell: Cell, new: str) -> str:
    """Returns the JSON of a cell's new text: a string or a list of lines, spaced and escaped as in the old JSON."""
    old = json_text[cell.start : cell.end]
    if old.startswith('"'):
        return _quoted(new, old)
    tokens = {spans.value(old, start)[0]: old[start:end] for start, end in spans.items(old, 0)}
    places = list(spans.items(old, 0))
    opening = old[: places[0][0]] if places else "["
    closing = old[places[-1][1] :] if places else "]"
    joint = old[places[0][1] : places[1][0]] if len(places) > 1 else "," + opening[1:]
    lines = re.findall(r"[^\n]*\n|[^\n]+\Z", new)
    return opening + joint.join(tokens.get(line) or _quoted(line, old) for line in lines) + closing


def _quoted(text: str, like: str) -> str:
    """Returns a JSON string. Characters beyond ASCII are escaped only if the old JSON escaped some."""
    return json.dumps(text, ensure_ascii=like.isascii() and "\\u" in like)
