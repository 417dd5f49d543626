"""The order of the work: each key once, the largest items first. 40 bytes of memory for each item of the inventory."""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from tf2bridge.fleet import inventory
from tf2bridge.fleet.doing import Do
from tf2bridge.fleet.inventory import Item
from tf2bridge.fleet.keys import key
from tf2bridge.fleet.refusals import OutputError
from tf2bridge.fleet.tasks import Task

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
        real = os.path.realpath(out)
        for place, item in inventory.placed(path):
            self.items += 1
            _require_apart(item, real, out)
            if do.takes(item):
                digits = key(do, item)
                row = (int(digits[:_HALF], 16), int(digits[_HALF:], 16), min(item.bytes, 2**64 - 1), place)
                for column, value in zip(columns, row, strict=True):
                    column.append(value)
        self._places = _in_order(columns)
        self.total = len(self._places)

    def tasks(self, reverse: bool = False) -> Iterator[Task]:
        """Yields the task of each key: largest first, or smallest first."""
        places = self._places[::-1] if reverse else self._places
        with self._path.open("rb") as file:
            for place in places:
                file.seek(int(place))
                item = inventory.item_of(file.readline().decode("ascii"))
                yield Task(key(self._do, item), item)


def _in_order(columns: list[array[int]]) -> np.ndarray[Any, Any]:
    """Returns the places of the first item of each key, the largest items first."""
    high, low, size, place = (np.array(column, np.uint64) for column in columns)
    by_key = np.lexsort((place, low, high))
    high, low, size, place = high[by_key], low[by_key], size[by_key], place[by_key]
    is_first = np.ones(len(by_key), bool)
    is_first[1:] = (high[1:] != high[:-1]) | (low[1:] != low[:-1])
    size, place = size[is_first], place[is_first]
    largest: np.ndarray[Any, Any] = place[np.lexsort((place, -size.astype(np.float64)))]
    return largest


def _require_apart(item: Item, real: str, out: Path) -> None:
    """Raises OutputError if an item holds the output folder, or is in it."""
    path = os.path.realpath(item.path)
    if real == path or real.startswith(path + os.sep):
        raise OutputError(out, f"it is inside {item.path}, an item of the inventory", "name a folder elsewhere")
    if path.startswith(real + os.sep):
        raise OutputError(out, f"it holds {item.path}, an item of the inventory", "name another folder")
