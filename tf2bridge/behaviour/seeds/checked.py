"""Assertions, divisions and activations that older releases build from other operations.

Each function takes the original and returns its replacement, as in `rules`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from tf2bridge.behaviour.seeds import counter, early
from tf2bridge.behaviour.seeds.binding import binder
from tf2bridge.patching import Function


def compared_with_itself(original: Function) -> Function:
    """Up to 1.14 `assert_equal` compared a value with itself, too, and had one name scope."""
    bind = binder(original)

    @functools.wraps(original)
    def assert_equal(*args: Any, **kwargs: Any) -> Any:
        import numpy as np

        from tf2bridge.internals.eager import context
        from tf2bridge.internals.ops import check_ops, math_ops

        given = bind(args, kwargs)
        if given is None or context.executing_eagerly():
            return original(*args, **kwargs)
        values = [given[name] for name in ("x", "y", "data", "summarize", "message", "name")]
        return check_ops._binary_assert("==", "assert_equal", math_ops.equal, np.equal, *values)

    return assert_equal


def found_when_run(equality: bool) -> Callable[[Function], Function]:
    """Up to 1.12 a false assertion about constants fails in the session, not when it is built.

    A program may build a false assertion in a branch that never runs. For equality, 1.4 and 1.12 fail when it is built.
    """

    def replace(original: Function) -> Function:
        @functools.wraps(original)
        def binary_assert(sym: str, opname: str, op_func: Any, static_func: Any, *args: Any, **kwargs: Any) -> Any:
            known = static_func if equality and sym == "==" else _holds
            return original(sym, opname, op_func, known, *args, **kwargs)

        return binary_assert

    return replace


def _holds(x: Any, y: Any) -> bool:
    del x, y
    return True


def by_difference(comparison: str) -> Callable[[Function], Function]:
    """`tf.is_non_decreasing` and `tf.is_strictly_increasing` compared 0 with the differences of the elements.

    So [inf, inf] is not sorted, bytes always are, and an int32 of -2147483648 has nothing greater after it.
    """

    def replace(original: Function) -> Function:
        @functools.wraps(original)
        def is_sorted(x: Any, name: str | None = None) -> Any:
            from tf2bridge.internals.framework import ops
            from tf2bridge.internals.ops import array_ops, check_ops, cond, math_ops

            with ops.name_scope(name, original.__name__, [x]):
                x = array_ops.reshape(x, [-1])
                if not check_ops.is_numeric_tensor(x):
                    raise TypeError(f"Expected x to be numeric, instead found: {x}")
                is_short, size = math_ops.less(array_ops.size(x), 2), array_ops.shape(x) - 1

                def differences() -> Any:
                    return array_ops.strided_slice(x, [1], 1 + size) - array_ops.strided_slice(x, [0], size)

                differing = cond.cond(is_short, lambda: ops.convert_to_tensor([], dtype=x.dtype), differences)
                zero = ops.convert_to_tensor(0, dtype=differing.dtype)
                return math_ops.reduce_all(getattr(math_ops, comparison)(zero, differing))

        return is_sorted

    return replace


_OF_LOSSES = "value"
_METRICS = ("mean", "mean_tensor", "mean_per_class_accuracy")


def selected_quotient(zeros: bool) -> Callable[[Function], Function]:
    """Up to 1.12 losses and metrics divide, and then select 0 where the divisor is not positive.

    Losses name the quotient "value". A `div_no_nan` of the program is one operation. With `zeros` the metrics are those
    of 1.12, which compare with zeros of the shape of the quotient. Earlier releases compare with the number 0.
    """

    def replace(original: Function) -> Function:
        bind = binder(original)

        @functools.wraps(original)
        def div_no_nan(*args: Any, **kwargs: Any) -> Any:
            from tf2bridge.internals.eager import context

            given = bind(args, kwargs)
            if given is None or context.executing_eagerly():
                return original(*args, **kwargs)
            if early.running() in _METRICS and given["y"].op.type == "Maximum":
                return _of_metrics(given["x"], given["y"], given["name"], zeros)
            if given["name"] != _OF_LOSSES:
                return original(*args, **kwargs)
            return _of_losses(given["x"], given["y"])

        return div_no_nan

    return replace


def _of_losses(total: Any, number: Any) -> Any:
    from tf2bridge.internals.ops import array_ops, math_ops

    divisor = array_ops.where(math_ops.equal(number, 0), array_ops.ones_like(number), number)
    positive, zeros = math_ops.greater(number, 0), array_ops.zeros_like(total)
    return array_ops.where(positive, math_ops.div(total, divisor), zeros, name=_OF_LOSSES)


_OF_LIMIT = 2
"""The operations of `maximum(number, 0)`."""


def _of_metrics(total: Any, limited: Any, name: str | None, zeros: bool) -> Any:
    """Returns the quotient of a metric.

    `limited` is the number of values, or 0 if it is negative; the release divides by the number itself.
    """
    from tf2bridge.internals.framework import constant_op
    from tf2bridge.internals.ops import array_ops, math_ops

    counter.of(limited.graph).correction -= _OF_LIMIT
    number = limited.op.inputs[0]
    if not zeros:
        positive = math_ops.greater(number, 0)
        quotient = math_ops.truediv(total, number)
        return array_ops.where(positive, quotient, constant_op.constant(0, quotient.dtype, name="e"), name=name)
    quotient = math_ops.truediv(total, number)
    nothing = array_ops.zeros_like(quotient, dtype=number.dtype)
    positive = math_ops.greater(number, nothing)
    return array_ops.where(positive, quotient, math_ops.cast(nothing, quotient.dtype), name=name)


def larger_of_two(original: Function) -> Function:
    """Up to 1.12 `leaky_relu` is the larger of the features and the scaled features."""
    bind = binder(original)

    @functools.wraps(original)
    def leaky_relu(*args: Any, **kwargs: Any) -> Any:
        from tf2bridge.internals.eager import context
        from tf2bridge.internals.framework import ops
        from tf2bridge.internals.ops import math_ops

        given = bind(args, kwargs)
        features = None if given is None else ops.convert_to_tensor(given["features"], name="features")
        if given is None or features is None or context.executing_eagerly() or not features.dtype.is_floating:
            return original(*args, **kwargs)
        with ops.name_scope(given["name"], "LeakyRelu", [features, given["alpha"]]) as name:
            alpha = ops.convert_to_tensor(given["alpha"], dtype=features.dtype, name="alpha")
            return math_ops.maximum(alpha * features, features, name=name)

    return leaky_relu
