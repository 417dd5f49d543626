"""Bijectors of vectors: SoftmaxCentered, Ordered and Permute."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.contrib.distributions.core import Bijector, checked, size_of, util, v1


class SoftmaxCentered(Bijector):  # type: ignore[misc]  # TensorFlow has no types
    """y = softmax of x with 0 appended: k numbers become k + 1 numbers whose sum is 1."""

    def __init__(self, validate_args: bool = False, name: str = "softmax_centered") -> None:
        self._name = name
        super().__init__(forward_min_event_ndims=1, validate_args=validate_args, name=name)

    def _forward_event_shape(self, input_shape: Any) -> Any:
        size = _last(input_shape)
        return input_shape if size is None else tf.TensorShape([size + 1])

    def _forward_event_shape_tensor(self, input_shape: Any) -> Any:
        return (input_shape[-1] + 1)[..., tf.newaxis]

    def _inverse_event_shape(self, output_shape: Any) -> Any:
        size = _more_than_one(output_shape)
        return output_shape if size is None else tf.TensorShape([size - 1])

    def _inverse_event_shape_tensor(self, output_shape: Any) -> Any:
        return (_checked_size(output_shape, self.validate_args) - 1)[..., tf.newaxis]

    def _forward(self, x: Any) -> Any:
        y = util.pad(x, axis=-1, back=True)
        _resize(y, x, 1)
        return tf.nn.softmax(y)

    def _inverse(self, y: Any) -> Any:
        logs = tf.math.log(y)
        x = logs[..., :-1] + (-logs[..., -1])[..., tf.newaxis]
        _resize(x, y, -1)
        return x

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        """Returns log(1 / prod(y)), because y[k] = 1 - sum(y[:k]) (matrix determinant lemma)."""
        return -v1.reduce_sum(tf.math.log(y), axis=-1)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        normalization = tf.nn.softplus(v1.reduce_logsumexp(x, axis=-1, keepdims=True))
        total = -normalization + v1.reduce_sum(x - normalization, axis=-1, keepdims=True)
        return v1.squeeze(total, axis=-1)


def _resize(result: Any, source: Any, difference: int) -> None:
    if source.shape.ndims is None:
        return
    size = size_of(source.shape[-1])
    shape = source.shape[:-1].concatenate([None if size is None else size + difference])
    result.shape.assert_is_compatible_with(shape)
    result.set_shape(shape)


def _last(shape: Any) -> int | None:
    return None if shape.ndims is None else size_of(shape[-1])


def _more_than_one(shape: Any) -> int | None:
    size = _last(shape)
    if size is not None and size <= 1:
        raise ValueError(f"output_shape[-1] = {size} <= 1")
    return size


def _checked_size(shape: Any, validate_args: bool) -> Any:
    if validate_args:
        shape = checked(shape, [v1.assert_greater(shape[-1], 1, message="Need last dimension greater than 1.")])
    return shape[-1]


class Ordered(Bijector):  # type: ignore[misc]  # TensorFlow has no types
    """y is the first number of x, followed by the logarithms of the differences of x, which must increase."""

    def __init__(self, validate_args: bool = False, name: str = "ordered") -> None:
        super().__init__(forward_min_event_ndims=1, validate_args=validate_args, name=name)

    def _forward_event_shape(self, input_shape: Any) -> Any:
        size = _last(input_shape)
        return input_shape if size is None else tf.TensorShape([size])

    def _forward_event_shape_tensor(self, input_shape: Any) -> Any:
        return input_shape[-1][..., tf.newaxis]

    def _inverse_event_shape(self, output_shape: Any) -> Any:
        size = _more_than_one(output_shape)
        return output_shape if size is None else tf.TensorShape([size])

    def _inverse_event_shape_tensor(self, output_shape: Any) -> Any:
        return _checked_size(output_shape, self.validate_args)[..., tf.newaxis]

    def _forward(self, x: Any) -> Any:
        x = self._increasing(x)
        return tf.concat([x[..., 0, tf.newaxis], tf.math.log(x[..., 1:] - x[..., :-1])], axis=-1)

    def _inverse(self, y: Any) -> Any:
        return tf.cumsum(tf.concat([y[..., 0, tf.newaxis], tf.exp(y[..., 1:])], axis=-1), axis=-1)

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        return v1.reduce_sum(y[..., 1:], axis=-1)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        x = self._increasing(x)
        return -v1.reduce_sum(tf.math.log(x[..., 1:] - x[..., :-1]), axis=-1)

    def _increasing(self, x: Any) -> Any:
        if not self.validate_args:
            return x
        message = "Forward transformation input must be strictly increasing."
        return checked(x, [v1.assert_positive(x[..., 1:] - x[..., :-1], message=message)])


class Permute(Bijector):  # type: ignore[misc]  # TensorFlow has no types
    """y[i] = x[permutation[i]].

    Raises:
        TypeError: `permutation` does not hold integers.
        ValueError: the static value of `permutation` is not a permutation.
    """

    def __init__(self, permutation: Any, validate_args: bool = False, name: str | None = None) -> None:
        message = "Permutation over `d` must contain exactly one of each of `{0, 1, ..., d}`."
        with v1.name_scope(name, "permute", values=[permutation]):
            permutation = tf.convert_to_tensor(permutation, name="permutation")
            if not permutation.dtype.is_integer:
                raise TypeError(f"permutation.dtype ({permutation.dtype.name}) should be `int`-like.")
            static = tf.get_static_value(permutation)
            if static is not None:
                if set(static) != set(np.arange(static.size)):
                    raise ValueError(message)
            elif validate_args:
                ordered, _ = tf.math.top_k(-permutation, k=v1.shape(permutation)[-1], sorted=True)
                is_permutation = v1.assert_equal(-ordered, tf.range(v1.size(ordered)), message=message)
                permutation = checked(permutation, [is_permutation])
            self._permutation = permutation
            super().__init__(
                forward_min_event_ndims=1,
                is_constant_jacobian=True,
                validate_args=validate_args,
                name=name or "permute",
            )

    @property
    def permutation(self) -> Any:
        """The source position of each number, [k]."""
        return self._permutation

    def _forward(self, x: Any) -> Any:
        return v1.gather(x, self.permutation, axis=-1)

    def _inverse(self, y: Any) -> Any:
        return v1.gather(y, tf.math.invert_permutation(self.permutation), axis=-1)

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        return tf.constant(0.0, dtype=y.dtype.base_dtype)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return tf.constant(0.0, dtype=x.dtype.base_dtype)
