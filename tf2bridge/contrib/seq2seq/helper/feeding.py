"""Helpers, which sample from the outputs of a `BasicDecoder` and choose its next inputs."""

# ruff: noqa: ARG002  # the parameters are those of the interface
from __future__ import annotations

import abc
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.seq2seq.cells import early, transpose_batch_time
from tf2bridge.contrib.seq2seq.helper.sampling import CustomSamples, Samples, ScalarSamples, categorical_sample

v1 = tf.compat.v1
nest = tf.nest


class Helper(Samples):
    """Samples from outputs, and returns the next inputs."""

    @abc.abstractmethod
    def initialize(self, name: str | None = None) -> Any:
        """Returns (finished [batch], first inputs)."""

    @abc.abstractmethod
    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None) -> Any:
        """Returns the sample drawn from `outputs`."""

    @abc.abstractmethod
    def next_inputs(self, time: Any, outputs: Any, state: Any, sample_ids: Any, name: str | None = None) -> Any:
        """Returns (finished [batch], next inputs, next state)."""


class CustomHelper(CustomSamples, Helper):
    """A helper made of three functions."""

    def initialize(self, name: str | None = None) -> Any:
        with v1.name_scope(name, f"{type(self).__name__}Initialize"):
            finished, inputs = self._initialize_fn()
            if self._batch_size is None:
                self._batch_size = v1.size(finished)
        return finished, inputs

    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None) -> Any:
        with v1.name_scope(name, f"{type(self).__name__}Sample", (time, outputs, state)):
            return self._sample_fn(time=time, outputs=outputs, state=state)

    def next_inputs(self, time: Any, outputs: Any, state: Any, sample_ids: Any, name: str | None = None) -> Any:
        with v1.name_scope(name, f"{type(self).__name__}NextInputs", (time, outputs, state)):
            return self._next_inputs_fn(time=time, outputs=outputs, state=state, sample_ids=sample_ids)


def unstacked(inputs: Any) -> Any:
    """Returns `inputs` [time, ...] as a TensorArray of its steps."""
    array = tf.TensorArray(dtype=inputs.dtype, size=v1.shape(inputs)[0], element_shape=inputs.get_shape()[1:])
    return array.unstack(inputs)


class TrainingHelper(ScalarSamples, Helper):
    """Feeds the sequences `inputs` [batch, time, ...]. A sample is the position of the largest output.

    Raises:
        ValueError: `sequence_length` is not a vector.
    """

    def __init__(self, inputs: Any, sequence_length: Any, time_major: bool = False, name: str | None = None) -> None:
        with v1.name_scope(name, "TrainingHelper", [inputs, sequence_length]):
            inputs = tf.convert_to_tensor(inputs, name="inputs")
            self._inputs = inputs
            if not time_major:
                inputs = nest.map_structure(transpose_batch_time, inputs)
            self._input_tas = nest.map_structure(unstacked, inputs)
            self._sequence_length = tf.convert_to_tensor(sequence_length, name="sequence_length")
            if self._sequence_length.get_shape().ndims != 1:
                shape = self._sequence_length.get_shape()
                raise ValueError(f"sequence_length must be a vector [batch], not of shape {shape}")
            self._zero_inputs = nest.map_structure(lambda steps: v1.zeros_like(steps[0, :]), inputs)
            self._batch_size = v1.size(sequence_length)

    @property
    def inputs(self) -> Any:
        """The sequences that are fed."""
        return self._inputs

    @property
    def sequence_length(self) -> Any:
        """The length of each sequence."""
        return self._sequence_length

    def initialize(self, name: str | None = None) -> Any:
        with v1.name_scope(name, "TrainingHelperInitialize"):
            finished = v1.equal(0, self._sequence_length)
            return finished, self._inputs_at(0, v1.reduce_all(finished))

    def sample(  # type: ignore[override]  # as genuine
        self, time: Any, outputs: Any, name: str | None = None, **unused_kwargs: Any
    ) -> Any:
        with v1.name_scope(name, "TrainingHelperSample", [time, outputs]):
            return v1.cast(v1.argmax(outputs, axis=-1), tf.int32)

    def next_inputs(  # type: ignore[override]  # as genuine
        self, time: Any, outputs: Any, state: Any, name: str | None = None, **unused_kwargs: Any
    ) -> tuple[Any, Any, Any]:
        with v1.name_scope(name, "TrainingHelperNextInputs", [time, outputs, state]):
            following = time + 1
            finished = following >= self._sequence_length
            return finished, self._inputs_at(following, v1.reduce_all(finished)), state

    def _inputs_at(self, time: Any, all_finished: Any) -> Any:
        return v1.cond(
            all_finished,
            lambda: self._zero_inputs,
            lambda: nest.map_structure(lambda array: array.read(time), self._input_tas),
        )


def lookup(embedding: Any) -> Callable[[Any], Any]:
    """Returns `embedding` if it is a function of ids, else a function that looks up ids in the tensor `embedding`."""
    if callable(embedding):
        function: Callable[[Any], Any] = embedding
        return function
    return lambda ids: v1.nn.embedding_lookup(embedding, ids)


class GreedyEmbeddingHelper(ScalarSamples, Helper):
    """Feeds the embedding of the most likely symbol, until it is `end_token`.

    Raises:
        ValueError: `start_tokens` is not a vector, or `end_token` is not a scalar.
    """

    def __init__(self, embedding: Any, start_tokens: Any, end_token: Any) -> None:
        self._embedding_fn = lookup(embedding)
        self._start_tokens = tf.convert_to_tensor(start_tokens, dtype=tf.int32, name="start_tokens")
        self._end_token = tf.convert_to_tensor(end_token, dtype=tf.int32, name="end_token")
        if self._start_tokens.get_shape().ndims != 1:
            raise ValueError(f"start_tokens must be a vector [batch], not {self._start_tokens}")
        self._batch_size = v1.size(start_tokens)
        if self._end_token.get_shape().ndims != 0:
            raise ValueError(f"end_token must be a scalar, not {self._end_token}")
        self._start_inputs = self._embedding_fn(self._start_tokens)

    def initialize(self, name: str | None = None) -> Any:
        return v1.tile([False], [self._batch_size]), self._start_inputs

    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None) -> Any:
        if early():
            return v1.cast(v1.argmax(one_tensor(outputs), axis=-1), tf.int32)
        return v1.argmax(one_tensor(outputs), axis=-1, output_type=tf.int32)

    def next_inputs(self, time: Any, outputs: Any, state: Any, sample_ids: Any, name: str | None = None) -> Any:
        finished = v1.equal(sample_ids, self._end_token)
        inputs = v1.cond(v1.reduce_all(finished), lambda: self._start_inputs, lambda: self._embedding_fn(sample_ids))
        return finished, inputs, state


class SampleEmbeddingHelper(GreedyEmbeddingHelper):
    """Feeds the embedding of a symbol that is drawn with the probabilities of the outputs."""

    def __init__(
        self,
        embedding: Any,
        start_tokens: Any,
        end_token: Any,
        softmax_temperature: Any = None,
        seed: int | None = None,
    ) -> None:
        super().__init__(embedding, start_tokens, end_token)
        self._softmax_temperature = softmax_temperature
        self._seed = seed

    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None) -> Any:
        logits = one_tensor(outputs)
        if self._softmax_temperature is not None:
            logits = logits / self._softmax_temperature
        return categorical_sample(logits=logits, seed=self._seed)


class InferenceHelper(Helper):
    """Feeds `next_inputs_fn(samples)`, with samples of `sample_fn`, until `end_fn` returns True."""

    def __init__(
        self,
        sample_fn: Callable[[Any], Any],
        sample_shape: Any,
        sample_dtype: Any,
        start_inputs: Any,
        end_fn: Callable[[Any], Any],
        next_inputs_fn: Callable[[Any], Any] | None = None,
    ) -> None:
        self._sample_fn = sample_fn
        self._end_fn = end_fn
        self._sample_shape = tf.TensorShape(sample_shape)
        self._sample_dtype = sample_dtype
        self._next_inputs_fn = next_inputs_fn
        self._batch_size = v1.shape(start_inputs)[0]
        self._start_inputs = tf.convert_to_tensor(start_inputs, name="start_inputs")

    @property
    def batch_size(self) -> Any:
        return self._batch_size

    @property
    def sample_ids_shape(self) -> Any:
        return self._sample_shape

    @property
    def sample_ids_dtype(self) -> Any:
        return self._sample_dtype

    def initialize(self, name: str | None = None) -> Any:
        return v1.tile([False], [self._batch_size]), self._start_inputs

    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None) -> Any:
        return self._sample_fn(outputs)

    def next_inputs(self, time: Any, outputs: Any, state: Any, sample_ids: Any, name: str | None = None) -> Any:
        inputs = sample_ids if self._next_inputs_fn is None else self._next_inputs_fn(sample_ids)
        return self._end_fn(sample_ids), inputs, state


def one_tensor(outputs: Any) -> Any:
    """Returns `outputs`. Raises TypeError unless it is a tensor."""
    if not tf.is_tensor(outputs):
        raise TypeError(f"the outputs must be one tensor [batch, symbols], not {type(outputs)}")
    return outputs
