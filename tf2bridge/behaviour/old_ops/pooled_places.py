"""Warns programs of releases before 1.14 of what `tf.nn.max_pool_with_argmax` returns as places.

On GPUs the place of a maximum was (y * width + x) * channels + c in all releases, as in TensorFlow 2. On CPUs 1.5 to
1.13 counted the image of the batch, too; 1.4 and before had no kernel there (measured; TensorFlow's issue 22025, pull
request 25241). A program does not say on which device it was right.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import Any

from tf2bridge.behaviour import in_force
from tf2bridge.behaviour.installed import tensorflow
from tf2bridge.patching import rebind

_CHOICE = "include_batch_in_index"


def install() -> None:
    """Makes the function warn, in this process."""
    original = tensorflow().compat.v1.nn.max_pool_with_argmax
    rebind({id(original): (original, _warning(original))})


def _warning(original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def max_pool_with_argmax(*args: Any, **kwargs: Any) -> Any:
        if _CHOICE not in kwargs and not in_force.before(1, 5):
            warnings.warn(
                "tf.nn.max_pool_with_argmax: places do not count the image of the batch, as on GPUs; on CPUs "
                "TensorFlow 1.5 to 1.13 counted it. If the program was right there, pass include_batch_in_index=True",
                stacklevel=2,
            )
        return original(*args, **kwargs)

    return max_pool_with_argmax
