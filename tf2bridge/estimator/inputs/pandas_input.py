"""`pandas_input_fn`."""

from __future__ import annotations

import importlib.util
import uuid
from collections.abc import Callable
from typing import Any

import numpy as np

from tf2bridge.estimator.inputs.feeding import Table, enqueue
from tf2bridge.estimator.inputs.numpy_input import check_shuffle


def pandas_input_fn(
    x: Any,
    y: Any = None,
    batch_size: int = 128,
    num_epochs: int | None = 1,
    shuffle: bool | None = None,
    queue_capacity: int | None = 1000,
    num_threads: int = 1,
    target_column: str = "target",
) -> Callable[[], Any]:
    """Returns an input_fn that reads the data frame `x`, and the series or data frame `y`, through a queue.

    It returns a dict of columns, or (that dict, labels). Raises TypeError without pandas and for a target column that
    is no string; ValueError unless `shuffle` is a bool, if `x` has the target column, and for different indices.
    """
    if importlib.util.find_spec("pandas") is None:
        raise TypeError("pandas_input_fn should not be called without pandas installed")
    check_shuffle(shuffle)
    if not isinstance(target_column, str):
        raise TypeError("target_column must be a string type")
    frame = x.copy()
    targets: Any = _add_targets(frame, x, y, target_column) if y is not None else {}
    capacity = (4 * len(frame) if shuffle else len(frame)) if queue_capacity is None else queue_capacity

    def input_fn() -> Any:
        queue = enqueue(
            frame_table(frame),
            capacity,
            bool(shuffle),
            min_after_dequeue=max(capacity / 4, 1),
            threads=num_threads,
            size=batch_size,
            epochs=num_epochs,
        )
        batch = queue.dequeue_many(batch_size) if num_epochs is None else queue.dequeue_up_to(batch_size)
        features = dict(zip(frame.columns, batch[1:], strict=True))
        if y is None:
            return features
        labels = {key: features.pop(column) for key, column in targets.items()}
        return features, (labels if hasattr(y, "columns") else labels[target_column])

    return input_fn


def _add_targets(frame: Any, x: Any, y: Any, target_column: str) -> dict[str, str]:
    """Puts the labels into the frame; returns label -> column."""
    if target_column in x:
        raise ValueError(
            f"Cannot use name {target_column} for target column: DataFrame already has a column with that name: "
            f"{x.columns}"
        )
    if not np.array_equal(x.index, y.index):
        raise ValueError(f"Index for x and y are mismatched.\nIndex for x: {x.index}\nIndex for y: {y.index}\n")
    if not hasattr(y, "columns"):
        frame[target_column] = y
        return {target_column: target_column}
    columns = {name: f"{name}_{uuid.uuid4()}" if name in x else name for name in y}
    for name, column in columns.items():
        frame[column] = y[name]
    return columns


def frame_table(frame: Any) -> Table:
    """Returns the table of a data frame, whose first column is the index."""
    dtypes = [frame.index.dtype, *frame.dtypes]

    def columns(rows: list[int]) -> list[Any]:
        part = frame.iloc[rows]
        return [part.index.values, *(part[column].values for column in part.columns)]

    return Table(rows=len(frame), dtypes=dtypes, shapes=[() for _ in dtypes], columns=columns)
