"""The recurrent cells that sum or maximise over the tag sequences of a conditional random field."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.installed import core_cells

v1 = tf.compat.v1

RNNCell: Any = core_cells().RNNCell


class _Tags(RNNCell):  # type: ignore[misc]  # tf_keras has no types
    """A cell with one unit for each tag; it has no weights, and is no layer that could be built."""

    def __init__(self, transition_params: Any) -> None:
        self._transition_params = v1.expand_dims(transition_params, 0)
        self._num_tags = tf.compat.dimension_value(transition_params.shape[0])

    @property
    def state_size(self) -> Any:
        """The number of tags."""
        return self._num_tags

    @property
    def output_size(self) -> Any:
        """The number of tags."""
        return self._num_tags

    def _scores(self, state: Any) -> Any:
        """Returns `state` plus the score of each transition, [batch, previous tags, tags]."""
        return v1.expand_dims(state, 2) + self._transition_params


class CrfForwardRnnCell(_Tags):
    """One step of the forward algorithm: inputs and alphas are [batch, tags]."""

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> tuple[Any, Any]:  # noqa: ARG002  # of a cell
        """Returns (alphas, alphas) of this step."""
        alphas = inputs + v1.reduce_logsumexp(self._scores(state), [1])
        return alphas, alphas


class CrfDecodeForwardRnnCell(_Tags):
    """One step of Viterbi's algorithm: inputs and scores are [batch, tags]."""

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> tuple[Any, Any]:  # noqa: ARG002  # of a cell
        """Returns (the best tag before each tag, int32; the scores)."""
        scores = self._scores(state)
        best = inputs + v1.reduce_max(scores, [1])
        return v1.cast(v1.argmax(scores, 1), dtype=tf.int32), best


class CrfDecodeBackwardRnnCell(RNNCell):  # type: ignore[misc]  # tf_keras has no types
    """One step back along the best tags: inputs are [batch, tags], the state [batch, 1]."""

    def __init__(self, num_tags: Any) -> None:
        self._num_tags = num_tags

    @property
    def state_size(self) -> int:
        """One tag."""
        return 1

    @property
    def output_size(self) -> int:
        """One tag."""
        return 1

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> tuple[Any, Any]:  # noqa: ARG002  # of a cell
        """Returns the tag before, twice: [batch, 1]."""
        tags = v1.squeeze(state, axis=[1])
        rows = v1.range(v1.shape(inputs)[0])
        scores = v1.expand_dims(v1.gather_nd(inputs, v1.stack([rows, tags], axis=1)), axis=-1)
        return scores, scores
