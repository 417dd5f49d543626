"""Rows of arrays in memory, batch by batch and epoch by epoch."""

from __future__ import annotations

import random

import tensorflow as tf


class Batches:
    """The numbers of the next rows, for one thread that feeds a queue.

    A batch may continue at the beginning of the data; the last batch of the last epoch is shorter. With `random_start`
    the first row is random, and an epoch ends before that row.
    """

    def __init__(self, rows: int, size: int, epochs: int | None, random_start: bool, seed: int | None = None) -> None:
        self._rows, self._size, self._epochs = rows, size, epochs
        self._next = random.Random(seed).randrange(rows) if random_start else 0
        self._last = (self._next - 1) % rows
        self._ended = 0

    def __call__(self) -> list[int]:
        """Returns the numbers of the next rows. Raises OutOfRangeError once all epochs are over."""
        if self._epochs is not None and self._ended >= self._epochs:
            raise tf.errors.OutOfRangeError(None, None, f"Already emitted {self._ended} epochs.")
        chosen = [row % self._rows for row in range(self._next, self._next + self._size)]
        for place, row in enumerate(chosen):
            self._ended += row == self._last
            if self._ended == self._epochs:
                chosen = chosen[: place + 1]
                break
        self._next = (chosen[-1] + 1) % self._rows
        return chosen
