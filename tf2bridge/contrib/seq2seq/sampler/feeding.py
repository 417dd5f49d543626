"""Samplers: the helpers of decoders that are layers, such as `BasicDecoderV2`. A call gives them their tensors."""

# ruff: noqa: ARG002  # the parameters are those of the interface
from __future__ import annotations

import abc
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.seq2seq.cells import transpose_batch_time
from tf2bridge.contrib.seq2seq.helper.feeding import one_tensor, unstacked
from tf2bridge.contrib.seq2seq.helper.sampling import CustomSamples, Samples, ScalarSamples, categorical_sample

v1 = tf.compat.v1
nest = tf.nest


class Sampler(Samples):
    """Samples from outputs, and returns the next inputs."""

    @abc.abstractmethod
    def initialize(self, inputs: Any, **kwargs: Any) -> Any:
        """Returns (finished [batch], first inputs)."""

    @abc.abstractmethod
    def sample(self, time: Any, outputs: Any, state: Any) -> Any:
        """Returns the sample drawn from `outputs`."""

    @abc.abstractmethod
    def next_inputs(self, time: Any, outputs: Any, state: Any, sample_ids: Any) -> Any:
        """Returns (finished [batch], next inputs, next state)."""


class CustomSampler(CustomSamples, Sampler):
    """A sampler made of three functions."""

    def initialize(self, inputs: Any, **kwargs: Any) -> Any:
        finished, following = self._initialize_fn(inputs, **kwargs)
        if self._batch_size is None:
            self._batch_size = v1.size(finished)
        return finished, following

    def sample(self, time: Any, outputs: Any, state: Any) -> Any:
        return self._sample_fn(time=time, outputs=outputs, state=state)

    def next_inputs(self, time: Any, outputs: Any, state: Any, sample_ids: Any) -> Any:
        return self._next_inputs_fn(time=time, outputs=outputs, state=state, sample_ids=sample_ids)


class TrainingSampler(ScalarSamples, Sampler):
    """Feeds given sequences. A sample is the position of the largest output."""

    def __init__(self, time_major: bool = False) -> None:
        self.time_major = time_major

    def initialize(self, inputs: Any, sequence_length: Any = None) -> Any:  # type: ignore[override]  # as genuine
        """Returns (finished [batch], first inputs), and stores `inputs` [batch, time, ...] for the next steps.

        Raises:
            ValueError: `sequence_length` is not a vector.
        """
        self.inputs = tf.convert_to_tensor(inputs, name="inputs")
        if not self.time_major:
            inputs = nest.map_structure(transpose_batch_time, inputs)
        self.input_tas = nest.map_structure(unstacked, inputs)
        if sequence_length is None:
            raise ValueError("sequence_length is required; give the decoder sequence_length= in its call")
        self.sequence_length = tf.convert_to_tensor(sequence_length, name="sequence_length")
        shape = self.sequence_length.get_shape()
        if shape.ndims != 1:
            raise ValueError(f"sequence_length must be a vector [batch], not of shape {shape}")
        self.zero_inputs = nest.map_structure(lambda steps: v1.zeros_like(steps[0, :]), inputs)
        self._batch_size = v1.size(self.sequence_length)
        finished = v1.equal(0, self.sequence_length)
        return finished, self._inputs_at(0, finished)

    def sample(self, time: Any, outputs: Any, state: Any) -> Any:
        return v1.cast(v1.argmax(outputs, axis=-1), tf.int32)

    def next_inputs(self, time: Any, outputs: Any, state: Any, sample_ids: Any) -> Any:
        following = time + 1
        finished = following >= self.sequence_length
        return finished, self._inputs_at(following, finished), state

    def _inputs_at(self, time: Any, finished: Any) -> Any:
        return v1.cond(
            v1.reduce_all(finished),
            lambda: self.zero_inputs,
            lambda: nest.map_structure(lambda array: array.read(time), self.input_tas),
        )


class GreedyEmbeddingSampler(ScalarSamples, Sampler):
    """Feeds the embedding of the most likely symbol, until it is the end token."""

    def __init__(self, embedding_fn: Callable[[Any], Any] | None = None) -> None:
        self.embedding_fn = checked_embedding(embedding_fn)

    def initialize(  # type: ignore[override]  # as genuine
        self, embedding: Any, start_tokens: Any = None, end_token: Any = None
    ) -> Any:
        """Returns (finished [batch], embeddings of `start_tokens` [batch]).

        Raises:
            ValueError: `start_tokens` is not a vector, or `end_token` is not a scalar.
        """
        if self.embedding_fn is None:
            self.embedding_fn = lambda ids: v1.nn.embedding_lookup(embedding, ids)
        self.start_tokens = tf.convert_to_tensor(start_tokens, dtype=tf.int32, name="start_tokens")
        self.end_token = tf.convert_to_tensor(end_token, dtype=tf.int32, name="end_token")
        if self.start_tokens.get_shape().ndims != 1:
            raise ValueError(f"start_tokens must be a vector [batch], not {self.start_tokens}")
        self._batch_size = v1.size(start_tokens)
        if self.end_token.get_shape().ndims != 0:
            raise ValueError(f"end_token must be a scalar, not {self.end_token}")
        self.start_inputs = self.embedding_fn(self.start_tokens)
        return v1.tile([False], [self._batch_size]), self.start_inputs

    def sample(self, time: Any, outputs: Any, state: Any) -> Any:
        return v1.argmax(one_tensor(outputs), axis=-1, output_type=tf.int32)

    def next_inputs(self, time: Any, outputs: Any, state: Any, sample_ids: Any) -> Any:
        finished = v1.equal(sample_ids, self.end_token)
        inputs = v1.cond(v1.reduce_all(finished), lambda: self.start_inputs, lambda: self.embedding_fn(sample_ids))
        return finished, inputs, state


class SampleEmbeddingSampler(GreedyEmbeddingSampler):
    """Feeds the embedding of a symbol that is drawn with the probabilities of the outputs."""

    def __init__(
        self,
        embedding_fn: Callable[[Any], Any] | None = None,
        softmax_temperature: Any = None,
        seed: int | None = None,
    ) -> None:
        super().__init__(embedding_fn)
        self.softmax_temperature = softmax_temperature
        self.seed = seed

    def sample(self, time: Any, outputs: Any, state: Any) -> Any:
        logits = one_tensor(outputs)
        if self.softmax_temperature is not None:
            logits = logits / self.softmax_temperature
        return categorical_sample(logits=logits, seed=self.seed)


class InferenceSampler(ScalarSamples, Sampler):
    """Feeds `next_inputs_fn(samples)`, with samples of `sample_fn`, until `end_fn` returns True."""

    def __init__(
        self,
        sample_fn: Callable[[Any], Any],
        sample_shape: Any,
        sample_dtype: Any,
        end_fn: Callable[[Any], Any],
        next_inputs_fn: Callable[[Any], Any] | None = None,
    ) -> None:
        self.sample_fn = sample_fn
        self.sample_shape = tf.TensorShape(sample_shape)
        self.sample_dtype = sample_dtype
        self.end_fn = end_fn
        self.next_inputs_fn = next_inputs_fn

    @property
    def sample_ids_shape(self) -> Any:
        return self.sample_shape

    @property
    def sample_ids_dtype(self) -> Any:
        return self.sample_dtype

    def initialize(self, start_inputs: Any) -> Any:  # type: ignore[override]  # as genuine
        """Returns (finished [batch], `start_inputs` [batch, ...])."""
        self.start_inputs = tf.convert_to_tensor(start_inputs, name="start_inputs")
        self._batch_size = v1.shape(start_inputs)[0]
        return v1.tile([False], [self._batch_size]), self.start_inputs

    def sample(self, time: Any, outputs: Any, state: Any) -> Any:
        return self.sample_fn(outputs)

    def next_inputs(self, time: Any, outputs: Any, state: Any, sample_ids: Any) -> Any:
        inputs = sample_ids if self.next_inputs_fn is None else self.next_inputs_fn(sample_ids)
        return self.end_fn(sample_ids), inputs, state


def checked_embedding(embedding_fn: Any) -> Any:
    """Returns `embedding_fn`. Raises ValueError unless it is a function or None."""
    if embedding_fn is None or callable(embedding_fn):
        return embedding_fn
    raise ValueError(
        f"embedding_fn must be a function of ids, not {type(embedding_fn)}; a tensor is given in the decoder's call"
    )
