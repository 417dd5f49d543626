"""Luong's and Bahdanau's attention (arXiv 1508.04025, 1409.0473; normalised as in arXiv 1602.07868)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.in_force import before
from tf2bridge.contrib.seq2seq.attention_wrapper.memory import BaseAttentionMechanism
from tf2bridge.contrib.seq2seq.cells import Dense, early

v1 = tf.compat.v1


def projection(units: int, name: str, dtype: Any) -> Any:
    """Returns the layer, without bias, that projects queries ("query_layer") or the memory ("memory_layer")."""
    return Dense(units, name=name, use_bias=False, dtype=tf.float32 if dtype is None else dtype)


def luong_score(query: Any, keys: Any, scale: Any) -> Any:
    """Returns the scores [batch, time] of `query` [batch, units] with `keys` [batch, time, units], times `scale`.

    Raises:
        ValueError: the numbers of units differ.
    """
    units, key_units = query.get_shape()[-1], keys.get_shape()[-1]
    if units != key_units:
        raise ValueError(
            f"the query {query} has {units} units and the keys {keys} have {key_units}: give the attention mechanism "
            "num_units equal to the query's"
        )
    score = v1.squeeze(v1.matmul(v1.expand_dims(query, 1), keys, transpose_b=True), [1])
    return score if scale is None else scale * score


def bahdanau_score(
    processed_query: Any, keys: Any, attention_v: Any, attention_g: Any = None, attention_b: Any = None
) -> Any:
    """Returns the scores [batch, time]: v tanh(keys + query), or the normalised form if g and b are given."""
    return _additive(v1.expand_dims(processed_query, 1), keys, attention_v, attention_g, attention_b)


def _additive(query: Any, keys: Any, attention_v: Any, attention_g: Any, attention_b: Any) -> Any:
    if attention_g is None or attention_b is None:
        return v1.reduce_sum(attention_v * v1.tanh(keys + query), [2])
    direction = attention_g * attention_v * v1.rsqrt(v1.reduce_sum(v1.square(attention_v)))
    return v1.reduce_sum(direction * v1.tanh(keys + query + attention_b), [2])


def scored(processed_query: Any, keys: Any, units: int, normalize: bool, dtype: Any) -> Any:
    """Returns `bahdanau_score` with new variables. Up to 1.13 they are made after the query gets its time axis."""
    if not before(1, 14):
        return bahdanau_score(processed_query, keys, *bahdanau_weights(units, normalize, dtype))
    query = v1.expand_dims(processed_query, 1)
    return _additive(query, keys, *bahdanau_weights(units, normalize, dtype))


def luong_gain(scaled: bool, dtype: Any) -> Any:
    """Returns the variable "attention_g", or None."""
    if not scaled:
        return None
    return _number("attention_g", 1.0, v1.ones_initializer, dtype)


def _number(name: str, value: float, initializer: Any, dtype: Any) -> Any:
    """Returns a scalar variable with the initial value `value`. Up to 1.4 the value itself was the initializer."""
    if early():
        return v1.get_variable(name, dtype=dtype, initializer=value)
    return v1.get_variable(name, dtype=dtype, initializer=initializer, shape=())


def bahdanau_weights(units: int, normalize: bool, dtype: Any) -> tuple[Any, Any, Any]:
    """Returns the variables attention_v, attention_g and attention_b; the last two are None without `normalize`."""
    direction = v1.get_variable("attention_v", [units], dtype=dtype)
    if not normalize:
        return direction, None, None
    root = math.sqrt(1.0 / units)
    gain = _number("attention_g", root, v1.constant_initializer(root), dtype)
    bias = v1.get_variable("attention_b", [units], dtype=dtype, initializer=v1.zeros_initializer())
    return direction, gain, bias


class LuongAttention(BaseAttentionMechanism):
    """Multiplicative attention. With `scale` the scores are multiplied by a trained factor.

    `probability_fn(score)` turns scores into alignments; the default is softmax. The query must have `num_units` units.
    """

    def __init__(
        self,
        num_units: int,
        memory: Any,
        memory_sequence_length: Any = None,
        scale: bool = False,
        probability_fn: Callable[[Any], Any] | None = None,
        score_mask_value: Any = None,
        dtype: Any = None,
        custom_key_value_fn: Callable[[Any, Any], Any] | None = None,
        name: str = "LuongAttention",
    ) -> None:
        probability = probability_fn or v1.nn.softmax
        super().__init__(
            query_layer=None,
            memory_layer=projection(num_units, "memory_layer", dtype),
            memory=memory,
            probability_fn=lambda score, _: probability(score),
            memory_sequence_length=memory_sequence_length,
            score_mask_value=score_mask_value,
            custom_key_value_fn=custom_key_value_fn,
            name=name,
        )
        self._num_units = num_units
        self._scale = scale
        self._name = name

    def _align(self, query: Any, state: Any) -> Any:
        with v1.variable_scope(None, "luong_attention", [query]):
            score = luong_score(query, self._keys, luong_gain(self._scale, query.dtype))
        return self._probability_fn(score, state)


class BahdanauAttention(BaseAttentionMechanism):
    """Additive attention. With `normalize` it has its weight-normalised form."""

    def __init__(
        self,
        num_units: int,
        memory: Any,
        memory_sequence_length: Any = None,
        normalize: bool = False,
        probability_fn: Callable[[Any], Any] | None = None,
        score_mask_value: Any = None,
        dtype: Any = None,
        custom_key_value_fn: Callable[[Any, Any], Any] | None = None,
        name: str = "BahdanauAttention",
    ) -> None:
        probability = probability_fn or v1.nn.softmax
        super().__init__(
            query_layer=projection(num_units, "query_layer", dtype),
            memory_layer=projection(num_units, "memory_layer", dtype),
            memory=memory,
            probability_fn=lambda score, _: probability(score),
            custom_key_value_fn=custom_key_value_fn,
            memory_sequence_length=memory_sequence_length,
            score_mask_value=score_mask_value,
            name=name,
        )
        self._num_units = num_units
        self._normalize = normalize
        self._name = name

    def _align(self, query: Any, state: Any) -> Any:
        with v1.variable_scope(None, "bahdanau_attention", [query]):
            processed = self.query_layer(query) if self.query_layer else query
            score = scored(processed, self._keys, self._num_units, self._normalize, query.dtype)
        return self._probability_fn(score, state)


def hardmax(logits: Any, name: str | None = None) -> Any:
    """Returns one-hot vectors [..., classes] of the positions of the largest `logits`."""
    with v1.name_scope(name, "Hardmax", [logits]):
        logits = tf.convert_to_tensor(logits, name="logits")
        depth = tf.compat.dimension_value(logits.get_shape()[-1])
        if depth is None:
            depth = v1.shape(logits)[-1]
        return v1.one_hot(v1.argmax(logits, -1), depth, dtype=logits.dtype)
