"""`confusion_matrix`: the counts of predicted classes for each true class."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

v1 = tf.compat.v1


def confusion_matrix(
    labels: Any,
    predictions: Any,
    num_classes: int | None = None,
    dtype: Any = tf.int32,
    name: str | None = None,
    weights: Any = None,
) -> Any:
    """Returns `tf.confusion_matrix`, [classes, classes]. Only the order of the last parameters differs."""
    return v1.confusion_matrix(
        labels=labels, predictions=predictions, num_classes=num_classes, dtype=dtype, name=name, weights=weights
    )
