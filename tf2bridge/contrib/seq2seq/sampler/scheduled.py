"""Scheduled sampling (arXiv 1506.03099) for decoders that are layers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.seq2seq.cells import transpose_batch_time
from tf2bridge.contrib.seq2seq.helper.feeding import unstacked
from tf2bridge.contrib.seq2seq.helper.sampling import bernoulli_sample, categorical_sample
from tf2bridge.contrib.seq2seq.helper.scheduled import appended, joined, probability, with_drawn, with_outputs
from tf2bridge.contrib.seq2seq.sampler.feeding import TrainingSampler, checked_embedding

v1 = tf.compat.v1
nest = tf.nest


class ScheduledEmbeddingTrainingSampler(TrainingSampler):
    """Feeds the given input, or with `sampling_probability` the embedding of a symbol drawn from the output.

    A sample is the drawn symbol, or -1 if no symbol is drawn.

    Raises:
        ValueError: the probability is neither a scalar nor a vector.
    """

    def __init__(
        self,
        sampling_probability: Any,
        embedding_fn: Callable[[Any], Any] | None = None,
        time_major: bool = False,
        seed: int | None = None,
        scheduling_seed: int | None = None,
    ) -> None:
        self.embedding_fn = checked_embedding(embedding_fn)
        self.sampling_probability = probability(sampling_probability)
        self.seed = seed
        self.scheduling_seed = scheduling_seed
        super().__init__(time_major=time_major)

    def initialize(  # type: ignore[override]  # as genuine
        self, inputs: Any, sequence_length: Any = None, embedding: Any = None
    ) -> Any:
        """See `TrainingSampler.initialize`. Raises ValueError if no embedding is given."""
        if self.embedding_fn is None:
            if embedding is None:
                raise ValueError("embedding is required; give embedding_fn here or embedding= in the decoder's call")
            self.embedding_fn = lambda ids: v1.nn.embedding_lookup(embedding, ids)
        return super().initialize(inputs, sequence_length=sequence_length)

    def sample(self, time: Any, outputs: Any, state: Any) -> Any:  # noqa: ARG002  # those of the interface
        chosen = bernoulli_sample(
            probs=self.sampling_probability, dtype=tf.bool, sample_shape=self.batch_size, seed=self.scheduling_seed
        )
        drawn = categorical_sample(logits=outputs, seed=self.seed)
        return v1.where(chosen, drawn, v1.fill([self.batch_size], -1))

    def next_inputs(self, time: Any, outputs: Any, state: Any, sample_ids: Any) -> Any:
        finished, given, state = super().next_inputs(time, outputs, state, sample_ids)
        inputs = v1.cond(
            v1.reduce_all(finished), lambda: given, lambda: with_drawn(given, sample_ids, self.embedding_fn)
        )
        return finished, inputs, state


class ScheduledOutputTrainingSampler(TrainingSampler):
    """Feeds the given input, or with `sampling_probability` the output or `next_inputs_fn(output)`.

    A sample is true if the output is fed.
    """

    def __init__(
        self,
        sampling_probability: Any,
        time_major: bool = False,
        seed: int | None = None,
        next_inputs_fn: Callable[[Any], Any] | None = None,
    ) -> None:
        self.sampling_probability = probability(sampling_probability)
        self.seed = seed
        self.next_inputs_fn = next_inputs_fn
        super().__init__(time_major=time_major)

    def initialize(  # type: ignore[override]  # as genuine
        self, inputs: Any, sequence_length: Any = None, auxiliary_inputs: Any = None
    ) -> Any:
        """See `TrainingSampler.initialize`. `auxiliary_inputs` [batch, time, ...] are appended to each input."""
        self._auxiliary_input_tas = None
        if auxiliary_inputs is not None:
            inputs = tf.convert_to_tensor(inputs)
            auxiliary_inputs = tf.convert_to_tensor(auxiliary_inputs)
            inputs = joined(inputs, auxiliary_inputs)
            if not self.time_major:
                auxiliary_inputs = nest.map_structure(transpose_batch_time, auxiliary_inputs)
            self._auxiliary_input_tas = nest.map_structure(unstacked, auxiliary_inputs)
        return super().initialize(inputs, sequence_length=sequence_length)

    def sample(self, time: Any, outputs: Any, state: Any) -> Any:  # noqa: ARG002  # those of the interface
        return bernoulli_sample(probs=self.sampling_probability, sample_shape=self.batch_size, seed=self.seed)

    def next_inputs(self, time: Any, outputs: Any, state: Any, sample_ids: Any) -> Any:
        finished, given, state = super().next_inputs(time, outputs, state, sample_ids)
        chosen = v1.cast(sample_ids, tf.bool)

        def with_auxiliary(new: Any, rows: Any = None) -> Any:
            return appended(new, self._auxiliary_input_tas, time, rows)

        unchanged = v1.logical_or(v1.reduce_all(finished), v1.logical_not(v1.reduce_any(chosen)))
        inputs = v1.cond(
            unchanged,
            lambda: given,
            lambda: with_outputs(given, outputs, chosen, self.next_inputs_fn, with_auxiliary),
        )
        return finished, inputs, state
