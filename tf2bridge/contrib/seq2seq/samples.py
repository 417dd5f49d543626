"""What helpers and samplers say of their samples."""

from __future__ import annotations

import abc
from collections.abc import Callable
from typing import Any

import tensorflow as tf


class Samples(metaclass=abc.ABCMeta):
    """How many samples there are in a batch, and of what form each is."""

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
    """One int32 for each sequence; their number, `_batch_size`, may be found later."""

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
    """Samples of three functions, scalars unless their shape and type are given."""

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
