"""The code cells of a notebook's JSON, and a cell's new text in the style in which the old one was written."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from codemods.notebooks import spans


@dataclass(frozen=True)
class Cell:
    """A code cell: its number among all cells (from 1), its text, and where the JSON of that text stands."""

    number: int
    text: str
    start: int
    end: int


class NoCellsError(Exception):
    """The JSON is no notebook of a format that is known."""


def language(text: str) -> str:
    """The language its kernel or its metadata names; "python" where nothing does."""
    place = spans.member(text, 0, "metadata")
    metadata = spans.value(text, place[0])[0] if place else {}
    for key, name in (("language_info", "name"), ("kernelspec", "language")):
        found = metadata.get(key) if isinstance(metadata, dict) else None
        if isinstance(found, dict) and isinstance(found.get(name), str):
            return " ".join(str(found[name]).split())[:40].lower()
    return "python"


def code_cells(text: str) -> list[Cell]:
    """The code cells in order. Raises NotJsonError and NoCellsError."""
    whole, _ = spans.value(text, 0)
    if not isinstance(whole, dict) or not ({"cells", "worksheets"} & whole.keys()):
        raise NoCellsError("it has neither cells nor worksheets")
    found: list[Cell] = []
    for number, start in enumerate(_cells(text), start=1):
        cell = {key: (begin, end) for key, begin, end in spans.members(text, start)}
        place = cell.get("source") or cell.get("input")
        if "cell_type" not in cell or place is None or spans.value(text, cell["cell_type"][0])[0] != "code":
            continue
        told = spans.value(text, cell["language"][0])[0] if "language" in cell else "python"
        source = _joined(spans.value(text, place[0])[0])
        if source is not None and told == "python":
            found.append(Cell(number, source, *place))
    return found


def _cells(text: str) -> Iterator[int]:
    """Where each cell starts: format 4 keeps them at the top, formats 2 and 3 in worksheets."""
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
    """The JSON of a cell's new text: one string or a list of lines, spaced and escaped as the old one was."""
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
    """A JSON string; letters beyond ASCII are escaped only where the old one escaped some."""
    return json.dumps(text, ensure_ascii=like.isascii() and "\\u" in like)
