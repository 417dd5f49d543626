"""Virtual batch normalization. Salimans et al., "Improved Techniques for Training GANs", 2016."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

v1 = tf.compat.v1


class VBN:
    """Normalizes each example by its statistics averaged with those of one fixed `reference_batch`.

    All calls share the variables `beta` and `gamma`, [size of axis].

    Raises:
        ValueError: the rank of the reference batch is unknown, an axis is out of range, or `axis` is `batch_axis`.
    """

    def __init__(
        self,
        reference_batch: Any,
        axis: int = -1,
        epsilon: float = 1e-3,
        center: bool = True,
        scale: bool = True,
        beta_initializer: Any = v1.zeros_initializer(),  # noqa: B008  # the default of contrib.gan: it holds no state
        gamma_initializer: Any = v1.ones_initializer(),  # noqa: B008
        beta_regularizer: Any = None,
        gamma_regularizer: Any = None,
        trainable: bool = True,
        name: str | None = None,
        batch_axis: int = 0,
    ) -> None:
        axis = _checked_axis(reference_batch, axis)
        self._epsilon = epsilon
        self._batch_axis = _checked_axis(reference_batch, batch_axis)
        if axis == self._batch_axis:
            raise ValueError(f"axis and batch_axis are both {axis}; they must differ")
        with v1.variable_scope(name, "VBN", values=[reference_batch]) as self._scope:
            self._reference_batch = reference_batch
            sizes = reference_batch.shape.as_list()
            reduced_axes = [dimension for dimension in range(len(sizes)) if dimension != axis]
            self._sizes = [sizes[axis] if dimension == axis else 1 for dimension in range(len(sizes))]
            self._example_axes = [dimension for dimension in reduced_axes if dimension != self._batch_axis]
            self._must_reshape = self._example_axes != list(range(len(sizes)))[:-2]
            self._mean, self._mean_squares = _statistics(reference_batch, reduced_axes)
            self._variance = self._mean_squares - tf.square(self._mean)
            count = _size(reference_batch, self._batch_axis)
            self._example_weight = 1.0 / (v1.to_float(count) + 1.0)
            self._reference_weight = 1.0 - self._example_weight
            shape = (sizes[axis],)
            self._beta: Any = 0
            self._gamma: Any = 1
            if center:
                self._beta = v1.get_variable(
                    "beta", shape, initializer=beta_initializer, regularizer=beta_regularizer, trainable=trainable
                )
            if scale:
                self._gamma = v1.get_variable(
                    "gamma", shape, initializer=gamma_initializer, regularizer=gamma_regularizer, trainable=trainable
                )

    def reference_batch_normalization(self) -> Any:
        """Returns the reference batch, normalized by its own statistics."""
        with v1.name_scope(self._scope.name):
            return self._normalized(self._reference_batch, self._mean, self._variance, self._sizes)

    def __call__(self, inputs: Any) -> Any:
        """Returns `inputs` normalized. Raises ValueError if a size other than the batch differs from the reference."""
        shapes = []
        for tensor in (inputs, self._reference_batch):
            sizes = tensor.shape.as_list()
            del sizes[self._batch_axis]
            shapes.append(tf.TensorShape(sizes))
        shapes[1].assert_is_compatible_with(shapes[0])
        with v1.name_scope(self._scope.name, values=[inputs, self._reference_batch]):
            mean, squares = _statistics(inputs, self._example_axes)
            mean = self._example_weight * mean + self._reference_weight * self._mean
            squares = self._example_weight * squares + self._reference_weight * self._mean_squares
            variance = squares - tf.square(mean)
            sizes = self._sizes[:]
            sizes[self._batch_axis] = _size(inputs, self._batch_axis)
            return self._normalized(inputs, mean, variance, sizes)

    def _normalized(self, inputs: Any, mean: Any, variance: Any, sizes: list[Any]) -> Any:
        def shaped(tensor: Any, wanted: list[Any]) -> Any:
            return tf.reshape(tensor, wanted) if self._must_reshape else tensor

        mean, variance = shaped(mean, sizes), shaped(variance, sizes)
        beta, gamma = shaped(self._beta, self._sizes), shaped(self._gamma, self._sizes)
        return tf.nn.batch_normalization(inputs, mean, variance, beta, gamma, self._epsilon)


def _checked_axis(batch: Any, axis: int) -> int:
    rank = batch.shape.rank
    if rank is None:
        raise ValueError("the rank of reference_batch is not known; set it with set_shape")
    positive = rank + axis if axis < 0 else axis
    if not 0 <= positive < rank:
        raise ValueError(f"axis {axis} is out of range for a reference_batch of rank {rank}")
    return int(positive)


def _size(tensor: Any, axis: int) -> Any:
    size = tf.shape(tensor)[axis]
    return tf.get_static_value(size) or size


def _statistics(tensor: Any, axes: list[int]) -> tuple[Any, Any]:
    """Returns the mean and the mean square over `axes`. For float16 they are computed in float32."""
    numbers = tf.cast(tensor, tf.float32) if tensor.dtype == tf.float16 else tensor
    shift = tf.stop_gradient(v1.reduce_mean(numbers, axes, keepdims=True))
    mean = v1.reduce_mean(numbers - shift, axes, keepdims=True) + shift
    squares = v1.reduce_mean(tf.square(numbers), axes, keepdims=True)
    mean, squares = v1.squeeze(mean, axes), v1.squeeze(squares, axes)
    if tensor.dtype == tf.float16:
        return tf.cast(mean, tf.float16), tf.cast(squares, tf.float16)
    return mean, squares
