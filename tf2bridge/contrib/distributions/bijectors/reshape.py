"""The bijector that reshapes events."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.contrib.distributions.core import Bijector, checked, size_of, v1


class Reshape(Bijector):  # type: ignore[misc]  # TensorFlow has no types
    """y is x with events of shape `event_shape_out`, not `event_shape_in`. One size of each shape may be -1.

    Raises:
        TypeError: a shape does not hold integers.
        ValueError: a shape is not a vector.
    """

    def __init__(
        self,
        event_shape_out: Any,
        event_shape_in: Any = (-1,),
        validate_args: bool = False,
        name: str | None = None,
    ) -> None:
        with v1.name_scope(name, "reshape", values=[event_shape_out, event_shape_in]):
            event_shape_out = _shape(event_shape_out, "event_shape_out")
            event_shape_in = _shape(event_shape_in, "event_shape_in")
            self._assertions = [
                *_checks_of_shape(event_shape_out, validate_args),
                *_checks_of_shape(event_shape_in, validate_args),
            ]
            self._event_shape_in, self._event_shape_out = event_shape_in, event_shape_out
            super().__init__(
                forward_min_event_ndims=0,
                is_constant_jacobian=True,
                validate_args=validate_args,
                name=name or "reshape",
            )

    def _forward(self, x: Any) -> Any:
        with tf.control_dependencies(self._assertions):
            return self._reshaped(x, self._event_shape_in, self._event_shape_out)

    def _inverse(self, y: Any) -> Any:
        with tf.control_dependencies(self._assertions):
            return self._reshaped(y, self._event_shape_out, self._event_shape_in)

    def _reshaped(self, x: Any, shape_in: Any, shape_out: Any) -> Any:
        rank_in, known_rank_in = v1.shape(shape_in)[0], size_of(shape_in.shape.with_rank_at_least(1)[0])
        rank, checks = tf.rank(x), []
        tail_shape, tail_tensor = None, None
        if known_rank_in is not None and x.shape.ndims is not None:
            tail = x.shape.with_rank_at_least(known_rank_in)[x.shape.ndims - known_rank_in :]
            if tail.is_fully_defined():
                tail_shape = tail_tensor = np.array(tail.as_list(), np.int32)
        if tail_shape is None:
            tail_tensor = v1.shape(x)[rank - rank_in :]
        expected = tf.get_static_value(shape_in)
        if tail_shape is not None and expected is not None:
            if not np.array_equal(tail_shape[expected >= 0], expected[expected >= 0]):
                raise ValueError(f"Input `event_shape` does not match `event_shape_in` ({tail_shape} vs {expected}).")
        elif self.validate_args:
            checks.append(_same_where_given(tail_tensor, shape_in))
        if checks:
            x = checked(x, checks)
        shape = v1.shape(x)
        leading = shape[: (tf.rank(x) if x.shape.ndims is None else x.shape.ndims) - tf.abs(rank_in)]
        if known_rank_in is not None and known_rank_in == x.shape.ndims:
            return tf.reshape(x, shape_out)
        return tf.reshape(x, tf.concat([leading, shape_out], axis=0))

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        with tf.control_dependencies(self._assertions):
            return tf.constant(0.0, dtype=y.dtype)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        with tf.control_dependencies(self._assertions):
            return tf.constant(0.0, dtype=x.dtype)

    def _example(self, method: Any, shape: Any) -> Any:
        """Returns `method` of zeros of this shape. This is the cheapest way to get the shape of its result."""
        with tf.control_dependencies(self._assertions):
            return method(tf.zeros(dtype=tf.float32, shape=shape))

    def _forward_event_shape(self, input_shape: Any) -> Any:
        return self._example(self.forward, input_shape).shape

    def _inverse_event_shape(self, output_shape: Any) -> Any:
        return self._example(self.inverse, output_shape).shape

    def _forward_event_shape_tensor(self, input_shape: Any) -> Any:
        return v1.shape(self._example(self.forward, input_shape))

    def _inverse_event_shape_tensor(self, output_shape: Any) -> Any:
        return v1.shape(self._example(self.inverse, output_shape))


def _shape(shape: Any, name: str) -> Any:
    return v1.convert_to_tensor(shape, name=name, preferred_dtype=tf.int32)


def _same_where_given(actual: Any, expected: Any) -> Any:
    given = tf.reshape(expected >= 0, [-1])
    message = "Input `event_shape` does not match `event_shape_in`."
    return v1.assert_equal(v1.boolean_mask(actual, given), v1.boolean_mask(expected, given), message=message)


def _checks_of_shape(shape: Any, validate_args: bool) -> list[Any]:
    if not shape.dtype.is_integer:
        raise TypeError(f"{shape} dtype ({shape.dtype.name}) should be `int`-like.")
    checks, rank = [], tf.rank(shape)
    known_rank = tf.get_static_value(rank)
    if known_rank is not None and known_rank > 1:
        raise ValueError(f"`{shape}` rank ({known_rank}) should be <= 1.")
    if known_rank is None and validate_args:
        checks.append(v1.assert_less_equal(rank, 1, message=f"`{shape}` rank should be <= 1."))
    sizes = tf.get_static_value(shape)
    if validate_args and (sizes is None or np.any(sizes < 0)):
        unknown = v1.reduce_sum(tf.cast(tf.equal(shape, -1), tf.int32))
        checks.append(v1.assert_less_equal(unknown, 1, message=f"`{shape}` elements must have at most one `-1`."))
        message = f"`{shape}` elements must be either positive integers or `-1`."
        checks.append(v1.assert_greater_equal(shape, -1, message=message))
    return checks
