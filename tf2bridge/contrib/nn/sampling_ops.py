"""Losses of sampled classes."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.internals.ops import embedding_ops, nn_impl

v1 = tf.compat.v1


def sampled_sparse_softmax_loss(
    weights: Any,
    biases: Any,
    labels: Any,
    inputs: Any,
    num_sampled: int,
    num_classes: int,
    sampled_values: Any = None,
    remove_accidental_hits: bool = True,
    partition_strategy: str = "mod",
    name: str = "sampled_sparse_softmax_loss",
) -> Any:
    """Returns the sampled softmax loss [batch] for one class an example: labels [batch, 1], inputs [batch, dim]."""
    logits, _ = nn_impl._compute_sampled_logits(
        weights=weights,
        biases=biases,
        labels=labels,
        inputs=inputs,
        num_sampled=num_sampled,
        num_classes=num_classes,
        num_true=1,
        sampled_values=sampled_values,
        subtract_log_q=True,
        remove_accidental_hits=remove_accidental_hits,
        partition_strategy=partition_strategy,
        name=name,
    )
    first = v1.zeros([v1.shape(logits)[0], 1], dtype=tf.int64)  # the true class is the first of the sampled ones
    return v1.nn.sparse_softmax_cross_entropy_with_logits(labels=v1.squeeze(first), logits=logits)


def rank_sampled_softmax_loss(
    weights: Any,
    biases: Any,
    labels: Any,
    inputs: Any,
    num_sampled: int,
    num_resampled: int,
    num_classes: int,
    num_true: int,
    sampled_values: Any,
    resampling_temperature: Any,
    remove_accidental_hits: bool,
    partition_strategy: str,
    name: str | None = None,
) -> Any:
    """Returns the sampled softmax loss [batch] with the `num_resampled` highest ranked of `num_sampled` classes.

    Raises ValueError where these numbers, or the strategy ("div" or "mod"), do not fit.
    """
    if num_sampled > num_classes:
        raise ValueError(f"num_sampled ({num_sampled}) cannot be greater than num_classes ({num_classes})")
    if num_sampled <= num_resampled:
        raise ValueError(f"num_resampled ({num_resampled}) must be less than num_sampled ({num_sampled})")
    if partition_strategy not in ("div", "mod"):
        raise ValueError(f'unsupported partition_strategy ({partition_strategy}): give "div" or "mod"')
    values = [weights, biases, labels, inputs, sampled_values, resampling_temperature]
    with v1.name_scope(name, "rank_sampled_softmax_loss", values) as name:
        if not sampled_values:
            sampled_values = v1.nn.learned_unigram_candidate_sampler(
                true_classes=labels, num_true=num_true, num_sampled=num_sampled, unique=True, range_max=num_classes
            )
        temperature = resampling_temperature
        chosen = _ranked(weights, biases, inputs, sampled_values, num_resampled, temperature, partition_strategy)
        return v1.nn.sampled_softmax_loss(
            weights=weights,
            biases=biases,
            labels=labels,
            inputs=inputs,
            num_sampled=num_resampled,
            num_classes=num_classes,
            num_true=num_true,
            sampled_values=chosen,
            remove_accidental_hits=remove_accidental_hits,
            partition_strategy=partition_strategy,
            name=name,
        )


def _ranked(
    weights: Any, biases: Any, inputs: Any, sampled_values: Any, count: int, temperature: Any, strategy: str
) -> tuple[Any, Any, Any]:
    """Returns the `count` sampled values with the highest logits. Logits are summed over the batch as exponentials."""
    sampled, true_count, sampled_count = sampled_values
    sampled = v1.cast(tf.stop_gradient(sampled), tf.int64)
    true_count, sampled_count = tf.stop_gradient(true_count), tf.stop_gradient(sampled_count)
    scaled = inputs / temperature

    def logits_of(embeddings: Any) -> Any:
        return v1.reduce_logsumexp(v1.matmul(embeddings, scaled, transpose_b=True), axis=1, keepdims=False)

    logits = embedding_ops._embedding_lookup_and_transform(weights, sampled, strategy, transform_fn=logits_of)
    logits += v1.reshape(v1.nn.embedding_lookup(biases, sampled, strategy), [-1]) / temperature
    _, places = v1.nn.top_k(logits, k=count, sorted=False)
    return v1.gather(sampled, indices=places), true_count, v1.gather(sampled_count, indices=places)
