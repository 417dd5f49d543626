"""`scale_gradient`: an identity whose gradient is multiplied."""

from __future__ import annotations

from typing import Any

import tensorflow as tf


def scale_gradient(inputs: Any, gradient_multiplier: Any) -> Any:
    """Returns `inputs`; their gradient is multiplied by `gradient_multiplier`, which gets none itself."""

    @tf.custom_gradient  # type: ignore[untyped-decorator]
    def scaled(values: Any, factor: Any) -> Any:
        return tf.identity(values), lambda gradient: (gradient * factor, None)

    return scaled(inputs, gradient_multiplier)
