"""Assertions and divisions that older releases made of other operations, where later gradients depend on them.

Each function takes the original and returns its replacement, as those of `rules` do.
"""

from __future__ import annotations

import functools
from typing import Any

from tf2bridge.v1.seeds.binding import binder
from tf2bridge.v1.seeds.rebind import Function


def compared_with_itself(original: Function) -> Function:
    """Up to 1.14 `assert_equal` compared a value with itself, too, and had one name scope."""
    bind = binder(original)

    @functools.wraps(original)
    def assert_equal(*args: Any, **kwargs: Any) -> Any:
        import numpy as np
        from tensorflow.python.eager import context
        from tensorflow.python.ops import check_ops, math_ops

        given = bind(args, kwargs)
        if given is None or context.executing_eagerly():
            return original(*args, **kwargs)
        values = [given[name] for name in ("x", "y", "data", "summarize", "message", "name")]
        return check_ops._binary_assert("==", "assert_equal", math_ops.equal, np.equal, *values)

    return assert_equal


_OF_LOSSES = "value"


def selected_quotient(original: Function) -> Function:
    """Up to 1.12 losses divided where the divisor was positive, and selected 0 elsewhere.

    They name the quotient "value". What programs divide by `div_no_nan` is one operation.
    """
    bind = binder(original)

    @functools.wraps(original)
    def div_no_nan(*args: Any, **kwargs: Any) -> Any:
        from tensorflow.python.eager import context
        from tensorflow.python.ops import array_ops, math_ops

        given = bind(args, kwargs)
        if given is None or given["name"] != _OF_LOSSES or context.executing_eagerly():
            return original(*args, **kwargs)
        total, number = given["x"], given["y"]
        divisor = array_ops.where(math_ops.equal(number, 0), array_ops.ones_like(number), number)
        positive, zeros = math_ops.greater(number, 0), array_ops.zeros_like(total)
        return array_ops.where(positive, math_ops.div(total, divisor), zeros, name=_OF_LOSSES)

    return div_no_nan
