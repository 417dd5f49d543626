"""Scheduled sampling: in training, a decoder is sometimes fed its own output (arXiv 1506.03099)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.seq2seq.cells import transpose_batch_time
from tf2bridge.contrib.seq2seq.helper.feeding import TrainingHelper, lookup, unstacked
from tf2bridge.contrib.seq2seq.helper.sampling import bernoulli_sample, categorical_sample

v1 = tf.compat.v1
nest = tf.nest


class ScheduledEmbeddingTrainingHelper(TrainingHelper):
    """Feeds the given input, or with `sampling_probability` the embedding of a symbol drawn from the output.

    A sample is the drawn symbol, or -1 if no symbol is drawn.

    Raises:
        ValueError: the probability is neither a scalar nor a vector.
    """

    def __init__(
        self,
        inputs: Any,
        sequence_length: Any,
        embedding: Any,
        sampling_probability: Any,
        time_major: bool = False,
        seed: int | None = None,
        scheduling_seed: int | None = None,
        name: str | None = None,
    ) -> None:
        with v1.name_scope(name, "ScheduledEmbeddingSamplingWrapper", [embedding, sampling_probability]):
            self._embedding_fn = lookup(embedding)
            self._sampling_probability = probability(sampling_probability)
            self._seed = seed
            self._scheduling_seed = scheduling_seed
            super().__init__(inputs=inputs, sequence_length=sequence_length, time_major=time_major, name=name)

    def initialize(self, name: str | None = None) -> Any:
        return super().initialize(name=name)

    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None) -> Any:  # type: ignore[override]
        with v1.name_scope(name, "ScheduledEmbeddingTrainingHelperSample", [time, outputs, state]):
            chosen = bernoulli_sample(
                probs=self._sampling_probability,
                dtype=tf.bool,
                sample_shape=self.batch_size,
                seed=self._scheduling_seed,
            )
            drawn = categorical_sample(logits=outputs, seed=self._seed)
            return v1.where(chosen, drawn, v1.fill([self.batch_size], -1))

    def next_inputs(  # type: ignore[override]
        self, time: Any, outputs: Any, state: Any, sample_ids: Any, name: str | None = None
    ) -> Any:
        values = [time, outputs, state, sample_ids]
        with v1.name_scope(name, "ScheduledEmbeddingTrainingHelperNextInputs", values):
            finished, given, state = super().next_inputs(
                time=time, outputs=outputs, state=state, sample_ids=sample_ids, name=name
            )
            inputs = v1.cond(
                v1.reduce_all(finished), lambda: given, lambda: with_drawn(given, sample_ids, self._embedding_fn)
            )
            return finished, inputs, state


class ScheduledOutputTrainingHelper(TrainingHelper):
    """Feeds the given input, or with `sampling_probability` the output or `next_inputs_fn(output)`.

    `auxiliary_inputs` [batch, time, ...] are appended to each input. A sample is true if the output is fed.
    """

    def __init__(
        self,
        inputs: Any,
        sequence_length: Any,
        sampling_probability: Any,
        time_major: bool = False,
        seed: int | None = None,
        next_inputs_fn: Callable[[Any], Any] | None = None,
        auxiliary_inputs: Any = None,
        name: str | None = None,
    ) -> None:
        values = [inputs, auxiliary_inputs, sampling_probability]
        with v1.name_scope(name, "ScheduledOutputTrainingHelper", values):
            self._sampling_probability = probability(sampling_probability)
            self._auxiliary_input_tas = None
            if auxiliary_inputs is not None:
                inputs = tf.convert_to_tensor(inputs, name="inputs")
                auxiliary_inputs = tf.convert_to_tensor(auxiliary_inputs, name="auxiliary_inputs")
                inputs = joined(inputs, auxiliary_inputs)
                if not time_major:
                    auxiliary_inputs = nest.map_structure(transpose_batch_time, auxiliary_inputs)
                self._auxiliary_input_tas = nest.map_structure(unstacked, auxiliary_inputs)
            self._seed = seed
            self._next_inputs_fn = next_inputs_fn
            super().__init__(inputs=inputs, sequence_length=sequence_length, time_major=time_major, name=name)

    def initialize(self, name: str | None = None) -> Any:
        return super().initialize(name=name)

    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None) -> Any:  # type: ignore[override]
        with v1.name_scope(name, "ScheduledOutputTrainingHelperSample", [time, outputs, state]):
            return bernoulli_sample(probs=self._sampling_probability, sample_shape=self.batch_size, seed=self._seed)

    def next_inputs(  # type: ignore[override]
        self, time: Any, outputs: Any, state: Any, sample_ids: Any, name: str | None = None
    ) -> Any:
        values = [time, outputs, state, sample_ids]
        with v1.name_scope(name, "ScheduledOutputTrainingHelperNextInputs", values):
            finished, given, state = super().next_inputs(
                time=time, outputs=outputs, state=state, sample_ids=sample_ids, name=name
            )
            chosen = v1.cast(sample_ids, tf.bool)
            unchanged = v1.logical_or(v1.reduce_all(finished), v1.logical_not(v1.reduce_any(chosen)))
            inputs = v1.cond(unchanged, lambda: given, lambda: self._mixed(time, outputs, given, chosen))
            return finished, inputs, state

    def _mixed(self, time: Any, outputs: Any, given: Any, chosen: Any) -> Any:
        def with_auxiliary(new: Any, rows: Any = None) -> Any:
            return appended(new, self._auxiliary_input_tas, time, rows)

        return with_outputs(given, outputs, chosen, self._next_inputs_fn, with_auxiliary)


def probability(value: Any) -> Any:
    """Returns `value` as a tensor. Raises ValueError unless it is a scalar or vector."""
    tensor = tf.convert_to_tensor(value, name="sampling_probability")
    if tensor.get_shape().ndims not in (0, 1):
        raise ValueError(f"sampling_probability must be a scalar or vector, not of shape {tensor.get_shape()}")
    return tensor


def joined(first: Any, second: Any) -> Any:
    """Returns one nest: the tensors of both nests, concatenated along the last axis."""
    return nest.map_structure(lambda x, y: v1.concat((x, y), -1), first, second)


def merged(like: Any, drawn: Any, new: Any, kept: Any, old: Any) -> Any:
    """Returns a tensor shaped as `like`, with `new` in the rows `drawn` and `old` in the rows `kept`."""
    shape = v1.shape(like)
    return v1.scatter_nd(indices=drawn, updates=new, shape=shape) + v1.scatter_nd(
        indices=kept, updates=old, shape=shape
    )


def with_drawn(given: Any, sample_ids: Any, embedding_fn: Callable[[Any], Any]) -> Any:
    """Returns the inputs `given`, with the embeddings of `sample_ids` in the rows whose sample is not -1."""
    drawn = v1.cast(v1.where(sample_ids > -1), tf.int32)
    kept = v1.cast(v1.where(sample_ids <= -1), tf.int32)
    symbols = v1.gather_nd(sample_ids, drawn)
    old = v1.gather_nd(given, kept)
    return merged(given, drawn, embedding_fn(symbols), kept, old)


def with_outputs(
    given: Any,
    outputs: Any,
    chosen: Any,
    next_inputs_fn: Callable[[Any], Any] | None,
    with_auxiliary: Callable[..., Any],
) -> Any:
    """Returns the inputs `given`, with inputs made from `outputs` in the rows `chosen`."""
    if next_inputs_fn is None:
        return v1.where(chosen, with_auxiliary(outputs), given)
    drawn = v1.cast(v1.where(chosen), tf.int32)
    kept = v1.cast(v1.where(v1.logical_not(chosen)), tf.int32)
    fed = v1.gather_nd(outputs, drawn)
    old = v1.gather_nd(given, kept)
    return merged(given, drawn, with_auxiliary(next_inputs_fn(fed), drawn), kept, old)


def appended(outputs: Any, auxiliary_arrays: Any, time: Any, rows: Any = None) -> Any:
    """Returns `outputs` with the auxiliary inputs of the next step appended, of all rows or of `rows`."""
    if auxiliary_arrays is None:
        return outputs
    following = time + 1
    auxiliary = nest.map_structure(lambda array: array.read(following), auxiliary_arrays)
    if rows is not None:
        auxiliary = v1.gather_nd(auxiliary, rows)
    return joined(outputs, auxiliary)
