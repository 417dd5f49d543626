"""Prediction: the tensors to fetch, and the examples of a batch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def chosen(predictions: Any, keys: Any) -> Any:
    """Returns the predictions named by `keys`, or all.

    Raises ValueError if there are none, or for one unnamed tensor.
    """
    if not keys:
        return predictions
    if not isinstance(predictions, dict):
        raise ValueError("predict_keys argument is not valid in case of non-dict predictions.")
    kept = {key: value for key, value in predictions.items() if key in keys}
    if not kept:
        raise ValueError(f"Expected to run at least one output from {predictions.keys()}, provided {keys}.")
    return kept


def examples(batch: Any) -> Iterator[Any]:
    """Yields the single predictions of an evaluated batch. Raises ValueError if its arrays differ in length."""
    if not isinstance(batch, dict):
        yield from batch
        return
    for place in range(_length(batch)):
        yield {key: value[place] for key, value in batch.items()}


def _length(batch: dict[str, Any]) -> int:
    length = None
    for key, value in batch.items():
        length = length or value.shape[0]
        if value.shape[0] != length:
            raise ValueError(
                f"Batch length of predictions should be same. {key} has different batch length than others."
            )
    return length or 0
