"""What `nest` of contrib.framework has and TensorFlow 2's has lost."""

from __future__ import annotations

from typing import Any

import tensorflow as tf


def is_sequence(seq: Any) -> bool:
    """Whether `seq` is a list, tuple, dict or another nest. (TensorFlow 2 calls it `is_nested`.)"""
    return bool(tf.nest.is_nested(seq))
