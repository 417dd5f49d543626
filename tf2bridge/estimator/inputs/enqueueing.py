"""`_enqueue_data` of 1.x: a queue of the rows of an array, of several arrays, or of a data frame."""

from __future__ import annotations

import collections
from typing import Any

import numpy as np

from tf2bridge.estimator.inputs.feeding import Table, enqueue
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

    Raises TypeError for data of another kind, a generator function among them, and ValueError for `pad_value`, which
    only generators used.
    """
    if pad_value is not None:
        raise ValueError("pad_value is for data from a generator, which is not supported: use tf.data's padded_batch")
    return enqueue(
        _table(data), capacity, shuffle, min_after_dequeue, num_threads, enqueue_size, num_epochs, seed, name
    )


def _table(data: Any) -> Table:
    if isinstance(data, np.ndarray):
        return arrays_table([data])
    if isinstance(data, collections.OrderedDict):
        return arrays_table(list(data.values()))
    if hasattr(data, "iloc"):
        return frame_table(data)
    raise TypeError(
        f"data must be a numpy array, an OrderedDict of arrays or a pandas DataFrame, not {type(data).__name__}; "
        "use tf.data.Dataset.from_generator for a generator"
    )
