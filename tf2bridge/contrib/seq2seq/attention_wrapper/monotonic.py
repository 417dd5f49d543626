"""Monotonic attention, which never goes back in the memory (arXiv 1704.00784)."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.contrib.seq2seq.attention_wrapper.mechanisms import luong_gain, luong_score, projection, scored
from tf2bridge.contrib.seq2seq.attention_wrapper.memory import BaseAttentionMechanism
from tf2bridge.contrib.seq2seq.cells import length

v1 = tf.compat.v1


def safe_cumprod(x: Any, *args: Any, **kwargs: Any) -> Any:
    """Returns the cumulative product of `x` in [0, 1], by logarithms. The other arguments are those of `cumsum`."""
    with v1.name_scope(None, "SafeCumprod", [x]):
        x = tf.convert_to_tensor(x, name="x")
        tiny = np.finfo(x.dtype.as_numpy_dtype).tiny
        return v1.exp(v1.cumsum(v1.log(v1.clip_by_value(x, tiny, 1)), *args, **kwargs))


def monotonic_attention(p_choose_i: Any, previous_attention: Any, mode: str) -> Any:
    """Returns the attention [batch, time] if each time step is chosen with probability `p_choose_i` [batch, time].

    `mode` is "recursive" (exact, by a loop), "parallel" (by cumulative products) or "hard" (probabilities 0 and 1).

    Raises:
        ValueError: the mode is unknown.
    """
    chosen = tf.convert_to_tensor(p_choose_i, name="p_choose_i")
    previous = tf.convert_to_tensor(previous_attention, name="previous_attention")
    if mode == "recursive":
        return _recursive(chosen, previous)
    if mode == "parallel":
        passed = safe_cumprod(1 - chosen, axis=1, exclusive=True)
        # The lower bound keeps the quotient finite.
        return chosen * passed * v1.cumsum(previous / v1.clip_by_value(passed, 1e-10, 1.0), axis=1)
    if mode == "hard":
        chosen = chosen * v1.cumsum(previous, axis=1)
        return chosen * v1.cumprod(1 - chosen, axis=1, exclusive=True)
    raise ValueError(f'mode must be "recursive", "parallel" or "hard", not {mode!r}')


def _recursive(chosen: Any, previous: Any) -> Any:
    batch = length(chosen, 0)
    passed = v1.concat([v1.ones((batch, 1)), 1 - chosen[:, :-1]], 1)
    reached = v1.scan(
        lambda x, step: v1.reshape(step[0] * x + step[1], (batch,)),
        [v1.transpose(passed), v1.transpose(previous)],
        v1.zeros((batch,)),
    )
    return chosen * v1.transpose(reached)


def monotonic_probability_fn(
    score: Any, previous_alignments: Any, sigmoid_noise: float, mode: str, seed: int | None = None
) -> Any:
    """Returns the alignments of `score` [batch, time] after adding normal noise of deviation `sigmoid_noise`."""
    if sigmoid_noise > 0:
        noise = v1.random_normal(v1.shape(score), dtype=score.dtype, seed=seed)
        score += sigmoid_noise * noise
    chosen = v1.cast(score > 0, score.dtype) if mode == "hard" else v1.sigmoid(score)
    return monotonic_attention(chosen, previous_alignments, mode)


class BaseMonotonicAttentionMechanism(BaseAttentionMechanism):
    """An attention mechanism that starts at the first step of the memory."""

    def initial_alignments(self, batch_size: Any, dtype: Any) -> Any:
        """Returns the alignments before the first step, [batch, time]: 1 for the first step of the memory."""
        first = v1.zeros((batch_size,), dtype=tf.int32)
        return v1.one_hot(first, self._alignments_size, dtype=dtype)


class BahdanauMonotonicAttention(BaseMonotonicAttentionMechanism):
    """Monotonic attention with Bahdanau's scores and a trained bias, initially `score_bias_init`."""

    def __init__(
        self,
        num_units: int,
        memory: Any,
        memory_sequence_length: Any = None,
        normalize: bool = False,
        score_mask_value: Any = None,
        sigmoid_noise: float = 0.0,
        sigmoid_noise_seed: int | None = None,
        score_bias_init: float = 0.0,
        mode: str = "parallel",
        dtype: Any = None,
        name: str = "BahdanauMonotonicAttention",
    ) -> None:
        super().__init__(
            query_layer=projection(num_units, "query_layer", dtype),
            memory_layer=projection(num_units, "memory_layer", dtype),
            memory=memory,
            probability_fn=functools.partial(
                monotonic_probability_fn, sigmoid_noise=sigmoid_noise, mode=mode, seed=sigmoid_noise_seed
            ),
            memory_sequence_length=memory_sequence_length,
            score_mask_value=score_mask_value,
            name=name,
        )
        self._num_units = num_units
        self._normalize = normalize
        self._name = name
        self._score_bias_init = score_bias_init

    def _align(self, query: Any, state: Any) -> Any:
        with v1.variable_scope(None, "bahdanau_monotonic_attention", [query]):
            processed = self.query_layer(query) if self.query_layer else query
            score = scored(processed, self._keys, self._num_units, self._normalize, query.dtype)
            score += _bias(processed.dtype, self._score_bias_init)
        return self._probability_fn(score, state)


class LuongMonotonicAttention(BaseMonotonicAttentionMechanism):
    """Monotonic attention with Luong's scores and a trained bias, initially `score_bias_init`."""

    def __init__(
        self,
        num_units: int,
        memory: Any,
        memory_sequence_length: Any = None,
        scale: bool = False,
        score_mask_value: Any = None,
        sigmoid_noise: float = 0.0,
        sigmoid_noise_seed: int | None = None,
        score_bias_init: float = 0.0,
        mode: str = "parallel",
        dtype: Any = None,
        name: str = "LuongMonotonicAttention",
    ) -> None:
        super().__init__(
            query_layer=None,
            memory_layer=projection(num_units, "memory_layer", dtype),
            memory=memory,
            probability_fn=functools.partial(
                monotonic_probability_fn, sigmoid_noise=sigmoid_noise, mode=mode, seed=sigmoid_noise_seed
            ),
            memory_sequence_length=memory_sequence_length,
            score_mask_value=score_mask_value,
            name=name,
        )
        self._num_units = num_units
        self._scale = scale
        self._score_bias_init = score_bias_init
        self._name = name

    def _align(self, query: Any, state: Any) -> Any:
        with v1.variable_scope(None, "luong_monotonic_attention", [query]):
            score = luong_score(query, self._keys, luong_gain(self._scale, query.dtype))
            score += _bias(query.dtype, self._score_bias_init)
        return self._probability_fn(score, state)


def _bias(dtype: Any, initial: float) -> Any:
    return v1.get_variable("attention_score_bias", dtype=dtype, initializer=initial)
