"""What a tower function is given, and what comes of the towers."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import tensorflow as tf

from tf2bridge.train.tower.refusals import TowerResultError

v1 = tf.compat.v1


class Tower(NamedTuple):
    """One copy of the model: its number, from 0, and the name scope of its operations, such as "tower_0/".

    The scope picks what is this tower's out of a collection: `tf.get_collection("losses", tower.scope)`.
    """

    number: int
    scope: str


@dataclass(frozen=True)
class Towers:
    """What `towers` built in the default graph, for sessions to run.

    losses: of each tower, a scalar. outputs: of each tower, what its function returned beside the loss.
    gradients: (gradient, variable), averaged and clipped. apply_op: what `optimizer.apply_gradients` returned.
    train_op: the same with the update ops and moving averages that were asked for.
    """

    losses: Sequence[Any]
    outputs: Sequence[Any]
    gradients: Sequence[tuple[Any, Any]]
    apply_op: Any
    train_op: Any

    @functools.cached_property
    def loss(self) -> Any:
        """The mean of the losses, an operation that is made when it is first asked for."""
        with self.losses[0].graph.as_default():
            return mean(self.losses)


def mean(losses: Sequence[Any]) -> Any:
    """The mean loss of towers, a scalar."""
    return v1.reduce_mean(v1.stack(losses), name="mean_loss")


def parts(returned: Any) -> tuple[Any, Any]:
    """The loss, and what else a tower function returned: None, one thing or a tuple. Raises TowerResultError."""
    loss, *others = returned if isinstance(returned, tuple | list) and returned else (returned,)
    if not isinstance(loss, tf.Tensor) or not loss.dtype.is_floating or loss.shape.rank not in (0, None):
        raise TowerResultError(loss)
    return loss, tuple(others) if len(others) > 1 else others[0] if others else None
