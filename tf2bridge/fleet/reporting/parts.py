"""The items of a page as JSON, a thousand in each part, so that a browser reads only the part that it shows.

A part has columns. A column whose values are all equal is this value. Texts are numbers of the part's list `texts`, and
a path is what follows the beginning that it shares with the path before.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from codemods.printable import visible
from tf2bridge.fleet.reporting.report import reason_of
from tf2bridge.fleet.reporting.rows import Row
from tf2bridge.html_page import inert_json

SIZE = 1000
"""The most items of a part."""


def elements(rows: Sequence[Row], groups: Mapping[tuple[str, str], int]) -> Iterator[str]:
    """Yields an element of the page for each part. `groups`: the reasons of failures -> their numbers."""
    for start in range(0, len(rows), SIZE):
        part = _part(rows[start : start + SIZE], groups)
        yield f'<script type="application/json" class="part">{inert_json(part)}</script>\n'


def _part(rows: Sequence[Row], groups: Mapping[tuple[str, str], int]) -> dict[str, Any]:
    numbers: dict[str, int] = {}

    def number(text: str) -> int:
        return numbers.setdefault(text, len(numbers))

    reasons = [reason_of(row) for row in rows]
    paths = [visible(row.path) for row in rows]
    shared = ["", *(os.path.commonprefix(pair) for pair in itertools.pairwise(paths))]  # noqa: RUF071  # by characters
    columns: dict[str, list[Any]] = {
        "start": [_units(start) for start in shared],
        "path": [path[len(start) :] for path, start in zip(paths, shared, strict=True)],
        "kind": [number(row.kind) for row in rows],
        "verdict": [number(row.verdict.value) for row in rows],
        "error": [number(_note(row)) for row in rows],
        "group": [-1 if reason is None else groups[reason] for reason in reasons],
        "size": [row.size if row.size is not None else row.written for row in rows],
        "seconds": [None if row.seconds is None else round(row.seconds, 3) for row in rows],
        "key": [row.key for row in rows],
        "report": [number(_link(row)) for row in rows],
    }
    return {name: _shortened(column) for name, column in columns.items()} | {"texts": list(numbers)}


def _units(text: str) -> int:
    """Returns the length of a text in JavaScript, which counts a character beyond the first 65,536 twice."""
    return len(text.encode("utf-16-le")) // 2


def _shortened(column: list[Any]) -> Any:
    return column[0] if column.count(column[0]) == len(column) else column


def _link(row: Row) -> str:
    """Returns the link to an item's own report, with {key} for the part that is different for each item."""
    return quote(row.report).replace(f"{row.key[:2]}/{row.key}", "{key}", 1) if row.key else ""


def _note(row: Row) -> str:
    return visible(row.error) or (f"as {visible(row.same_as)}" if row.same_as else "")
