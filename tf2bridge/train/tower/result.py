"""The argument of a tower function, and the result of the towers."""

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

    The scope selects this tower's part of a collection: `tf.get_collection("losses", tower.scope)`.
    """

    number: int
    scope: str


@dataclass(frozen=True)
class Towers:
    """What `towers` built in the default graph, for sessions to run.

    Attributes:
        losses: The loss of each tower, a scalar.
        outputs: What each tower function returned beside the loss.
        gradients: (gradient, variable), averaged and clipped.
        apply_op: What `optimizer.apply_gradients` returned.
        train_op: `apply_op` together with the update operations and moving averages that the options name.
    """

    losses: Sequence[Any]
    outputs: Sequence[Any]
    gradients: Sequence[tuple[Any, Any]]
    apply_op: Any
    train_op: Any

    @functools.cached_property
    def loss(self) -> Any:
        """Returns the mean of the losses; the first use makes its operation."""
        with self.losses[0].graph.as_default():
            return mean(self.losses)


def mean(losses: Sequence[Any]) -> Any:
    """Returns the mean loss of towers, a scalar."""
    return v1.reduce_mean(v1.stack(losses), name="mean_loss")


def parts(returned: Any) -> tuple[Any, Any]:
    """Returns the loss and the other results of a tower function: None, one value or a tuple.

    Raises TowerResultError.
    """
    loss, *others = returned if isinstance(returned, tuple | list) and returned else (returned,)
    if not isinstance(loss, tf.Tensor) or not loss.dtype.is_floating or loss.shape.rank not in (0, None):
        raise TowerResultError(loss)
    return loss, tuple(others) if len(others) > 1 else others[0] if others else None
