"""Gradients clipped, scaled and summarized, and the op that applies them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import tensorflow as tf
from tensorflow.python.ops.control_flow_ops import with_dependencies

v1 = tf.compat.v1
Pairs = Sequence[tuple[Any, Any]]


def clip_gradient_norms(gradients_to_variables: Iterable[tuple[Any, Any]], max_norm: Any) -> list[tuple[Any, Any]]:
    """Returns the (gradient, variable) pairs, each gradient scaled down to a norm of at most `max_norm`."""
    return [(_changed(grad, lambda g: v1.clip_by_norm(g, max_norm)), var) for grad, var in gradients_to_variables]


def multiply_gradients(grads_and_vars: Any, gradient_multipliers: Mapping[Any, Any]) -> list[tuple[Any, Any]]:
    """Returns the (gradient, variable) pairs, those gradients scaled whose variable or its name is in the mapping.

    Raises ValueError for no list of pairs, an empty mapping, or a gradient None that should be scaled.
    """
    if not isinstance(grads_and_vars, list):
        raise ValueError(f"grads_and_vars is a {type(grads_and_vars).__name__}, not a list")
    if not gradient_multipliers:
        raise ValueError("gradient_multipliers is empty")
    if not isinstance(gradient_multipliers, dict):
        raise ValueError(f"gradient_multipliers is a {type(gradient_multipliers).__name__}, not a dict")
    factors = {key: factor for key, factor in gradient_multipliers.items() if isinstance(key, str)}
    factors |= {key.op.name: factor for key, factor in gradient_multipliers.items() if not isinstance(key, str)}
    return [
        (_multiplied(grad, var, factors[var.op.name]) if var.op.name in factors else grad, var)
        for grad, var in grads_and_vars
    ]


def add_gradients_summaries(grads_and_vars: Iterable[tuple[Any, Any]]) -> list[Any]:
    """Returns a histogram and a summary of the norm of each gradient."""
    return _summaries(grads_and_vars, "/")


def _summaries(grads_and_vars: Iterable[tuple[Any, Any]], separator: str) -> list[Any]:
    """The summaries; `separator` comes after the name of the variable."""
    summaries = []
    for grad, variable in grads_and_vars:
        if grad is None:
            v1.logging.info("Var %s has no gradient", variable.op.name)
            continue
        values = grad.values if isinstance(grad, tf.IndexedSlices) else grad
        name = f"{variable.op.name}{separator}gradient"
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
                pairs = multiply_gradients(pairs, gradient_multipliers)
        if clip_gradient_norm > 0:
            with v1.name_scope("clip_grads"):
                pairs = clip_gradient_norms(pairs, clip_gradient_norm)
        return pairs

    if isinstance(global_step, int):
        global_step = v1.train.get_or_create_global_step()
    loss = _after_updates(total_loss, update_ops)
    trained = _trained(variables_to_train)
    grads = transform(
        optimizer.compute_gradients(
            loss,
            trained,
            gate_gradients=gate_gradients,
            aggregation_method=aggregation_method,
            colocate_gradients_with_ops=colocate_gradients_with_ops,
        )
    )
    if summarize_gradients:
        with v1.name_scope("summarize_grads"):
            _summaries(grads, "_")  # the one of contrib.training, which names them so
    applied = optimizer.apply_gradients(grads, global_step=global_step)
    with v1.name_scope("train_op"):
        if check_numerics:
            loss = v1.check_numerics(loss, "LossTensor is inf or nan")
        train_op = with_dependencies([applied], loss)
    listed = v1.get_collection_ref(v1.GraphKeys.TRAIN_OP)
    if not any(each is train_op for each in listed):
        listed.append(train_op)
    return train_op


def _changed(grad: Any, change: Any) -> Any:
    """`grad` with its numbers changed; None stays None."""
    if isinstance(grad, tf.IndexedSlices):
        return tf.IndexedSlices(change(grad.values), grad.indices, grad.dense_shape)
    return None if grad is None else change(grad)


def _multiplied(grad: Any, variable: Any, factor: Any) -> Any:
    if grad is None:
        raise ValueError(
            f"{variable.op.name} has no gradient that could be multiplied: leave it out of the multipliers"
        )
    scale = factor if isinstance(factor, tf.Tensor) else v1.constant(factor, dtype=grad.dtype)
    return _changed(grad, lambda g: g * scale)


def _after_updates(loss: Any, update_ops: Iterable[Any] | None) -> Any:
    collected = v1.get_collection(v1.GraphKeys.UPDATE_OPS)
    updates = list(collected if update_ops is None else update_ops)
    if any(not any(one is each for each in updates) for one in collected):
        v1.logging.warning("update_ops in create_train_op does not contain all the update_ops in GraphKeys.UPDATE_OPS")
    if not updates:
        return loss
    with v1.control_dependencies(updates):
        barrier = v1.no_op(name="update_barrier")
    return with_dependencies([barrier], loss)


def _trained(variables: Sequence[Any] | None) -> Sequence[Any]:
    if variables is None:
        variables = v1.trainable_variables()
    known = v1.trainable_variables()
    strange = [v for v in variables if not v.trainable and not any(v is each for each in known)]
    if strange or not variables:
        names = ", ".join(variable.op.name for variable in strange)
        raise AssertionError(f"not trainable: {names}" if strange else "there are no variables to train")
    return variables
