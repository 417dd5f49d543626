"""`numpy_input_fn`: reads arrays of NumPy through a queue."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from tf2bridge.estimator.inputs.feeding import Table, enqueue

TARGET = "__target_key__"


def numpy_input_fn(
    x: Any,
    y: Any = None,
    batch_size: int = 128,
    num_epochs: int | None = 1,
    shuffle: bool | None = None,
    queue_capacity: int = 1000,
    num_threads: int = 1,
) -> Callable[[], Any]:
    """Returns an input_fn that reads the array or the dict of arrays `x`, and the labels `y`, through a queue.

    The input_fn returns features, or (features, labels), with `batch_size` rows; with `num_epochs` the last batch may
    be smaller. Raises ValueError unless `shuffle` is a bool; the input_fn raises ValueError for empty data, a key of
    both, or lengths that differ, and TypeError for a value that is no array.
    """
    check_shuffle(shuffle)

    def input_fn() -> Any:
        features = _features(x)
        keys = list(features)
        labels = _labels(y, features)
        table = _table({**features, **labels}, keys, y)
        queue = enqueue(table, queue_capacity, bool(shuffle), threads=num_threads, size=batch_size, epochs=num_epochs)
        batch = queue.dequeue_many(batch_size) if num_epochs is None else queue.dequeue_up_to(batch_size)
        _, *columns = batch
        columns_by_key = dict(zip([*features, *labels], columns, strict=True))
        wanted = columns[0] if isinstance(x, np.ndarray) else {key: columns_by_key[key] for key in keys}
        if y is None:
            return wanted
        return wanted, ({key: columns_by_key[key] for key in labels} if isinstance(y, dict) else columns[-1])

    return input_fn


def check_shuffle(shuffle: Any) -> None:
    """Raises ValueError unless `shuffle` is a bool."""
    if not isinstance(shuffle, bool):
        raise ValueError(
            "shuffle must be provided and explicitly set as boolean (it is recommended to set it as True for "
            f"training); got {shuffle}"
        )


def _features(x: Any) -> dict[str, Any]:
    if isinstance(x, dict):
        if not x:
            raise ValueError("x cannot be an empty dict")
        return dict(sorted(x.items()))
    if not isinstance(x, np.ndarray):
        raise TypeError(f"x must be a dict or array; got {type(x).__name__}")
    if x.size == 0:
        raise ValueError("x cannot be an empty array")
    return {"__direct_np_input__": x}


def _labels(y: Any, features: Mapping[str, Any]) -> dict[str, Any]:
    if y is None:
        return {}
    if not isinstance(y, dict):
        key = TARGET
        while key in features:
            key += "_n"
        return {key: y}
    if not y:
        raise ValueError("y cannot be empty dict, use None instead.")
    if twice := features.keys() & y.keys():
        raise ValueError(f"{len(twice)} duplicate keys are found in both x and y: {twice}")
    return dict(sorted(y.items()))


def _table(arrays: dict[str, Any], features: list[str], y: Any) -> Table:
    if len({array.shape[0] for array in arrays.values()}) != 1:
        shapes = {key: array.shape for key, array in arrays.items()}
        labels: Any = {key: shape for key, shape in shapes.items() if key not in features}
        if not isinstance(y, dict):
            labels = None if y is None else y.shape
        raise ValueError(
            "Length of tensors in x and y is mismatched. All elements in x and y must have the same length.\n"
            f"Shapes in x: { ({key: shapes[key] for key in features}) }\nShapes in y: {labels}\n"
        )
    return arrays_table(list(arrays.values()))


def arrays_table(arrays: list[Any]) -> Table:
    """Returns the table of arrays of equal length, whose first column is the number of the row."""
    return Table(
        rows=len(arrays[0]),
        dtypes=[np.dtype("int64"), *(array.dtype for array in arrays)],
        shapes=[(), *(array.shape[1:] for array in arrays)],
        columns=lambda rows: [rows, *(array[rows] for array in arrays)],
    )
