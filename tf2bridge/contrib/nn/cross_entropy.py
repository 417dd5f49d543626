"""Cross entropies with logits before labels, as before 1.0."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

v1 = tf.compat.v1


def deprecated_flipped_softmax_cross_entropy_with_logits(
    logits: Any, labels: Any, dim: int = -1, name: str | None = None
) -> Any:
    """Returns `tf.nn.softmax_cross_entropy_with_logits`, with the order of parameters of 0.12."""
    return v1.nn.softmax_cross_entropy_with_logits(labels=labels, logits=logits, dim=dim, name=name)


def deprecated_flipped_sparse_softmax_cross_entropy_with_logits(
    logits: Any, labels: Any, name: str | None = None
) -> Any:
    """Returns `tf.nn.sparse_softmax_cross_entropy_with_logits`, with the order of parameters of 0.12."""
    return v1.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits, name=name)


def deprecated_flipped_sigmoid_cross_entropy_with_logits(logits: Any, targets: Any, name: str | None = None) -> Any:
    """Returns `tf.nn.sigmoid_cross_entropy_with_logits`, with the parameters of 0.12."""
    return v1.nn.sigmoid_cross_entropy_with_logits(labels=targets, logits=logits, name=name)
