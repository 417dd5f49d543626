"""`_enqueue_data` of 1.x: a queue of the rows of an array, of several arrays, of a data frame, or of a generator."""

from __future__ import annotations

import collections
from types import FunctionType
from typing import Any

import numpy as np

from tf2bridge.estimator.inputs.feeding import Source, Table, enqueue
from tf2bridge.estimator.inputs.generated import Generated
from tf2bridge.estimator.inputs.numpy_input import arrays_table
from tf2bridge.estimator.inputs.pandas_input import frame_table


def enqueue_data(
    data: Any,
    capacity: int,
    shuffle: bool = False,
    min_after_dequeue: float | None = None,
    num_threads: int = 1,
    seed: int | None = None,
    name: str = "enqueue_input",
    enqueue_size: int = 1,
    num_epochs: int | None = None,
    pad_value: Any = None,
) -> Any:
    """Returns a queue of rows: the number of the row, or the index of the frame, then a value for each column.

    Rows of a generator function have no number. Raises TypeError for data of another kind, and NotImplementedError
    for `pad_value` with other data, or with `shuffle`.
    """
    return enqueue(
        _source(data, shuffle, pad_value),
        capacity,
        shuffle,
        min_after_dequeue,
        num_threads,
        enqueue_size,
        num_epochs,
        seed,
        name,
    )


def _source(data: Any, shuffle: bool, pad_value: Any) -> Source:
    generated = isinstance(data, FunctionType)
    if pad_value is not None and not generated:
        raise NotImplementedError("padding is only available with generator usage")
    if pad_value is not None and shuffle:
        raise NotImplementedError("padding and shuffling data at the same time is not implemented")
    return Generated(data, pad_value) if generated else _table(data)


def _table(data: Any) -> Table:
    if isinstance(data, np.ndarray):
        return arrays_table([data])
    if isinstance(data, collections.OrderedDict):
        return arrays_table(list(data.values()))
    if hasattr(data, "iloc"):
        return frame_table(data)
    raise TypeError(
        "data must be either a numpy array, an OrderedDict of arrays, a generator function or a pandas DataFrame if "
        f"pandas is installed; got {type(data).__name__}"
    )
