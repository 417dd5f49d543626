"""The losses of `contrib.legacy_seq2seq` (`nn.seq2seq` in 0.12): weighted cross-entropy over a sequence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

v1 = tf.compat.v1


def sequence_loss_by_example(
    logits: Sequence[Any],
    targets: Sequence[Any],
    weights: Sequence[Any],
    average_across_timesteps: bool = True,
    softmax_loss_function: Callable[..., Any] | None = None,
    name: str | None = None,
) -> Any:
    """Returns the log-perplexity of each sequence, [batch].

    Each step has logits [batch, symbols], targets [batch] and weights [batch]. `softmax_loss_function` is called with
    the keywords `labels` and `logits`. Raises ValueError for lists of different lengths.
    """
    return by_example(logits, targets, weights, average_across_timesteps, _keywords(softmax_loss_function), name)


def sequence_loss(
    logits: Sequence[Any],
    targets: Sequence[Any],
    weights: Sequence[Any],
    average_across_timesteps: bool = True,
    average_across_batch: bool = True,
    softmax_loss_function: Callable[..., Any] | None = None,
    name: str | None = None,
) -> Any:
    """Returns the log-perplexity of the batch, a scalar: the sum over sequences, or their mean."""
    loss = _keywords(softmax_loss_function)
    return of_batch(logits, targets, weights, average_across_timesteps, average_across_batch, loss, name)


def _keywords(function: Callable[..., Any] | None) -> Callable[[Any, Any], Any] | None:
    return None if function is None else lambda logit, target: function(labels=target, logits=logit)


def _crossent(logit: Any, target: Any) -> Any:
    target = v1.reshape(target, [-1])
    return v1.nn.sparse_softmax_cross_entropy_with_logits(labels=target, logits=logit)


def by_example(
    logits: Sequence[Any],
    targets: Sequence[Any],
    weights: Sequence[Any],
    average_across_timesteps: bool,
    loss: Callable[[Any, Any], Any] | None,
    name: str | None,
) -> Any:
    """Returns `sequence_loss_by_example`, with `loss` called as f(logits, targets)."""
    if not len(logits) == len(targets) == len(weights):
        raise ValueError(
            f"logits, targets and weights have {len(logits)}, {len(targets)} and {len(weights)} steps; "
            "give as many of each"
        )
    with v1.name_scope(name, "sequence_loss_by_example", [*logits, *targets, *weights]):
        steps = zip(logits, targets, weights, strict=True)
        total = v1.add_n([(loss or _crossent)(logit, target) * weight for logit, target, weight in steps])
        if not average_across_timesteps:
            return total
        # The small term keeps a sequence without any weight finite.
        return total / (v1.add_n(weights) + 1e-12)


def of_batch(
    logits: Sequence[Any],
    targets: Sequence[Any],
    weights: Sequence[Any],
    average_across_timesteps: bool,
    average_across_batch: bool,
    loss: Callable[[Any, Any], Any] | None,
    name: str | None,
) -> Any:
    """Returns `sequence_loss`, with `loss` called as f(logits, targets)."""
    with v1.name_scope(name, "sequence_loss", [*logits, *targets, *weights]):
        costs = by_example(logits, targets, weights, average_across_timesteps, loss, None)
        cost = v1.reduce_sum(costs)
        if not average_across_batch:
            return cost
        return cost / v1.cast(v1.shape(targets[0])[0], cost.dtype)
