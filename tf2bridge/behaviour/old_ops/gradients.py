"""Gradients by name for `gradient_override_map`: of the parts of functions that compute as in TF 1.x."""

from __future__ import annotations

import functools
import importlib
from typing import Any

OF_THE_LAST = "Tf2bridgeOfTheLast"
"""Of three inputs the last alone has a gradient, that of the output: `tf.where(edge, value, computed)`."""

OF_NONE = "Tf2bridgeOfNone"
"""Neither of two inputs has a gradient."""


@functools.cache
def register() -> None:
    """Registers them, once in a process: they stay when what an `install` replaced is put back."""
    tf: Any = importlib.import_module("tensorflow")
    tf.RegisterGradient(OF_THE_LAST)(lambda _, given: (None, None, given))
    tf.RegisterGradient(OF_NONE)(lambda *_: (None, None))
