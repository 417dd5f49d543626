"""The replacements for scikit-learn of `contrib.learn.python.learn.estimators._sklearn`."""

from __future__ import annotations

from typing import Any

import numpy as np


def accuracy_score(y_true: Any, y_pred: Any) -> Any:
    """Returns the share of equal labels."""
    return np.average(y_true == y_pred)


def mean_squared_error(y_true: Any, y_pred: Any) -> Any:
    """Returns the mean squared difference; a second dimension of size 1 is left out."""
    y_true, y_pred = (np.squeeze(values) if values.ndim > 1 else values for values in (y_true, y_pred))
    return np.average((y_true - y_pred) ** 2)


def train_test_split(*arrays: Any, **options: Any) -> tuple[Any, ...]:
    """Returns two random parts of each array: the fraction `train_size` (0.75 by default), and the rest."""
    test_size, train_size = options.pop("test_size", None), options.pop("train_size", None)
    if train_size is None:
        train_size = 0.75 if test_size is None else 1 - test_size
    count = int(train_size * arrays[0].shape[0])
    np.random.seed(options.pop("random_state", None))  # the draws of 1.x
    order = np.random.permutation(arrays[0].shape[0])
    return tuple(array.take(part, axis=0) for array in arrays for part in (order[:count], order[count:]))
