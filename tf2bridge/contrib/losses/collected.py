"""The collection of losses, and their sum."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.contrib.framework.arg_scope import add_arg_scope

v1 = tf.compat.v1


@add_arg_scope
def add_loss(loss: Any, loss_collection: str | None = v1.GraphKeys.LOSSES) -> None:
    """Puts `loss` into the collection, if there is one."""
    if loss_collection:
        v1.add_to_collection(loss_collection, loss)


def get_losses(scope: str | None = None, loss_collection: str = v1.GraphKeys.LOSSES) -> list[Any]:
    """Returns the losses of the collection in `scope`."""
    return list(v1.get_collection(loss_collection, scope))


def get_regularization_losses(scope: str | None = None) -> list[Any]:
    """Returns the regularization losses in `scope`."""
    return list(v1.get_collection(v1.GraphKeys.REGULARIZATION_LOSSES, scope))


def get_total_loss(add_regularization_losses: bool = True, name: str = "total_loss") -> Any:
    """Returns the sum of all losses, with those of regularization if asked to. Raises ValueError if there are none."""
    losses = get_losses()
    if add_regularization_losses:
        losses += get_regularization_losses()
    return tf.add_n(losses, name=name)
