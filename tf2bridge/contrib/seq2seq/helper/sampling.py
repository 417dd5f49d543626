"""Sampling for helpers and samplers: draws with the ops of TF 1.x, and the shapes and types of samples."""

from __future__ import annotations

import abc
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
        drawn = v1.multinomial(rows, count, seed=seed, output_dtype=wide)
        return v1.cast(v1.reshape(v1.transpose(drawn), v1.concat([[count], batch], 0)), dtype)

    return _shaped(draw, sample_shape)


def _shaped(draw: Callable[[Any], Any], sample_shape: Any) -> Any:
    with v1.name_scope(None, "call_sampler", values=[sample_shape]):
        shape = tf.convert_to_tensor(sample_shape, dtype=tf.int32, name="sample_shape")
        scalar = v1.cast(v1.equal(v1.rank(shape), 0), tf.int32)
        shape = v1.reshape(shape, v1.pad(v1.shape(shape), paddings=[[scalar, 0]], constant_values=1))
        draws = draw(v1.reduce_prod(shape))
        events = v1.shape(draws)[1:]
        return v1.reshape(draws, v1.concat([shape, events], 0))


class Samples(metaclass=abc.ABCMeta):
    """The batch size, and the shape and type of samples."""

    @property
    @abc.abstractmethod
    def batch_size(self) -> Any:
        """The number of sequences."""
        raise NotImplementedError("batch_size has not been implemented")

    @property
    @abc.abstractmethod
    def sample_ids_shape(self) -> Any:
        """The shape of a sample, without its batch dimension."""
        raise NotImplementedError("sample_ids_shape has not been implemented")

    @property
    @abc.abstractmethod
    def sample_ids_dtype(self) -> Any:
        """The type of a sample."""
        raise NotImplementedError("sample_ids_dtype has not been implemented")


class ScalarSamples(Samples):
    """Samples that are one int32 for each sequence. Their number, `_batch_size`, may be set later."""

    _batch_size: Any = None

    @property
    def batch_size(self) -> Any:
        """The number of sequences. Raises ValueError before `initialize`."""
        if self._batch_size is None:
            raise ValueError("batch_size is known only after initialize() was called")
        return self._batch_size

    @property
    def sample_ids_shape(self) -> Any:
        return tf.TensorShape([])

    @property
    def sample_ids_dtype(self) -> Any:
        return tf.int32


class CustomSamples(ScalarSamples):
    """Samples of custom functions. They are int32 scalars unless their shape and type are given."""

    def __init__(
        self,
        initialize_fn: Callable[..., Any],
        sample_fn: Callable[..., Any],
        next_inputs_fn: Callable[..., Any],
        sample_ids_shape: Any = None,
        sample_ids_dtype: Any = None,
    ) -> None:
        self._initialize_fn = initialize_fn
        self._sample_fn = sample_fn
        self._next_inputs_fn = next_inputs_fn
        self._sample_ids_shape = tf.TensorShape(sample_ids_shape or [])
        self._sample_ids_dtype = sample_ids_dtype or tf.int32

    @property
    def sample_ids_shape(self) -> Any:
        return self._sample_ids_shape

    @property
    def sample_ids_dtype(self) -> Any:
        return self._sample_ids_dtype
