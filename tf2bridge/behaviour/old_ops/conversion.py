"""Keeps AutoGraph from converting the code of this package, as it did not convert `tensorflow.contrib`.

Keras passes the `call` of every layer to AutoGraph. AutoGraph also converts the functions that `call` calls, except
TensorFlow's own code; see the rules in tensorflow/python/autograph/core/config.py.
"""

from __future__ import annotations

from tf2bridge.internals.framework import config
from tf2bridge.patching import put

_PACKAGE = "tf2bridge"


def install() -> None:
    """Adds the rule in this process."""
    rule = config.DoNotConvert(_PACKAGE)
    put(config, "CONVERSION_RULES", (rule, *config.CONVERSION_RULES))
