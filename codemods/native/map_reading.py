"""Reads the map `native.toml`, and names the line of what is wrong in it."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from codemods.errors import NativeMapError, TooNestedError
from codemods.limits import limited
from codemods.native.choices import KerasChoice
from codemods.native.native_map import KINDS, Call, Dropped, NativeMap, Variable
from codemods.regular import read_regular

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_LONGEST = 4_000_000
"""The most bytes; a map of 1,000 variables and 100 calls has some 200 kB."""
_PLACE = re.compile(r"[^\n]+:[1-9]\d*")
_FUNCTION = re.compile(r"[^\n:/\\]+:[^\W\d]\w*(\.([^\W\d]\w*|<locals>))*")
"""A module, which is the name of a script here and may have any letters, and a qualified name in it."""

_Row = TypeVar("_Row")


def read(path: Path) -> NativeMap:
    """Reads a map.

    Raises:
        NativeMapError: The file is not TOML, or a table is wrong; it names the line.
        NotRegularError, TooLargeError, OSError: The file cannot be read.
    """
    try:
        with limited(path, _LONGEST):
            text = read_regular(path, _LONGEST).decode()
            tables = tomllib.loads(text)
    except UnicodeDecodeError as error:
        raise NativeMapError(path, 0, f"is not UTF-8 text ({error.reason}); save it as UTF-8") from error
    except TooNestedError as error:
        raise NativeMapError(path, 0, "its tables and lists lie too deep within one another") from error
    except ValueError as error:
        place = re.search(r"\(at line (\d+), column \d+\)", str(error))
        why = str(error).partition(" (at ")[0]
        raise NativeMapError(path, int(place[1]) if place else 0, f"cannot be read as TOML: {why}") from error
    return _Reading(path, text).map_of(tables)


class _Reading:
    """Checks the tables of one file.

    Args:
        path: The file.
        text: Its text, in which lines are looked up.
    """

    def __init__(self, path: Path, text: str) -> None:
        self._path = path
        self._lines = text.split("\n")

    def map_of(self, tables: Mapping[str, Any]) -> NativeMap:
        """Returns the map. Raises NativeMapError for a table, key or value that is not known."""
        names = ("files", "calls", "variables", "dropped", "choices")
        for name in tables:
            if name not in names:
                raise NativeMapError(self._path, self._line(name), f"unknown key {name!r}; use {', '.join(names)}")
        files = tables.get("files", {})
        if not isinstance(files, dict) or not all(isinstance(known, str) for known in files.values()):
            raise NativeMapError(self._path, self._line("files"), "[files] gives each file its SHA-256 as a text")
        return NativeMap(
            files,
            self._rows(tables, "calls", self._call),
            self._rows(tables, "variables", self._variable),
            self._rows(tables, "dropped", self._dropped),
            self._rows(tables, "choices", self._choice),
        )

    def _rows(
        self, tables: Mapping[str, Any], name: str, row_of: Callable[[Mapping[str, Any], int], _Row]
    ) -> tuple[_Row, ...]:
        rows = tables.get(name, [])
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise NativeMapError(self._path, self._line(name), f"{name} must be tables [[{name}]]")
        heads = [number for number, text in enumerate(self._lines, 1) if re.match(rf"\s*\[\[\s*{name}\s*\]\]", text)]
        heads += [self._line(name)] * (len(rows) - len(heads))  # tables may also be written on one line
        return tuple(row_of(row, line) for row, line in zip(rows, heads, strict=False))

    def _call(self, row: Mapping[str, Any], line: int) -> Call:
        self._check_keys(row, line, ("legacy", "function"), ("feeds", "fetches", "operations", "program"))
        lists = {key: self._names(row, key, line) for key in ("feeds", "fetches", "operations")}
        function = self._text(row, "function", line)
        if not _FUNCTION.fullmatch(function):
            raise NativeMapError(self._path, line, f"function must be like 'train:Model.step', not {function!r}")
        return Call(self._place(row, line), function, **lists, line=line, program=self._program(row, line))

    def _variable(self, row: Mapping[str, Any], line: int) -> Variable:
        self._check_keys(row, line, ("legacy", "path"), ("transform", "reason", "program"))
        steps = row.get("transform", "") or []
        if isinstance(steps, str):
            steps = [{"kind": steps}]
        steps = [steps] if isinstance(steps, dict) else steps
        if not isinstance(steps, list) or not all(isinstance(step, dict) and "kind" in step for step in steps):
            raise NativeMapError(
                self._path, line, f"transform must be steps such as {{ kind = 'transpose' }}: {steps!r}"
            )
        reason = self._text(row, "reason", line) if "reason" in row else ""
        path = row["path"] if reason and row["path"] == "" else self._text(row, "path", line)
        return Variable(self._text(row, "legacy", line), path, tuple(steps), reason, line, self._program(row, line))

    def _dropped(self, row: Mapping[str, Any], line: int) -> Dropped:
        self._check_keys(row, line, ("legacy", "kind", "reason"), ("fetches", "program"))
        kind = self._text(row, "kind", line)
        if kind not in KINDS:
            raise NativeMapError(self._path, line, f"kind must be one of {', '.join(KINDS)}, not {kind!r}")
        reason, fetches = self._text(row, "reason", line), self._names(row, "fetches", line)
        return Dropped(self._place(row, line), kind, reason, fetches, line, self._program(row, line))

    def _choice(self, row: Mapping[str, Any], line: int) -> KerasChoice:
        self._check_keys(row, line, ("legacy", "part", "keras", "why"), ("slots",))
        texts = [row[key] for key in ("keras", "why")]
        slots = row.get("slots", {})
        if not isinstance(slots, dict) or not all(isinstance(text, str) for text in (*texts, *slots.values())):
            raise NativeMapError(self._path, line, "keras, why and what slots gives for each name must be texts")
        part = self._text(row, "part", line)
        return KerasChoice(part, texts[0], texts[1], legacy=self._place(row, line), slots=slots, line=line)

    def _check_keys(self, row: Mapping[str, Any], line: int, needed: Sequence[str], optional: Sequence[str]) -> None:
        for key in row:
            if key not in (*needed, *optional):
                known = ", ".join((*needed, *optional))
                raise NativeMapError(self._path, line, f"unknown key {key!r}; use {known}")
        for key in needed:
            if key not in row:
                raise NativeMapError(self._path, line, f"this table needs {key!r}")

    def _place(self, row: Mapping[str, Any], line: int) -> str:
        place = self._text(row, "legacy", line)
        if not _PLACE.fullmatch(place):
            raise NativeMapError(self._path, line, f"legacy must be a file and line like 'train.py:102', not {place!r}")
        return place

    def _text(self, row: Mapping[str, Any], key: str, line: int) -> str:
        if not isinstance(row[key], str) or not row[key]:
            raise NativeMapError(self._path, line, f"{key} must be a text, not {row[key]!r}")
        return str(row[key])

    def _program(self, row: Mapping[str, Any], line: int) -> str:
        return self._text(row, "program", line) if "program" in row else ""

    def _names(self, row: Mapping[str, Any], key: str, line: int) -> tuple[str, ...]:
        names = row.get(key, [])
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise NativeMapError(self._path, line, f"{key} must be a list of names, not {names!r}")
        return tuple(names)

    def _line(self, name: str) -> int:
        """Returns the first line that names a key or table; 0 if none does."""
        head = re.compile(rf"\s*(\[+\s*)?[\"']?{re.escape(name)}\b")
        return next((number for number, text in enumerate(self._lines, 1) if head.match(text)), 0)
