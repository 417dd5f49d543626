"""The scale of normal initial values up to 1.9, as genuine 1.4.1 and 1.9.0 draw them.

`variance_scaling_initializer`, `glorot_normal_initializer` and those of Keras draw from a normal distribution that is
cut off at two standard deviations. Since 1.10 the scale makes up for the smaller standard deviation of the truncated
distribution.
"""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable
from typing import Any

from tf2bridge.behaviour.installed import tensorflow
from tf2bridge.patching import put

_CUT = 0.87962566103423978
"""The standard deviation of the standard normal distribution truncated at -2 and 2."""


def install() -> None:
    """Makes initializers draw as up to 1.9, in this process."""
    initializer = tensorflow().compat.v1.variance_scaling_initializer
    put(initializer, "__call__", _uncorrected(initializer.__call__))


def _uncorrected(drawn: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(drawn)  # get_variable looks for a parameter `partition_info`
    def call(self: Any, shape: Any, dtype: Any = None, partition_info: Any = None) -> Any:
        if self.distribution in ("normal", "truncated_normal"):
            self = copy.copy(self)
            self.scale *= _CUT**2
        return drawn(self, shape, dtype, partition_info)

    return call
