"""`model_with_buckets`: one model for each of several lengths, all with the same weights."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.legacy_seq2seq.seq2seq.losses import sequence_loss, sequence_loss_by_example

v1 = tf.compat.v1
Loss = Callable[..., Any]


def model_with_buckets(
    encoder_inputs: Sequence[Any],
    decoder_inputs: Sequence[Any],
    targets: Sequence[Any],
    weights: Sequence[Any],
    buckets: Sequence[tuple[int, int]],
    seq2seq: Callable[[Any, Any], tuple[Any, Any]],
    softmax_loss_function: Loss | None = None,
    per_example_loss: bool = False,
    name: str | None = None,
) -> tuple[list[Any], list[Any]]:
    """Returns (outputs, losses) of each bucket (encoder length, decoder length). The longest bucket is the last.

    A loss is a scalar, or [batch] with `per_example_loss`.

    Raises:
        ValueError: there are fewer inputs than steps in the last bucket.
    """
    losses = (sequence_loss_by_example if per_example_loss else sequence_loss, softmax_loss_function)
    return bucketed(encoder_inputs, decoder_inputs, targets, weights, buckets, seq2seq, losses, name)


def bucketed(
    encoder_inputs: Sequence[Any],
    decoder_inputs: Sequence[Any],
    targets: Sequence[Any],
    weights: Sequence[Any],
    buckets: Sequence[tuple[int, int]],
    seq2seq: Callable[[Any, Any], tuple[Any, Any]],
    losses: tuple[Loss, Loss | None],
    name: str | None,
) -> tuple[list[Any], list[Any]]:
    """Returns `model_with_buckets`. `losses` are the loss of a release and the softmax loss that it receives."""
    longest = buckets[-1]
    for role, given, least in (
        ("encoder_inputs", encoder_inputs, longest[0]),
        ("targets", targets, longest[1]),
        ("weights", weights, longest[1]),
    ):
        if len(given) < least:
            raise ValueError(f"{len(given)} {role}, but the last bucket, {tuple(longest)}, takes {least}")
    outputs, bucket_losses = [], []
    loss, softmax_loss = losses
    with v1.name_scope(name, "model_with_buckets", [*encoder_inputs, *decoder_inputs, *targets, *weights]):
        for place, (ahead, length) in enumerate(buckets):
            with v1.variable_scope(v1.get_variable_scope(), reuse=True if place else None):
                made, _ = seq2seq(encoder_inputs[:ahead], decoder_inputs[:length])
                outputs.append(made)
                bucket_losses.append(loss(made, targets[:length], weights[:length], softmax_loss_function=softmax_loss))
    return outputs, bucket_losses
