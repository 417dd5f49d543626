"""`confusion_matrix`: how often each class was taken for each."""

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
    """Returns `tf.confusion_matrix`, whose last parameters have another order: [classes, classes]."""
    return v1.confusion_matrix(
        labels=labels, predictions=predictions, num_classes=num_classes, dtype=dtype, name=name, weights=weights
    )
