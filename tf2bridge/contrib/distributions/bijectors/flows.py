"""Normalizing flows: masked autoregressive flows (https://arxiv.org/abs/1705.07057), RealNVP (1605.08803)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.behaviour.installed import core_layers
from tf2bridge.contrib.distributions.core import Bijector, size_of, v1


class MaskedAutoregressiveFlow(Bijector):  # type: ignore[misc]  # TensorFlow has no types
    """y[i] = x[i] * exp(log_scale(y[:i])) + shift(y[:i]). Forward needs one step for each i, inverse only one step.

    Args:
        shift_and_log_scale_fn: of y, [batch, k]; returns shift and log_scale, of the same shape, or None for either.
        unroll_loop: True to compute forward by k copies of the function, not by a loop. Then k must be known.
    """

    def __init__(
        self,
        shift_and_log_scale_fn: Callable[..., Any],
        is_constant_jacobian: bool = False,
        validate_args: bool = False,
        unroll_loop: bool = False,
        name: str | None = None,
    ) -> None:
        self._shift_and_log_scale_fn, self._unroll_loop = shift_and_log_scale_fn, unroll_loop
        super().__init__(
            forward_min_event_ndims=1,
            is_constant_jacobian=is_constant_jacobian,
            validate_args=validate_args,
            name=name or "masked_autoregressive_flow",
        )

    def _forward(self, x: Any) -> Any:
        static_size = size_of(x.shape.with_rank_at_least(1)[-1])
        if self._unroll_loop:
            if static_size is None:
                raise ValueError(
                    "The final dimension of `x` must be known at graph construction time if `unroll_loop=True`. "
                    f"`x.shape: {x.shape!r}`"
                )
            y = tf.zeros_like(x, name="y0")
            for _ in range(static_size):
                y = _scaled(x, *self._shift_and_log_scale_fn(y))
            return y
        size = v1.shape(x)[-1]
        y0 = tf.zeros_like(x, name="y0")
        self._shift_and_log_scale_fn(y0)  # makes its variables outside the loop
        _, y = v1.while_loop(
            cond=lambda index, _: index < size,
            body=lambda index, y: (index + 1, self._step(x, y)),
            loop_vars=(0, y0),
            maximum_iterations=static_size,
        )
        return y

    def _step(self, x: Any, y: Any) -> Any:
        with v1.variable_scope(v1.get_variable_scope()) as scope:
            if scope.caching_device is None:  # otherwise each iteration reads the variables again
                scope.set_caching_device(lambda op: op.device)
            shift, log_scale = self._shift_and_log_scale_fn(y)
        return _scaled(x, shift, log_scale)

    def _inverse(self, y: Any) -> Any:
        return _unscaled(y, *self._shift_and_log_scale_fn(y))

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        _, log_scale = self._shift_and_log_scale_fn(y)
        if log_scale is None:
            return tf.constant(0.0, dtype=y.dtype, name="ildj")
        return -v1.reduce_sum(log_scale, axis=-1)


def _scaled(x: Any, shift: Any, log_scale: Any) -> Any:
    if log_scale is not None:
        x *= tf.exp(log_scale)
    return x if shift is None else x + shift


def _unscaled(y: Any, shift: Any, log_scale: Any) -> Any:
    if shift is not None:
        y -= shift
    return y if log_scale is None else y * tf.exp(-log_scale)


class RealNVP(Bijector):  # type: ignore[misc]  # TensorFlow has no types
    """Keeps the first `num_masked` numbers, and shifts and scales the other numbers by a function of the first.

    Args:
        shift_and_log_scale_fn: takes the first numbers, [batch, num_masked], and the count of the other numbers;
            returns their shift and log_scale. Either may be None.
    """

    def __init__(
        self,
        num_masked: int,
        shift_and_log_scale_fn: Callable[..., Any],
        is_constant_jacobian: bool = False,
        validate_args: bool = False,
        name: str | None = None,
    ) -> None:
        if num_masked <= 0:
            raise ValueError("num_masked must be a positive integer.")
        self._num_masked, self._shift_and_log_scale_fn = num_masked, shift_and_log_scale_fn
        self._input_depth: int | None = None
        super().__init__(
            forward_min_event_ndims=1,
            is_constant_jacobian=is_constant_jacobian,
            validate_args=validate_args,
            name=name or "real_nvp",
        )

    def _split(self, value: Any) -> tuple[Any, Any, Any, Any]:
        """Returns the first numbers, the remaining numbers, and the shift and log_scale of the remaining numbers."""
        if self._input_depth is None:
            self._input_depth = size_of(value.shape.with_rank_at_least(1)[-1])
            if self._input_depth is None:
                raise NotImplementedError("Rightmost dimension must be known prior to graph execution.")
            if self._num_masked >= self._input_depth:
                raise ValueError("Number of masked units must be smaller than the event size.")
        first, remaining = value[:, : self._num_masked], value[:, self._num_masked :]
        shift, log_scale = self._shift_and_log_scale_fn(first, self._input_depth - self._num_masked)
        return first, remaining, shift, log_scale

    def _forward(self, x: Any) -> Any:
        first, remaining, shift, log_scale = self._split(x)
        return tf.concat([first, _scaled(remaining, shift, log_scale)], axis=-1)

    def _inverse(self, y: Any) -> Any:
        first, remaining, shift, log_scale = self._split(y)
        return tf.concat([first, _unscaled(remaining, shift, log_scale)], axis=-1)

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        log_scale = self._split(y)[-1]
        if log_scale is None:
            return tf.constant(0.0, dtype=y.dtype, name="ildj")
        return -v1.reduce_sum(log_scale, axis=-1)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        log_scale = self._split(x)[-1]
        if log_scale is None:
            return tf.constant(0.0, dtype=x.dtype, name="fldj")
        return v1.reduce_sum(log_scale, axis=-1)


def real_nvp_default_template(
    hidden_layers: Sequence[int],
    shift_only: bool = False,
    activation: Any = tf.nn.relu,
    name: str | None = None,
    *args: Any,
    **kwargs: Any,
) -> Any:
    """Returns a `shift_and_log_scale_fn` for RealNVP: dense layers. `layers.dense` gets the other arguments."""
    with v1.name_scope(name, "real_nvp_default_template"):

        def network(x: Any, output_units: int) -> Any:
            for units in hidden_layers:
                x = core_layers().dense(*args, inputs=x, units=units, activation=activation, **kwargs)
            width = (1 if shift_only else 2) * output_units
            x = core_layers().dense(*args, inputs=x, units=width, activation=None, **kwargs)
            return (x, None) if shift_only else tuple(tf.split(x, 2, axis=-1))

        return v1.make_template("real_nvp_default_template", network)


MASK_INCLUSIVE = "inclusive"
MASK_EXCLUSIVE = "exclusive"


def _gen_mask(num_blocks: int, n_in: int, n_out: int, mask_type: str = MASK_EXCLUSIVE, dtype: Any = tf.float32) -> Any:
    """Returns a mask [n_out, n_in]: 1 if the output may depend on the input. Exclusive: no block depends on itself."""
    mask = np.zeros([n_out, n_in], dtype=dtype.as_numpy_dtype())
    width, height = n_in // num_blocks, n_out // num_blocks
    first = height if mask_type == MASK_EXCLUSIVE else 0
    for block in range(num_blocks):
        mask[first + block * height :, block * width : (block + 1) * width] = 1
    return mask


def masked_dense(
    inputs: Any,
    units: int,
    num_blocks: int | None = None,
    exclusive: bool = False,
    kernel_initializer: Any = None,
    reuse: bool | None = None,
    name: str | None = None,
    *args: Any,
    **kwargs: Any,
) -> Any:
    """Returns [batch, units]: a dense layer in which a block of outputs depends on its own and earlier blocks only.

    With `exclusive` it does not depend on its own block. `layers.Dense` gets the other arguments.
    """
    depth = size_of(inputs.shape.with_rank_at_least(1)[-1])
    if depth is None:
        raise NotImplementedError("Rightmost dimension must be known prior to graph execution.")
    blocks: Any = num_blocks
    mask = _gen_mask(blocks, depth, units, MASK_EXCLUSIVE if exclusive else MASK_INCLUSIVE).T
    initializer = kernel_initializer or v1.glorot_normal_initializer()

    def masked_initializer(shape: Any, dtype: Any = None, partition_info: Any = None) -> Any:
        return mask * initializer(shape, dtype, partition_info)

    with v1.name_scope(name, "masked_dense", [inputs, units, num_blocks]):
        layer = core_layers().Dense(
            units,
            *args,
            kernel_initializer=masked_initializer,
            kernel_constraint=lambda kernel: mask * kernel,
            name=name,
            dtype=inputs.dtype.base_dtype,
            _scope=name,
            _reuse=reuse,
            **kwargs,
        )
        return layer.apply(inputs)


def masked_autoregressive_default_template(
    hidden_layers: Sequence[int],
    shift_only: bool = False,
    activation: Any = tf.nn.relu,
    log_scale_min_clip: float = -5.0,
    log_scale_max_clip: float = 3.0,
    log_scale_clip_gradient: bool = False,
    name: str | None = None,
    *args: Any,
    **kwargs: Any,
) -> Any:
    """Returns a `shift_and_log_scale_fn` for MaskedAutoregressiveFlow: a template of masked dense layers."""
    name = name or "masked_autoregressive_default_template"
    dense: Any = masked_dense
    with v1.name_scope(name, values=[log_scale_min_clip, log_scale_max_clip]):

        def network(x: Any) -> Any:
            depth = size_of(x.shape.with_rank_at_least(1)[-1])
            if depth is None:
                raise NotImplementedError("Rightmost dimension must be known prior to graph execution.")
            shape = np.int32(x.shape.as_list()) if x.shape.is_fully_defined() else v1.shape(x)
            for i, units in enumerate(hidden_layers):
                x = dense(
                    *args,
                    inputs=x,
                    units=units,
                    num_blocks=depth,
                    exclusive=i == 0,
                    activation=activation,
                    **kwargs,
                )
            width = (1 if shift_only else 2) * depth
            x = dense(*args, inputs=x, units=width, num_blocks=depth, activation=None, **kwargs)
            if shift_only:
                return tf.reshape(x, shape=shape), None
            x = tf.reshape(x, shape=tf.concat([shape, [2]], axis=0))
            shift, log_scale = tf.unstack(x, num=2, axis=-1)
            clip = tf.clip_by_value if log_scale_clip_gradient else _clip_by_value_preserve_grad
            return shift, clip(log_scale, log_scale_min_clip, log_scale_max_clip)

        return v1.make_template(name, network)


def _clip_by_value_preserve_grad(x: Any, clip_value_min: Any, clip_value_max: Any, name: str | None = None) -> Any:
    """Returns `x` clipped. The gradient is that of the identity."""
    with v1.name_scope(name, "clip_by_value_preserve_grad", [x, clip_value_min, clip_value_max]):
        clipped = tf.clip_by_value(x, clip_value_min, clip_value_max)
        return x + tf.stop_gradient(clipped - x)
