"""The memory of attention with its mask, and the base of all attention mechanisms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.contrib.seq2seq.cells import Layer, early, length, zero_state

v1 = tf.compat.v1
nest = tf.nest
_MISSING = object()
"""No argument; None is one, which a mechanism that reads no state may get."""


class AttentionMechanism:
    """Scores a memory against a query: called with (query, state), it returns (alignments, next state)."""

    @property
    def alignments_size(self) -> Any:
        """The number of time steps of the memory."""
        raise NotImplementedError

    @property
    def state_size(self) -> Any:
        """The size of the state, a nest."""
        raise NotImplementedError


class StatedByAlignments(AttentionMechanism):
    """An attention mechanism whose state is its last alignments, over `_alignments_size` time steps."""

    _alignments_size: Any

    @property
    def alignments_size(self) -> Any:
        return self._alignments_size

    @property
    def state_size(self) -> Any:
        return self._alignments_size

    def initial_alignments(self, batch_size: Any, dtype: Any) -> Any:
        """Returns the alignments before the first step, zeros [batch, time]."""
        return zero_state(self._alignments_size, batch_size, dtype)

    def initial_state(self, batch_size: Any, dtype: Any) -> Any:
        """Returns the state before the first step: the initial alignments."""
        return self.initial_alignments(batch_size, dtype)


class BaseAttentionMechanism(StatedByAlignments):
    """An attention mechanism with a memory [batch, time, ...], its keys, and layers that project query and memory.

    `probability_fn(score, state)` turns scores [batch, time] into alignments. Time steps at and after
    `memory_sequence_length` have the score `score_mask_value`.

    Raises:
        TypeError: `query_layer` or `memory_layer` is not a layer.
        ValueError: the depth of the memory is unknown.
    """

    def __init__(
        self,
        query_layer: Any,
        memory: Any,
        probability_fn: Callable[[Any, Any], Any],
        memory_sequence_length: Any = None,
        memory_layer: Any = None,
        check_inner_dims_defined: bool = True,
        score_mask_value: Any = None,
        custom_key_value_fn: Callable[[Any, Any], Any] | None = None,
        name: str | None = None,
    ) -> None:
        for role, layer in (("query_layer", query_layer), ("memory_layer", memory_layer)):
            if layer is not None and not isinstance(layer, Layer):
                raise TypeError(f"{role} must be a layer of tf.layers, not {type(layer).__name__}")
        self._query_layer = query_layer
        self._memory_layer = memory_layer
        self.dtype = memory_layer.dtype
        if not callable(probability_fn):
            raise TypeError(f"probability_fn must be a function, not {type(probability_fn).__name__}")
        if score_mask_value is None:
            score_mask_value = tf.as_dtype(memory_layer.dtype).as_numpy_dtype(-np.inf)
        self._probability_fn: Callable[[Any, Any], Any] = lambda score, state: probability_fn(
            maybe_mask_score(score, memory_sequence_length, score_mask_value=score_mask_value), state
        )
        with v1.name_scope(name, "BaseAttentionMechanismInit", nest.flatten(memory)):
            self._values = prepare_memory(
                memory, memory_sequence_length, check_inner_dims_defined=check_inner_dims_defined
            )
            self._keys = self.memory_layer(self._values) if self.memory_layer else self._values
            _check_dtype(memory_layer, self._values)
            if custom_key_value_fn is not None:
                self._keys, self._values = custom_key_value_fn(self._keys, self._values)
            self._batch_size = length(self._keys, 0)
            self._alignments_size = length(self._keys, 1)

    def __call__(self, query: Any, state: Any = _MISSING, previous_alignments: Any = _MISSING) -> Any:
        """Returns (alignments [batch, time], next state) of `query` [batch, depth]. Both are the same tensor.

        Up to 1.4 the state is called `previous_alignments`, and only the alignments are returned.

        Raises:
            TypeError: the state is missing.
        """
        state = previous_alignments if state is _MISSING else state
        if state is _MISSING:
            missing = "previous_alignments" if early() else "state"
            raise TypeError(f"__call__() missing 1 required positional argument: '{missing}'")
        alignments = self._align(query, state)
        return alignments if early() else (alignments, alignments)

    def _align(self, query: Any, state: Any) -> Any:
        """Returns the alignments [batch, time] of `query` [batch, depth]."""
        raise NotImplementedError

    @property
    def memory_layer(self) -> Any:
        """The layer that projects the memory to keys."""
        return self._memory_layer

    @property
    def query_layer(self) -> Any:
        """The layer that projects queries, or None."""
        return self._query_layer

    @property
    def values(self) -> Any:
        """The memory, zero past the end of each sequence: [batch, time, ...]."""
        return self._values

    @property
    def keys(self) -> Any:
        """The keys that queries are compared with: [batch, time, units]."""
        return self._keys

    @property
    def batch_size(self) -> Any:
        """The number of sequences."""
        return self._batch_size


def prepare_memory(
    memory: Any,
    memory_sequence_length: Any = None,
    memory_mask: Any = None,
    check_inner_dims_defined: bool = True,
) -> Any:
    """Returns the nest `memory` as tensors, zero past the end of each sequence or where `memory_mask` is false.

    Raises:
        ValueError: a depth is unknown, or both a length and a mask are given.
    """
    memory = nest.map_structure(lambda tensor: tf.convert_to_tensor(tensor, name="memory"), memory)
    _not_both(memory_sequence_length, memory_mask)
    if memory_sequence_length is not None:
        memory_sequence_length = tf.convert_to_tensor(memory_sequence_length, name="memory_sequence_length")
    if check_inner_dims_defined:
        for tensor in nest.flatten(memory):
            if not tensor.get_shape()[2:].is_fully_defined():
                raise ValueError(
                    f"the memory {tensor.name} has the shape {tensor.get_shape()}: its dimensions after batch and time "
                    "must be known; call set_shape"
                )
    if memory_sequence_length is None and memory_mask is None:
        return memory
    first = nest.flatten(memory)[0]
    if memory_sequence_length is None:
        mask = v1.cast(memory_mask, dtype=first.dtype)
    else:
        mask = v1.sequence_mask(memory_sequence_length, maxlen=v1.shape(nest.flatten(memory)[0])[1], dtype=first.dtype)
    return nest.map_structure(lambda tensor: _masked(tensor, mask), memory)


def maybe_mask_score(
    score: Any, memory_sequence_length: Any = None, memory_mask: Any = None, score_mask_value: Any = None
) -> Any:
    """Returns `score` [batch, time], with `score_mask_value` past the end of each sequence or outside the mask."""
    if memory_sequence_length is None and memory_mask is None:
        return score
    _not_both(memory_sequence_length, memory_mask)
    if memory_sequence_length is not None:
        message = "All values in memory_sequence_length must be greater than zero."
        with tf.control_dependencies([v1.assert_positive(memory_sequence_length, message=message)]):
            memory_mask = v1.sequence_mask(memory_sequence_length, maxlen=v1.shape(score)[1])
    masked = score_mask_value * v1.ones_like(score)
    return v1.where(memory_mask, score, masked)


def _check_dtype(layer: Any, memory: Any) -> None:
    """Raises an error if a layer has another dtype than the memory: TensorFlow 2 would cast, 1.x refused."""
    given = memory.dtype.base_dtype
    if layer is not None and layer.dtype is not None and tf.as_dtype(layer.dtype) != given:
        raise TypeError(
            f"the memory is {given.name} and memory_layer {layer.dtype}: give the mechanism dtype={given!r}"
        )


def _not_both(lengths: Any, mask: Any) -> None:
    if lengths is not None and mask is not None:
        raise ValueError("give memory_sequence_length or memory_mask, not both")


def _masked(tensor: Any, mask: Any) -> Any:
    rank = tensor.get_shape().ndims
    ones = v1.ones((v1.rank(tensor) if rank is None else rank) - 2, dtype=tf.int32)
    return tensor * v1.reshape(mask, v1.concat((v1.shape(mask), ones), 0))
