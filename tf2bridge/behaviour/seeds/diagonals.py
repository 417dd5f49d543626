"""Diagonals by the operations of 1.x, which have only tensors as inputs.

1.15.5 has the later operations, too, but only uses them after a later date (python/compat/compat.py:
forward_compatible). Each later operation has one to four constants more, so `tf.eye` would change all default op seeds
after it. Also, they refuse the diagonal of a bool, because their padding is 0. Each function takes the original and
returns its replacement.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from tf2bridge.behaviour.installed import tensorflow
from tf2bridge.behaviour.seeds.binding import binder
from tf2bridge.patching import Function

_LATER = {"k": 0, "num_rows": -1, "num_cols": -1, "padding_value": 0, "align": "RIGHT_LEFT"}
"""The parameters of the later operations, with their defaults; where a program gives another value, it gets them."""


def by(operation: str) -> Callable[[Function], Function]:
    """Returns a function that makes an operation of `tf.raw_ops` instead of its later version."""

    def replace(original: Function) -> Function:
        bind = binder(original)

        @functools.wraps(original)
        def diagonal(*args: Any, **kwargs: Any) -> Any:
            given = bind(args, kwargs)
            if given is None or any(_is_other(given[name], usual) for name, usual in _LATER.items() if name in given):
                return original(*args, **kwargs)
            tensors = {name: value for name, value in given.items() if name not in _LATER}
            return getattr(tensorflow().raw_ops, operation)(**tensors)

        return diagonal

    return replace


def _is_other(value: Any, usual: Any) -> bool:
    return not (isinstance(value, int | float | str) and value == usual)
