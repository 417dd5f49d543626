"""Warns programs of releases before 1.14 that `tf.nn.max_pool_with_argmax` may return other indices.

On GPUs the index of a maximum is (y * width + x) * channels + c in all releases, as in TensorFlow 2. On CPUs 1.5 to
1.13 also counted the image in the batch; 1.4 and before had no kernel for CPUs (measured; TensorFlow's issue 22025,
pull request 25241). A program does not show for which device it was written.
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
