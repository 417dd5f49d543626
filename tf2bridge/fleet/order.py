"""The order of the work: each key once, the largest items first. 40 bytes of memory for each item of the inventory."""

from __future__ import annotations

import functools
import os
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tf2bridge.fleet import inventory
from tf2bridge.fleet.doing import Do
from tf2bridge.fleet.inventory import Item
from tf2bridge.fleet.keys import key
from tf2bridge.fleet.refusals import OutputError
from tf2bridge.fleet.tasks import Task

if TYPE_CHECKING:
    import numpy as np

_HALF = 16
"""Hexadecimal digits of a key in each of two numbers."""


class Order:
    """The items of an inventory that the command takes, each key once.

    Attributes:
        items: how many items the inventory has.
        total: how many different keys they have; items that the command does not take have none.
    """

    def __init__(self, path: Path, do: Do, out: Path) -> None:
        self._path, self._do = path, do
        columns = [array("Q") for _ in range(4)]
        self.items = 0
        apart = _Apart(out)
        for place, item in inventory.placed(path):
            self.items += 1
            apart.require(item)
            if do.takes(item):
                digits = key(do, item)
                row = (int(digits[:_HALF], 16), int(digits[_HALF:], 16), min(item.bytes, 2**64 - 1), place)
                for column, value in zip(columns, row, strict=True):
                    column.append(value)
        self._rows = _in_order(columns)
        self.total = len(self._rows[0])

    def tasks(self, reverse: bool = False) -> Iterator[Task]:
        """Yields the task of each key: largest first, or smallest first."""
        rows = [column[::-1] if reverse else column for column in self._rows]
        with self._path.open("rb") as file:
            for row in zip(*rows, strict=True):
                high, low, size, place = map(int, row)
                file.seek(place)
                yield Task(f"{high:0{_HALF}x}{low:0{_HALF}x}", file.readline(), size)


def _in_order(columns: list[array[int]]) -> tuple[np.ndarray[Any, Any], ...]:
    """Returns the halves of each key, and the bytes and the place of its first item, the largest items first."""
    import numpy as np  # slow to import; the warm processes start meanwhile

    high, low, size, place = (np.array(column, np.uint64) for column in columns)
    by_key = np.lexsort((place, low, high))
    high, low, size, place = high[by_key], low[by_key], size[by_key], place[by_key]
    is_first = np.ones(len(by_key), bool)
    is_first[1:] = (high[1:] != high[:-1]) | (low[1:] != low[:-1])
    high, low, size, place = high[is_first], low[is_first], size[is_first], place[is_first]
    by_size = np.lexsort((place, -size.astype(np.float64)))
    return high[by_size], low[by_size], size[by_size], place[by_size]


class _Apart:
    """Tells whether the output folder and items are in each other."""

    def __init__(self, out: Path) -> None:
        self._out, self._real = out, os.path.realpath(out)
        folders = [Path(self._real), *Path(self._real).parents]
        self._above = {(facts.st_dev, facts.st_ino) for folder in folders if (facts := _facts(str(folder))) is not None}
        self._is_empty = not (out.is_dir() and any(out.iterdir()))

    def require(self, item: Item) -> None:
        """Raises OutputError if an item holds the output folder, or is in it."""
        facts = _facts(item.path)
        if facts is not None and (facts.st_dev, facts.st_ino) in self._above:
            raise OutputError(
                self._out, f"it is inside {item.path}, an item of the inventory", "name a folder elsewhere"
            )
        if not self._is_empty and self._holds(item.path):
            raise OutputError(self._out, f"it holds {item.path}, an item of the inventory", "name another folder")

    def _holds(self, item: str) -> bool:
        path = _real(os.path.abspath(item)) if ".." not in item else os.path.realpath(item)  # noqa: PTH100
        return path.startswith(self._real + os.sep)


def _facts(path: str) -> os.stat_result | None:
    try:
        return os.stat(path)  # noqa: PTH116  # runs for each item, where pathlib is slow
    except (OSError, ValueError):  # ValueError: a name that no file can have
        return None


@functools.lru_cache(maxsize=4096)
def _real(path: str) -> str:
    """Returns `os.path.realpath` of a path without "..": neighbours share what is asked about their folder."""
    if os.path.islink(path):  # noqa: PTH114  # runs for each item, where pathlib is slow
        return os.path.realpath(path)
    parent, name = os.path.split(path)
    return os.path.join(_real(parent), name) if name else path  # noqa: PTH118
