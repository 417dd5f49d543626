"""Parts of GANs: pooled examples, conditioning on labels, and clipped weights."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.layers.layers.fully_connected import linear
from tf2bridge.contrib.layers.layers.reshaping import flatten
from tf2bridge.contrib.opt.variable_clipping_optimizer import VariableClippingOptimizer

v1 = tf.compat.v1


def tensor_pool(
    input_values: Any, pool_size: int = 50, pooling_probability: Any = 0.5, name: str = "tensor_pool"
) -> Any:
    """Returns `input_values`, a nest of tensors, or with `pooling_probability` earlier ones, drawn from a pool.

    Until the pool is full its inputs are returned as they are. Raises ValueError where `pool_size` is negative.
    """
    pool_size = int(pool_size)
    if pool_size < 0:
        raise ValueError(f"pool_size is {pool_size}; it must not be negative")
    if pool_size == 0:
        return input_values
    values = tf.nest.flatten(input_values)
    with v1.name_scope(f"{name}_pool_queue", values=[*values, pooling_probability]):
        queue = tf.queue.RandomShuffleQueue(pool_size, 0, [value.dtype for value in values], shapes=None)

        def stored() -> list[Any]:
            with tf.control_dependencies([queue.enqueue(values)]):
                return [tf.identity(value) for value in values]

        def exchanged() -> Any:
            drawn = _as_list(queue.dequeue())
            with tf.control_dependencies(drawn), tf.control_dependencies([queue.enqueue(values)]):
                use_drawn = v1.random_uniform((), dtype=tf.float32) < pooling_probability
                return v1.cond(use_drawn, lambda: drawn, lambda: values)

        outputs = _as_list(v1.cond(queue.size() < pool_size, stored, exchanged))
        for value, output in zip(values, outputs, strict=True):
            output.set_shape(value.shape)
    return tf.nest.pack_sequence_as(input_values, outputs)


def _as_list(tensors: Any) -> list[Any]:
    return [tensors] if isinstance(tensors, tf.Tensor) else list(tensors)


def condition_tensor(tensor: Any, conditioning: Any) -> Any:
    """Returns `tensor`, [batch, ...], plus a linear layer of `conditioning`, [batch, features].

    Van den Oord et al., "WaveNet", 2016, https://arxiv.org/abs/1609.03499. Raises ValueError where a size of `tensor`
    other than the batch is not known, or the shapes do not fit.
    """
    tensor.shape[1:].assert_is_fully_defined()
    mapped = linear(flatten(conditioning), tensor.shape[1:].num_elements())
    if not mapped.shape.is_compatible_with(tensor.shape):
        shape = tf.shape(tensor)
        known = tf.get_static_value(shape)
        mapped = tf.reshape(mapped, shape if known is None else known)
    return tensor + mapped


def condition_tensor_from_onehot(tensor: Any, one_hot_labels: Any, embedding_size: int = 256) -> Any:
    """Returns `tensor` conditioned on the rows of the variable `embedding` for `one_hot_labels`, [batch, classes].

    Raises ValueError where the labels are not of rank 2, the number of classes is not known, or as `condition_tensor`.
    """
    one_hot_labels.shape.assert_has_rank(2)
    one_hot_labels.shape[1:].assert_is_fully_defined()
    labels = v1.argmax(one_hot_labels, axis=1)
    embedding = v1.get_variable("embedding", [one_hot_labels.shape.as_list()[1], embedding_size])
    return condition_tensor(tensor, v1.nn.embedding_lookup(embedding, labels, name="token_to_embedding"))


def clip_discriminator_weights(optimizer: Any, model: Any, weight_clip: float) -> Any:
    """Returns an optimizer that clips the discriminator's weights of `model` after each step of `optimizer`."""
    return clip_variables(optimizer, model.discriminator_variables, weight_clip)


def clip_variables(optimizer: Any, variables: Sequence[Any], weight_clip: float) -> Any:
    """Returns an optimizer that clips each number of `variables` to `weight_clip` after each step of `optimizer`.

    Raises ValueError where `weight_clip` is negative.
    """
    if weight_clip < 0:
        raise ValueError(f"weight_clip is {weight_clip}; it must be positive")
    return VariableClippingOptimizer(
        opt=optimizer,
        vars_to_clip_dims={variable.ref(): [] for variable in variables},
        max_norm=weight_clip,
        use_locking=True,
        colocate_clip_ops_with_vars=True,
    )
