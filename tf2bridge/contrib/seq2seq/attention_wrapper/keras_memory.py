"""The base of attention mechanisms that are layers: called first with the memory, then with queries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.behaviour.installed import supplier
from tf2bridge.contrib.seq2seq.attention_wrapper.mechanisms import hardmax
from tf2bridge.contrib.seq2seq.attention_wrapper.memory import StatedByAlignments, maybe_mask_score, prepare_memory
from tf2bridge.contrib.seq2seq.cells import KerasLayer, length

v1 = tf.compat.v1
nest = tf.nest

_INNER = ("query_layer", "memory_layer")


class BaseAttentionMechanismV2(StatedByAlignments, KerasLayer):  # type: ignore[misc]  # tf_keras has no types
    """An attention mechanism that is a layer: called with [query, state], it returns (alignments, next state).

    The constructor takes the memory. With `memory=None` the layer must first be called as
    `layer(memory, setup_memory=True)`, where `memory` is [batch, time, depth], or a list of it and lengths [batch]. A
    Keras mask of the memory, such as that of an Embedding with `mask_zero`, is applied too.

    Raises:
        TypeError: `query_layer` or `memory_layer` is not a layer.
        ValueError: the layer is called before it has a memory.
    """

    def __init__(
        self,
        memory: Any,
        probability_fn: Callable[[Any, Any], Any],
        query_layer: Any = None,
        memory_layer: Any = None,
        memory_sequence_length: Any = None,
        **kwargs: Any,
    ) -> None:
        for role, layer in (("query_layer", query_layer), ("memory_layer", memory_layer)):
            if layer is not None and not isinstance(layer, KerasLayer):
                raise TypeError(f"{role} must be a layer of tf.keras, not {type(layer).__name__}")
        if memory_layer is not None and "dtype" not in kwargs:
            kwargs["dtype"] = memory_layer.dtype
        super().__init__(**kwargs)
        self.query_layer = query_layer
        self.memory_layer = memory_layer
        if not callable(probability_fn):
            raise TypeError(f"probability_fn must be a function, not {type(probability_fn).__name__}")
        self.probability_fn = self._unmasked = probability_fn
        self.keys = None
        self.values = None
        self.batch_size = None
        self._memory_initialized = False
        self._check_inner_dims_defined = True
        self.supports_masking = True
        self.score_mask_value = tf.as_dtype(self.dtype).as_numpy_dtype(-np.inf)
        if memory is not None:
            inputs = memory if memory_sequence_length is None else [memory, memory_sequence_length]
            self.values = super().__call__(inputs, setup_memory=True)

    def build(self, input_shape: Any) -> None:
        """Builds the memory layer, or the query layer if the memory is set up."""
        if self._memory_initialized:
            layer, shape = self.query_layer, input_shape[0]
        else:
            layer, shape = self.memory_layer, input_shape[0] if isinstance(input_shape, list) else input_shape
        if layer is not None and not layer.built:
            layer.build(shape)

    def __call__(self, inputs: Any, **kwargs: Any) -> Any:
        """Returns (alignments [batch, time], next state) of [query, state], or the memory with `setup_memory`."""
        if kwargs.get("setup_memory"):
            self._memory_initialized = False  # a tf.keras model repeats the calls of its layers in its own graph
        if self._memory_initialized:
            _check_count(inputs)
            if len(inputs) == 2:
                inputs.append(self.values)  # otherwise a Keras model does not find the inputs of the memory
        return super().__call__(inputs, **kwargs)

    def call(self, inputs: Any, mask: Any = None, setup_memory: bool = False, **_: Any) -> Any:
        """See `__call__`."""
        if not setup_memory:
            if not self._memory_initialized:
                raise ValueError("the attention has no memory yet: give it memory=, or call it with setup_memory=True")
            _check_count(inputs)
            return self._calculate_attention(inputs[0], inputs[1])
        parts = inputs if isinstance(inputs, list) else [inputs]
        if len(parts) not in (1, 2):
            raise ValueError(f"the memory is given as [memory] or [memory, lengths], not as {len(parts)} tensors")
        self._setup_memory(parts[0], parts[1] if len(parts) == 2 else None, memory_mask=mask)
        self.built = False  # the layer is built again for the query
        return self.values

    def _setup_memory(self, memory: Any, memory_sequence_length: Any = None, memory_mask: Any = None) -> None:
        with v1.name_scope(self.name, "BaseAttentionMechanismInit", nest.flatten(memory)):
            self.values = prepare_memory(
                memory,
                memory_sequence_length=memory_sequence_length,
                memory_mask=memory_mask,
                check_inner_dims_defined=self._check_inner_dims_defined,
            )
            supplier("tf_keras.src.engine.base_layer_utils").mark_checked(self.values)
            self.keys = self.values if self.memory_layer is None else self.memory_layer(self.values)
            self.batch_size = length(self.keys, 0)
            self._alignments_size = length(self.keys, 1)
            if memory_mask is not None:
                self.probability_fn = self._masked(memory_mask)
        self._memory_initialized = True

    def _masked(self, mask: Any) -> Callable[[Any, Any], Any]:
        def masked(score: Any, state: Any) -> Any:
            known = maybe_mask_score(score, memory_mask=mask, score_mask_value=self.score_mask_value)
            return self._unmasked(known, state)

        return masked

    def _calculate_attention(self, query: Any, state: Any) -> tuple[Any, Any]:
        raise NotImplementedError("a subclass implements _calculate_attention(query, state)")

    def compute_mask(self, inputs: Any, mask: Any = None) -> tuple[None, None]:  # noqa: ARG002  # Keras' parameters
        """Returns None for both results: only the memory has a mask."""
        return None, None

    def get_config(self) -> dict[str, Any]:
        """Returns the config for `from_config`, in which the memory is None."""
        config = {}
        for role in _INNER:
            layer = getattr(self, role)
            if layer is not None:
                config[role] = {"class_name": type(layer).__name__, "config": layer.get_config()}
        return {**super().get_config(), **config, "memory": None}

    @classmethod
    def from_config(cls, config: Any, custom_objects: Any = None) -> Any:
        """Returns the mechanism that `get_config` describes, without a memory."""
        made = supplier("tf_keras").layers.deserialize
        known = {role: made(config[role], custom_objects=custom_objects) for role in _INNER if config.get(role)}
        return cls(**{**config, **known})


def probability_function(name: str) -> Callable[[Any, Any], Any]:
    """Returns the function (scores, state) of the name "softmax" or "hardmax". Raises ValueError for other names."""
    known: dict[str, Callable[[Any], Any]] = {"softmax": v1.nn.softmax, "hardmax": hardmax}
    if name not in known:
        raise ValueError(f'probability_fn must be "softmax" or "hardmax", not {name!r}')
    return lambda score, _: known[name](score)


def _check_count(inputs: Any) -> None:
    if len(inputs) not in (2, 3):
        raise ValueError(f"the attention is called with [query, state], not with {len(inputs)} tensors")
