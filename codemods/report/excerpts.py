"""The source lines around findings, as they were before anything was rewritten."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from codemods.errors import CodemodsError
from codemods.reading import open_source
from codemods.regular import read_regular
from codemods.rule import Finding
from codemods.source import SourceFile

_AROUND = 2
_MOST_LINES = 12
_WIDEST = 240


@dataclass(frozen=True)
class Line:
    """A line with its number; `hit` where the finding is."""

    number: int
    text: str
    hit: bool


def open_files(befores: Mapping[str, bytes]) -> dict[str, SourceFile]:
    """The files by path, from the bytes they had."""
    found: dict[str, SourceFile] = {}
    for path, data in befores.items():
        try:
            found[path] = open_source(data, path)
        except CodemodsError:
            continue
    return found


def before(path: str, known: Mapping[str, bytes]) -> bytes:
    """The bytes a file had: those that were kept, or those that are still there."""
    if path in known:
        return known[path]
    try:
        return read_regular(Path(path))
    except (OSError, CodemodsError):
        return b""


def excerpt(lines: list[str], finding: Finding) -> list[Line]:
    """The lines of a finding with two more on either side."""
    first = max(1, finding.line - _AROUND)
    last = min(len(lines), finding.end_line + _AROUND, first + _MOST_LINES)
    return [
        Line(number, lines[number - 1][:_WIDEST], finding.line <= number <= finding.end_line)
        for number in range(first, last + 1)
    ]
