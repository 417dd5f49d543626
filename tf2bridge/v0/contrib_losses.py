"""The losses of contrib.losses in 0.12, which took `targets` for labels and `weight` for weights as well."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from tf2bridge.contrib.losses import loss_ops

_RENAMED = {"targets": "labels", "target": "labels", "weight": "weights"}


def _with_old_names(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def renamed(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **{_RENAMED.get(name, name): value for name, value in kwargs.items()})

    return renamed


absolute_difference = _with_old_names(loss_ops.absolute_difference)
cosine_distance = _with_old_names(loss_ops.cosine_distance)
hinge_loss = _with_old_names(loss_ops.hinge_loss)
log_loss = _with_old_names(loss_ops.log_loss)
mean_pairwise_squared_error = _with_old_names(loss_ops.mean_pairwise_squared_error)
mean_squared_error = _with_old_names(loss_ops.mean_squared_error)
sigmoid_cross_entropy = _with_old_names(loss_ops.sigmoid_cross_entropy)
softmax_cross_entropy = _with_old_names(loss_ops.softmax_cross_entropy)
sparse_softmax_cross_entropy = _with_old_names(loss_ops.sparse_softmax_cross_entropy)
compute_weighted_loss = _with_old_names(loss_ops.weighted_mean)
