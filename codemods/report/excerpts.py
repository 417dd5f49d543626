"""Finds the source lines around findings, as they were before the rewrite."""

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
    """A line with its number; `hit` if the finding is on it."""

    number: int
    text: str
    hit: bool


def open_files(befores: Mapping[str, bytes]) -> dict[str, SourceFile]:
    """Returns the readable files by path, from the bytes that they had."""
    sources: dict[str, SourceFile] = {}
    for path, data in befores.items():
        try:
            sources[path] = open_source(data, path)
        except CodemodsError:
            continue
    return sources


def before(path: str, known: Mapping[str, bytes]) -> bytes:
    """Returns the bytes that a file had: the kept ones, or else the file's content; b"" if it cannot be read."""
    if path in known:
        return known[path]
    try:
        return read_regular(Path(path))
    except (OSError, CodemodsError):
        return b""


def excerpt(lines: list[str], finding: Finding) -> list[Line]:
    """Returns the lines of a finding, with two more before and after."""
    first = max(1, finding.line - _AROUND)
    last = min(len(lines), finding.end_line + _AROUND, first + _MOST_LINES)
    return [
        Line(number, lines[number - 1][:_WIDEST], finding.line <= number <= finding.end_line)
        for number in range(first, last + 1)
    ]
