"""AutoGraph leaves the code of this package as it is, as it left that of `tensorflow.contrib`.

Keras hands the `call` of every layer to AutoGraph, which converts what that calls too, but for TensorFlow's own code:
see the rules in tensorflow/python/autograph/core/config.py.
"""

from __future__ import annotations

from tf2bridge.internals.framework import config
from tf2bridge.patching import put

_PACKAGE = "tf2bridge"


def install() -> None:
    """Adds the rule, for the whole process."""
    rule = config.DoNotConvert(_PACKAGE)
    put(config, "CONVERSION_RULES", (rule, *config.CONVERSION_RULES))
