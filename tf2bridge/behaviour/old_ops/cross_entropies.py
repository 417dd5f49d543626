"""The cross entropies of `tf.nn` with 1.x's guard against labels and logits given by position.

0.x took (logits, targets), TensorFlow 2 takes (labels, logits). So a positional call would silently swap them.
"""

from __future__ import annotations

from typing import Any

from tf2bridge.behaviour.arguments import today


def nn_softmax_cross_entropy_with_logits(
    _sentinel: Any = None,
    labels: Any = None,
    logits: Any = None,
    dim: int = -1,
    name: str | None = None,
    axis: Any = None,
) -> Any:
    """Returns the softmax cross entropy of each row; `labels` get no gradient. Raises ValueError: see `_named`."""
    function = "nn.softmax_cross_entropy_with_logits"
    return today(function)(**_named(function, _sentinel, labels, logits), dim=dim, name=name, axis=axis)


def nn_sparse_softmax_cross_entropy_with_logits(
    _sentinel: Any = None, labels: Any = None, logits: Any = None, name: str | None = None
) -> Any:
    """Returns the softmax cross entropy of each row with class numbers `labels`. Raises ValueError: see `_named`."""
    function = "nn.sparse_softmax_cross_entropy_with_logits"
    return today(function)(**_named(function, _sentinel, labels, logits), name=name)


def nn_sigmoid_cross_entropy_with_logits(
    _sentinel: Any = None, labels: Any = None, logits: Any = None, name: str | None = None
) -> Any:
    """Returns the sigmoid cross entropy of each number. Raises ValueError: see `_named`."""
    function = "nn.sigmoid_cross_entropy_with_logits"
    return today(function)(**_named(function, _sentinel, labels, logits), name=name)


def _named(function: str, sentinel: Any, labels: Any, logits: Any) -> dict[str, Any]:
    """Returns both arguments. Raises ValueError if one is missing, or was given by position."""
    if sentinel is not None:
        raise ValueError(
            f"tf.{function} takes labels= and logits= by name only: 0.x had logits first, so a call by position is "
            "ambiguous; name them, or run the program as 0.12 if it is that old"
        )
    if labels is None or logits is None:
        raise ValueError(f"tf.{function}: both labels and logits must be given")
    return {"labels": labels, "logits": logits}
