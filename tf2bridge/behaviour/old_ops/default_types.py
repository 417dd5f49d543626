"""Converts arguments that are not tensors to the default type of an op: `tf.image.rgb_to_hsv(array)` gives float32.

1.x converted such an argument to the default type. It used the argument's own type only if that
failed (`preferred_dtype=default_dtype` in python/framework/op_def_library.py of 0.12.1 to 1.15.5). TensorFlow 2
keeps the argument's own type if the op allows it, so an array of float64 gives float64.
"""

from __future__ import annotations

import functools
from typing import Any

from tf2bridge import internals
from tf2bridge.patching import put

_NAME = "_ExtractDefaultTypesAndAllowedTypes"


def install() -> None:
    """Makes graphs of this process prefer the default types."""
    library: Any = internals.framework.op_def_library
    original = getattr(library, _NAME)

    @functools.wraps(original)
    def extract(op_def: Any, defaults: dict[str, Any], allowed: dict[str, Any]) -> None:
        del allowed  # TensorFlow 2 tries these types before the default
        original(op_def, defaults, {})

    put(library, _NAME, extract)
