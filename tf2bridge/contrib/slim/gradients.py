"""The train op of slim.learning, and summaries of gradients."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.messages import logging
from tf2bridge.contrib.training import training

v1 = tf.compat.v1


def add_gradients_summaries(grads_and_vars: Iterable[tuple[Any, Any]]) -> list[Any]:
    """Returns a histogram and a summary of the norm of each gradient, named for its variable."""
    summaries = []
    for grad, variable in grads_and_vars:
        if grad is None:
            logging.info("Var %s has no gradient", variable.op.name)
            continue
        values = grad.values if isinstance(grad, tf.IndexedSlices) else grad
        name = f"{variable.op.name}/gradient"
        summaries.append(v1.summary.histogram(name, values))
        summaries.append(v1.summary.scalar(f"{name}_norm", v1.global_norm([values])))
    return summaries


def create_train_op(
    total_loss: Any,
    optimizer: Any,
    global_step: Any = 0,
    update_ops: Iterable[Any] | None = None,
    variables_to_train: Sequence[Any] | None = None,
    clip_gradient_norm: Any = 0,
    summarize_gradients: bool = False,
    gate_gradients: int = v1.train.Optimizer.GATE_OP,
    aggregation_method: Any = None,
    colocate_gradients_with_ops: bool = False,
    gradient_multipliers: Mapping[Any, Any] | None = None,
    check_numerics: bool = True,
) -> Any:
    """Returns `total_loss` as a tensor that applies the gradients, after `update_ops`, when it is run.

    `global_step` 0 stands for the graph's own, None for none; `update_ops` None for the collection of that name. The
    gradients are first multiplied, then clipped. `check_numerics` makes a loss that is no number an error.
    """

    def transform(pairs: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
        if gradient_multipliers:
            with v1.name_scope("multiply_grads"):
                pairs = training.multiply_gradients(pairs, gradient_multipliers)
        if clip_gradient_norm > 0:
            with v1.name_scope("clip_grads"):
                pairs = training.clip_gradient_norms(pairs, clip_gradient_norm)
        return pairs

    return training.create_train_op(
        total_loss,
        optimizer,
        global_step,
        update_ops,
        variables_to_train,
        transform_grads_fn=transform,
        summarize_gradients=summarize_gradients,
        gate_gradients=gate_gradients,
        aggregation_method=aggregation_method,
        colocate_gradients_with_ops=colocate_gradients_with_ops,
        check_numerics=check_numerics,
    )
