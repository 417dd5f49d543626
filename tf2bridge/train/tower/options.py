"""The options of towers, checked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import tensorflow as tf

from tf2bridge.train.tower.refusals import TowerOptionError

Gradients = list[tuple[Any, Any]]
"""(gradient or None, variable), as `compute_gradients` returns them."""

_CHOICES = {
    "clip_when": ("before", "after"),
    "none_gradients": ("error", "skip"),
    "batch_norm": ("tower", "synchronised"),
    "update_ops": ("last", "first", "all", "mean", None),
}


@dataclass(frozen=True)
class Options:
    """The arguments of `towers` of the same names, which describe them. `optimizer` is an optimizer, not a function."""

    tower_fn: Callable[..., Any]
    optimizer: Any
    name: str
    global_step: Any
    var_list: Any
    colocate_gradients_with_ops: bool
    average: Callable[[list[Gradients]], Gradients] | None
    clip: Callable[[list[Any]], Sequence[Any]] | None
    clip_when: str
    none_gradients: str
    update_ops: str | None
    batch_norm: str
    averages: Any

    def __post_init__(self) -> None:
        for name, known in _CHOICES.items():
            value = getattr(self, name)
            if value not in known:
                raise TowerOptionError(name, value, f"it is one of {', '.join(map(repr, known))}")
        if not isinstance(self.optimizer, tf.compat.v1.train.Optimizer):
            raise TowerOptionError(
                "optimizer",
                type(self.optimizer).__name__,
                "is an optimizer of tf.compat.v1.train, whose numbers are the program's, or a function that makes one",
            )

    def gradients(self, loss: Any, var_list: Any = None, share: float | None = None) -> Gradients:
        """Returns the gradients of one tower, or its share of the average; clipped if clipping comes before averaging.

        Args:
            loss: The loss of the tower, a scalar.
            var_list: The variables to train if the options name none.
            share: The factor of the tower in the average, such as 1/2; None for the gradients themselves.
        """
        variables = var_list if self.var_list is None else self.var_list() if callable(self.var_list) else self.var_list
        gradients = self.optimizer.compute_gradients(
            loss,
            var_list=variables,
            colocate_gradients_with_ops=self.colocate_gradients_with_ops,
            grad_loss=None if share is None else tf.constant(share, loss.dtype),
        )
        return self._clipped(gradients) if self.clip_when == "before" else list(gradients)

    @property
    def adds_shares(self) -> bool:
        """Returns whether the average may be the sum of the towers' shares; this saves a division per gradient."""
        return self.average is None and (self.clip is None or self.clip_when == "after")

    def averaged(self, gradients: Gradients) -> Gradients:
        """Returns the averaged gradients as they are applied: clipped if clipping comes after averaging."""
        return self._clipped(gradients) if self.clip_when == "after" else gradients

    def _clipped(self, gradients: Gradients) -> Gradients:
        if self.clip is None:
            return list(gradients)
        values = self.clip([gradient for gradient, _ in gradients])
        return [(value, variable) for value, (_, variable) in zip(values, gradients, strict=True)]
