"""`tf.compat.v2.test.compute_gradient` gives the Jacobians of 1.x: a row for each element of an argument.

TensorFlow 2 gives a row for each element of the result, and takes smaller steps.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from tf2bridge import internals
from tf2bridge.patching import rebind


def install() -> None:
    """Changes the function in this process."""
    module: Any = internals.ops.gradient_checker_v2
    original = module.compute_gradient
    rebind({id(original): (original, _transposed(original))})


def _transposed(original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def compute_gradient(f: Callable[..., Any], x: list[Any], delta: float = 1e-3) -> Any:
        if not isinstance(x, list):
            raise ValueError(f"`x` must be a list of Tensors (arguments to `f`), not a {type(x)}")
        return tuple(tuple(jacobian.T for jacobian in kind) for kind in original(f, x, delta))

    return compute_gradient
