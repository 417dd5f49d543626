"""Rows that a generator yields, for a queue."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import zip_longest
from typing import Any

import numpy as np
import tensorflow as tf


class Generated:
    """Rows of a generator of dictionaries: the columns are the sorted keys of the first row.

    With `pad_value` the last dimension of a column may differ from row to row.
    """

    def __init__(self, generator: Callable[[], Any], pad_value: Any = None) -> None:
        self._generator, self._pad_value = generator, pad_value
        first = next(generator())
        self._keys = sorted(first)
        self.padded = pad_value is not None
        self.dtypes: Sequence[Any] = [first[key].dtype for key in self._keys]
        shapes = [first[key].shape for key in self._keys]
        self.shapes: Sequence[Any] = [(*shape[:-1], None) if self.padded and shape else shape for shape in shapes]

    def reader(
        self,
        size: int,
        epochs: int | None,
        random_start: bool,  # noqa: ARG002  # every source takes it
        seed: int | None,
    ) -> Callable[[], list[Any]]:
        """Returns a function that reads the next rows: one array for each column, as many as make `size` values.

        A batch runs on into the next epoch, as in 1.x. Reading raises OutOfRangeError after the last epoch, and
        KeyError for a row without a key. A generator has no random start; `seed` seeds the module `random`, which it
        may use.
        """
        if seed is not None:
            random.seed(seed)
        return _Reader(self._generator, self._keys, size, epochs, self._pad_value)


class _Reader:
    """Reads the rows of one thread."""

    def __init__(
        self, generator: Callable[[], Any], keys: list[str], size: int, epochs: int | None, pad_value: Any
    ) -> None:
        self._generator, self._keys, self._epochs, self._pad_value = generator, keys, epochs, pad_value
        self._rows = -(-size // len(keys))  # 1.x counted the values of a row, not the row
        self._iterator, self._ended = generator(), 0

    def __call__(self) -> list[Any]:
        if self._epochs and self._ended >= self._epochs:
            raise tf.errors.OutOfRangeError(None, None, f"Already emitted {self._ended} epochs.")
        rows = [self._row() for _ in range(self._rows)]
        columns: list[list[Any]] = [[row[key] for row in rows] for key in self._keys]
        if self._pad_value is not None:
            columns = [_padded(column, self._pad_value) for column in columns]
        return [np.asarray(column) for column in columns]

    def _row(self) -> Any:
        try:
            row = next(self._iterator)
        except StopIteration:
            self._ended += 1
            self._iterator = self._generator()
            row = next(self._iterator)
        if any(key not in row for key in self._keys):
            message = f"key mismatch between dicts emitted by GenFunExpected {self._keys} keys; got {row.keys()}"
            raise KeyError(message)
        return row


def _padded(rows: list[Any], value: Any) -> Any:
    """Returns the rows with as many entries in their last dimension as the longest of them has.

    Raises ValueError if they differ in another dimension.
    """
    if len({row.shape[:-1] if row.shape else -1 for row in rows}) != 1:
        raise ValueError("Array shapes must match.")
    lengths = [row.shape[-1] if row.shape else 0 for row in rows]
    if len(set(lengths)) == 1:
        return rows
    batch = np.zeros([len(rows), *rows[0].shape[:-1], max(lengths)], rows[0].dtype)
    _fill(batch, rows, value)
    return batch


def _fill(array: Any, rows: Any, value: Any) -> None:
    if array.ndim > 1:
        for part, row in zip_longest(array, rows, fillvalue=()):
            _fill(part, row, value)
        return
    array[: len(rows)] = rows
    array[len(rows) :] = value
