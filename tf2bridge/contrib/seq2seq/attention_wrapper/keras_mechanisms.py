"""Luong's and Bahdanau's attention, and their monotonic forms, as layers."""

from __future__ import annotations

import functools
import math
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.installed import supplier
from tf2bridge.contrib.seq2seq.attention_wrapper.keras_memory import BaseAttentionMechanismV2, probability_function
from tf2bridge.contrib.seq2seq.attention_wrapper.mechanisms import bahdanau_score, luong_score
from tf2bridge.contrib.seq2seq.attention_wrapper.monotonic import monotonic_probability_fn

v1 = tf.compat.v1


class _Scoring(BaseAttentionMechanismV2):
    """A mechanism made of scores and `probability_fn`."""

    attention_score_bias: Any = None

    def _add_bias(self) -> None:
        """Adds the bias of the scores, which only monotonic attention has."""

    def _score(self, query: Any) -> Any:
        raise NotImplementedError

    def _calculate_attention(self, query: Any, state: Any) -> tuple[Any, Any]:
        score = self._score(query)
        if self.attention_score_bias is not None:
            score += self.attention_score_bias
        alignments = self.probability_fn(score, state)
        return alignments, alignments


class _Luong(_Scoring):
    """Multiplicative scores. With `scale` they are multiplied by a trained factor."""

    attention_g: Any = None

    def __init__(self, units: int, scale: bool, dtype: Any, **kwargs: Any) -> None:
        self.units = units  # before the base, which builds the layer for the memory
        self.scale = scale
        dtype = tf.float32 if dtype is None else dtype
        memory_layer = kwargs.pop("memory_layer", None) or _projection(units, "memory_layer", dtype)
        super().__init__(query_layer=None, memory_layer=memory_layer, dtype=dtype, **kwargs)

    def build(self, input_shape: Any) -> None:
        super().build(input_shape)
        if self.scale and self.attention_g is None:
            self.attention_g = self.add_weight("attention_g", initializer=v1.ones_initializer, shape=())
        self._add_bias()
        self.built = True

    def _score(self, query: Any) -> Any:
        return luong_score(query, self.keys, self.attention_g)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "units": self.units, "scale": self.scale}


class _Bahdanau(_Scoring):
    """Additive scores. With `normalize` they have their weight-normalised form."""

    attention_v: Any = None
    attention_g: Any = None
    attention_b: Any = None

    def __init__(self, units: int, normalize: bool, kernel_initializer: Any, dtype: Any, **kwargs: Any) -> None:
        self.units = units  # before the base, which builds the layer for the memory
        self.normalize = normalize
        self.kernel_initializer = supplier("tf_keras").initializers.get(kernel_initializer)
        dtype = tf.float32 if dtype is None else dtype
        query_layer = kwargs.pop("query_layer", None) or _projection(units, "query_layer", dtype)
        memory_layer = kwargs.pop("memory_layer", None) or _projection(units, "memory_layer", dtype)
        super().__init__(query_layer=query_layer, memory_layer=memory_layer, dtype=dtype, **kwargs)

    def build(self, input_shape: Any) -> None:
        super().build(input_shape)
        if self.attention_v is None:
            self.attention_v = self.add_weight("attention_v", [self.units], initializer=self.kernel_initializer)
        self._add_bias()
        if self.normalize and self.attention_g is None:
            root = v1.constant_initializer(math.sqrt(1.0 / self.units))
            self.attention_g = self.add_weight("attention_g", initializer=root, shape=())
            self.attention_b = self.add_weight("attention_b", [self.units], initializer=v1.zeros_initializer())
        self.built = True

    def _score(self, query: Any) -> Any:
        processed = self.query_layer(query) if self.query_layer else query
        return bahdanau_score(processed, self.keys, self.attention_v, self.attention_g, self.attention_b)

    def get_config(self) -> dict[str, Any]:
        kernel = supplier("tf_keras").initializers.serialize(self.kernel_initializer)
        config = {"units": self.units, "normalize": self.normalize, "kernel_initializer": kernel}
        return {**super().get_config(), **config}


class LuongAttentionV2(_Luong):
    """Multiplicative attention. `probability_fn` is "softmax" or "hardmax". The query must have `units` units."""

    def __init__(
        self,
        units: int,
        memory: Any,
        memory_sequence_length: Any = None,
        scale: bool = False,
        probability_fn: str = "softmax",
        dtype: Any = None,
        name: str = "LuongAttention",
        **kwargs: Any,
    ) -> None:
        self.probability_fn_name = probability_fn
        super().__init__(
            units,
            scale,
            dtype,
            memory=memory,
            memory_sequence_length=memory_sequence_length,
            probability_fn=probability_function(probability_fn),
            name=name,
            **kwargs,
        )

    def get_config(self) -> dict[str, Any]:
        """Returns what `from_config` needs."""
        return {**super().get_config(), "probability_fn": self.probability_fn_name}


class BahdanauAttentionV2(_Bahdanau):
    """Additive attention. `probability_fn` is "softmax" or "hardmax"."""

    def __init__(
        self,
        units: int,
        memory: Any,
        memory_sequence_length: Any = None,
        normalize: bool = False,
        probability_fn: str = "softmax",
        kernel_initializer: Any = "glorot_uniform",
        dtype: Any = None,
        name: str = "BahdanauAttention",
        **kwargs: Any,
    ) -> None:
        self.probability_fn_name = probability_fn
        super().__init__(
            units,
            normalize,
            kernel_initializer,
            dtype,
            memory=memory,
            memory_sequence_length=memory_sequence_length,
            probability_fn=probability_function(probability_fn),
            name=name,
            **kwargs,
        )

    def get_config(self) -> dict[str, Any]:
        """Returns what `from_config` needs."""
        return {**super().get_config(), "probability_fn": self.probability_fn_name}


class BaseMonotonicAttentionMechanismV2(_Scoring):
    """A mechanism that starts at the first step of the memory, and chooses steps by the sigmoids of their scores."""

    _MONOTONIC = ("sigmoid_noise", "sigmoid_noise_seed", "score_bias_init", "mode")

    def _choose(self, noise: float, seed: int | None, bias: float, mode: str) -> Any:
        """Stores the arguments and returns the probability function. Must be called before the layer is set up."""
        for name, value in zip(self._MONOTONIC, (noise, seed, bias, mode), strict=True):
            setattr(self, name, value)
        return functools.partial(monotonic_probability_fn, sigmoid_noise=noise, mode=mode, seed=seed)

    def _add_bias(self) -> None:
        if self.attention_score_bias is None:
            initial = v1.constant_initializer(self.score_bias_init, dtype=self.dtype)
            self.attention_score_bias = self.add_weight("attention_score_bias", shape=(), initializer=initial)

    def initial_alignments(self, batch_size: Any, dtype: Any) -> Any:
        """Returns the alignments before the first step, [batch, time]: 1 for the first step of the memory."""
        return v1.one_hot(v1.zeros((batch_size,), dtype=tf.int32), self._alignments_size, dtype=dtype)

    def get_config(self) -> dict[str, Any]:
        """Returns what `from_config` needs."""
        return {**super().get_config(), **{name: getattr(self, name) for name in self._MONOTONIC}}


class BahdanauMonotonicAttentionV2(BaseMonotonicAttentionMechanismV2, _Bahdanau):
    """Monotonic attention with Bahdanau's scores and a trained bias, initially `score_bias_init`."""

    def __init__(
        self,
        units: int,
        memory: Any,
        memory_sequence_length: Any = None,
        normalize: bool = False,
        sigmoid_noise: float = 0.0,
        sigmoid_noise_seed: int | None = None,
        score_bias_init: float = 0.0,
        mode: str = "parallel",
        kernel_initializer: Any = "glorot_uniform",
        dtype: Any = None,
        name: str = "BahdanauMonotonicAttention",
        **kwargs: Any,
    ) -> None:
        probability_fn = self._choose(sigmoid_noise, sigmoid_noise_seed, score_bias_init, mode)
        _Bahdanau.__init__(
            self,
            units,
            normalize,
            kernel_initializer,
            dtype,
            memory=memory,
            memory_sequence_length=memory_sequence_length,
            probability_fn=probability_fn,
            name=name,
            **kwargs,
        )


class LuongMonotonicAttentionV2(BaseMonotonicAttentionMechanismV2, _Luong):
    """Monotonic attention with Luong's scores and a trained bias, initially `score_bias_init`."""

    def __init__(
        self,
        units: int,
        memory: Any,
        memory_sequence_length: Any = None,
        scale: bool = False,
        sigmoid_noise: float = 0.0,
        sigmoid_noise_seed: int | None = None,
        score_bias_init: float = 0.0,
        mode: str = "parallel",
        dtype: Any = None,
        name: str = "LuongMonotonicAttention",
        **kwargs: Any,
    ) -> None:
        probability_fn = self._choose(sigmoid_noise, sigmoid_noise_seed, score_bias_init, mode)
        _Luong.__init__(
            self,
            units,
            scale,
            dtype,
            memory=memory,
            memory_sequence_length=memory_sequence_length,
            probability_fn=probability_fn,
            name=name,
            **kwargs,
        )


def _projection(units: int, name: str, dtype: Any) -> Any:
    """Returns the layer, without bias, that projects queries or the memory."""
    return supplier("tf_keras").layers.Dense(units, name=name, use_bias=False, dtype=dtype)
