"""Recognizes metrics of tf_keras without importing it."""

from __future__ import annotations

import sys
from typing import Any


def is_keras_metric(value: Any) -> bool:
    """Returns whether `value` is a metric of tf_keras, the Keras of TF 1.x programs."""
    keras = sys.modules.get("tf_keras")
    return keras is not None and isinstance(value, keras.metrics.Metric)
