"""`tensorflow.python.tf2` of 1.15: whether the behaviour of TensorFlow 2 is on, by a call or by TF2_BEHAVIOR.

The variable of the environment counts while neither `enable` nor `disable` has been called: its default is "0".
Source: tensorflow/python/tf2.py of 1.15.5.
"""

from __future__ import annotations

import os

from tf2bridge.internals.framework import tf2

_force_enable: bool | None = tf2.enabled()
"""What `enable` or `disable` said last; None is for a program that takes it back."""


def enable() -> None:
    """Switches the behaviour of TensorFlow 2 on."""
    _force(True)


def disable() -> None:
    """Switches the behaviour of TensorFlow 2 off."""
    _force(False)


def enabled() -> bool:
    """Returns whether the behaviour of TensorFlow 2 is on."""
    if _force_enable is None:
        return os.environ.get("TF2_BEHAVIOR", "0") != "0"
    return bool(tf2.enabled())  # `tf.enable_v2_behavior` sets it, too


def _force(on: bool) -> None:
    global _force_enable
    (tf2.enable if on else tf2.disable)()
    _force_enable = on
