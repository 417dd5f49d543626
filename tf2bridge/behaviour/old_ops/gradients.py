"""Gradients by name for `gradient_override_map`, used in functions that compute as in TF 1.x."""

from __future__ import annotations

import functools
import importlib
from typing import Any

OF_THE_LAST = "Tf2bridgeOfTheLast"
"""Only the last of three inputs has a gradient, which is that of the output: `tf.where(edge, value, computed)`."""

OF_NONE = "Tf2bridgeOfNone"
"""Neither of two inputs has a gradient."""


@functools.cache
def register() -> None:
    """Registers the gradients, once in a process. They stay registered when the replacements are undone."""
    tf: Any = importlib.import_module("tensorflow")
    tf.RegisterGradient(OF_THE_LAST)(lambda _, given: (None, None, given))
    tf.RegisterGradient(OF_NONE)(lambda *_: (None, None))
