"""Draws of Bernoulli and categorical variables, with the ops that decoders of TF 1.x made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

v1 = tf.compat.v1


def bernoulli_sample(
    probs: Any = None, logits: Any = None, dtype: Any = tf.int32, sample_shape: Any = (), seed: int | None = None
) -> Any:
    """Returns draws [*sample_shape, *shape of probs] that are 1 with probability `probs`, or sigmoid(logits)."""
    probs = v1.sigmoid(logits, name="probs") if probs is None else tf.convert_to_tensor(probs, name="probs")
    batch = v1.shape(probs)

    def draw(count: Any) -> Any:
        uniform = v1.random_uniform(v1.concat([[count], batch], 0), seed=seed, dtype=probs.dtype)
        return v1.cast(v1.less(uniform, probs), dtype)

    return _shaped(draw, sample_shape)


def categorical_sample(logits: Any, dtype: Any = tf.int32, sample_shape: Any = (), seed: int | None = None) -> Any:
    """Returns draws [*sample_shape, *batch] of classes with `logits` [*batch, classes]."""
    logits = tf.convert_to_tensor(logits, name="logits")
    classes = v1.shape(logits)[-1]
    batch = v1.shape(logits)[:-1]

    def draw(count: Any) -> Any:
        rows = logits if logits.shape.ndims == 2 else v1.reshape(logits, [-1, classes])
        wide = tf.int64 if logits.dtype.size > 4 else tf.int32
        found = v1.multinomial(rows, count, seed=seed, output_dtype=wide)
        return v1.cast(v1.reshape(v1.transpose(found), v1.concat([[count], batch], 0)), dtype)

    return _shaped(draw, sample_shape)


def _shaped(draw: Callable[[Any], Any], sample_shape: Any) -> Any:
    with v1.name_scope(None, "call_sampler", values=[sample_shape]):
        shape = tf.convert_to_tensor(sample_shape, dtype=tf.int32, name="sample_shape")
        scalar = v1.cast(v1.equal(v1.rank(shape), 0), tf.int32)
        shape = v1.reshape(shape, v1.pad(v1.shape(shape), paddings=[[scalar, 0]], constant_values=1))
        draws = draw(v1.reduce_prod(shape))
        events = v1.shape(draws)[1:]
        return v1.reshape(draws, v1.concat([shape, events], 0))
