"""Arrays as the input of an estimator, in the order of contrib.learn."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.contrib.learn.learn_io.pandas_io import extract_pandas_data, extract_pandas_labels

v1 = tf.compat.v1
SEED = 42
"""The seed of the shuffling. As in 1.x, it does not depend on the graph's seed."""


class ArrayInput:
    """Feeds batches of `x`, and of `y` if given, for `epochs`. None means without end.

    `input_fn` makes the placeholders, `hook` feeds them.

    Raises:
        ValueError: `x` or `y` is a tensor.
    """

    def __init__(self, x: Any, y: Any, batch_size: int | None, shuffle: bool, epochs: int | None) -> None:
        if x is None:
            raise ValueError("Either x or input_fn must be provided.")
        if isinstance(x, tf.Tensor) or isinstance(y, tf.Tensor):
            raise ValueError("Inputs cannot be tensors. Please provide input_fn.")
        self._x = _rows(_arrays(extract_pandas_data(x)))
        self._y = None if y is None else _labels(_arrays(extract_pandas_labels(y)))
        first = next(iter(self._x.values())) if isinstance(self._x, dict) else self._x
        self._length = len(first)
        self._batch_size = batch_size or self._length
        self._shuffle, self._epochs = shuffle, epochs
        self._random = np.random.RandomState(SEED)
        self._order = self._new_order()
        self._offset = self._epoch = 0
        self._placeholders: tuple[Any, Any] = (None, None)

    def input_fn(self) -> tuple[Any, Any]:
        """Returns the placeholders of features and labels (None without labels)."""
        self._placeholders = (_placeholder(self._x, "input"), _placeholder(self._y, "output"))
        return self._placeholders

    def hook(self) -> Any:
        """Returns the hook that feeds the next batch, and that ends the session after the last epoch."""
        return v1.train.FeedFnHook(self._next)

    def _new_order(self) -> Any:
        return self._random.permutation(self._length) if self._shuffle else np.arange(self._length)

    def _next(self) -> dict[Any, Any]:
        if self._epochs is not None and self._epoch >= self._epochs:
            raise StopIteration
        chosen = self._order[self._offset : self._offset + self._batch_size]
        self._offset += self._batch_size
        if self._offset >= self._length:
            self._order, self._offset, self._epoch = self._new_order(), 0, self._epoch + 1
        feed: dict[Any, Any] = {}
        for placeholder, values in zip(self._placeholders, (self._x, self._y), strict=True):
            if isinstance(values, dict):
                feed.update({placeholder[key]: value[chosen] for key, value in values.items()})
            elif values is not None:
                feed[placeholder] = values[chosen]
        return feed


def _arrays(values: Any) -> Any:
    if isinstance(values, dict):
        return {key: _arrays(value) for key, value in values.items()}
    return np.asarray(values)


def _rows(x: Any) -> Any:
    """Returns features [batch, 1] for features [batch]."""
    if isinstance(x, dict):
        return {key: _rows(value) for key, value in x.items()}
    return x.reshape(-1, 1) if x.ndim == 1 else x


def _labels(y: Any) -> Any:
    """Returns labels [batch] for labels [batch, 1]."""
    if isinstance(y, dict):
        return {key: _labels(value) for key, value in y.items()}
    return y.reshape(y.shape[0], *y.shape[2:]) if y.ndim > 1 and y.shape[1] == 1 else y


def _placeholder(values: Any, name: str) -> Any:
    if values is None:
        return None
    if isinstance(values, dict):
        return {
            key: v1.placeholder(value.dtype, [None, *value.shape[1:]], f"{name}_{key}") for key, value in values.items()
        }
    return v1.placeholder(values.dtype, [None, *values.shape[1:]], name)
