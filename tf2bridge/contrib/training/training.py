"""Train ops, which clip, multiply, summarize and apply gradients, and the loop that runs them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.messages import logging
from tf2bridge.contrib.training.ordering import with_dependencies
from tf2bridge.train.supervised.monitored import MonitoredTrainingSession

v1 = tf.compat.v1

GradientsAndVariables = Sequence[tuple[Any, Any]]
_USE_GLOBAL_STEP = 0


def add_gradients_summaries(grads_and_vars: GradientsAndVariables) -> list[Any]:
    """Returns two summaries of each gradient: its histogram and its norm."""
    summaries = []
    for grad, variable in grads_and_vars:
        if grad is None:
            logging.info("Var %s has no gradient", variable.op.name)
            continue
        values = grad.values if isinstance(grad, tf.IndexedSlices) else grad
        summaries.append(v1.summary.histogram(f"{variable.op.name}_gradient", values))
        summaries.append(v1.summary.scalar(f"{variable.op.name}_gradient_norm", v1.global_norm([values])))
    return summaries


def clip_gradient_norms(gradients_to_variables: GradientsAndVariables, max_norm: float) -> list[tuple[Any, Any]]:
    """Returns the pairs, with each gradient clipped to the norm `max_norm`."""
    return [
        (_mapped(grad, lambda values: v1.clip_by_norm(values, max_norm)), variable)
        for grad, variable in gradients_to_variables
    ]


def clip_gradient_norms_fn(max_norm: float) -> Callable[[GradientsAndVariables], list[tuple[Any, Any]]]:
    """Returns a function for `transform_grads_fn` that calls `clip_gradient_norms`."""

    def clip_norms(gradients_to_variables: GradientsAndVariables) -> list[tuple[Any, Any]]:
        return clip_gradient_norms(gradients_to_variables, max_norm)

    return clip_norms


def multiply_gradients(
    grads_and_vars: list[tuple[Any, Any]], gradient_multipliers: Mapping[Any, Any]
) -> list[tuple[Any, Any]]:
    """Returns the pairs, with gradients multiplied. The keys of `gradient_multipliers` are variables or op names.

    Raises:
        ValueError: an argument is not a list or dict, the dict is empty, or a gradient to multiply is None.
    """
    if not isinstance(grads_and_vars, list):
        raise ValueError(f"`grads_and_vars` must be a list of pairs, not {type(grads_and_vars).__name__}.")
    if not gradient_multipliers:
        raise ValueError("`gradient_multipliers` is empty.")
    if not isinstance(gradient_multipliers, dict):
        raise ValueError(f"`gradient_multipliers` must be a dict, not {type(gradient_multipliers).__name__}.")
    return [(_multiplied(grad, variable, gradient_multipliers), variable) for grad, variable in grads_and_vars]


def _multiplied(grad: Any, variable: Any, multipliers: Mapping[Any, Any]) -> Any:
    factor = next(
        (value for key, value in multipliers.items() if key is variable or _is_text(key, variable.op.name)), None
    )
    if factor is None:
        return grad
    if grad is None:
        raise ValueError(f"Requested multiple of `None` gradient: {variable.op.name} has none.")
    return _mapped(grad, lambda values: values * tf.convert_to_tensor(factor, dtype=grad.dtype))


def _is_text(key: Any, text: str) -> bool:
    return isinstance(key, str) and key == text


def _mapped(grad: Any, function: Callable[[Any], Any]) -> Any:
    """Applies `function` to a gradient, or to the values of a sparse gradient. Returns None for None."""
    if grad is None:
        return None
    if isinstance(grad, tf.IndexedSlices):
        return tf.IndexedSlices(function(grad.values), grad.indices, grad.dense_shape)
    return function(grad)


def create_train_op(
    total_loss: Any,
    optimizer: Any,
    global_step: Any = _USE_GLOBAL_STEP,
    update_ops: Any = None,
    variables_to_train: Any = None,
    transform_grads_fn: Callable[..., Any] | None = None,
    summarize_gradients: bool = False,
    gate_gradients: int = v1.train.Optimizer.GATE_OP,
    aggregation_method: Any = None,
    colocate_gradients_with_ops: bool = False,
    check_numerics: bool = True,
) -> Any:
    """Returns the train op: the loss as a tensor, which runs one update of `variables_to_train` first.

    By default all trainable variables are updated. `update_ops`, by default those of the collection, run before the
    loss. `global_step` counts the steps; it is made if it is not given, and None counts no steps. The tensor is added
    to the collection "train_op".
    """
    if global_step is _USE_GLOBAL_STEP:
        global_step = v1.train.get_or_create_global_step()
    total_loss = _after_updates(total_loss, update_ops)
    if variables_to_train is None:
        variables_to_train = v1.trainable_variables()
    else:
        trainable = v1.trainable_variables()
        for variable in variables_to_train:
            assert variable.trainable or any(variable is candidate for candidate in trainable), (
                f"{variable} is not trainable"
            )
    assert variables_to_train, "there is no variable to train"
    grads = optimizer.compute_gradients(
        total_loss,
        variables_to_train,
        gate_gradients=gate_gradients,
        aggregation_method=aggregation_method,
        colocate_gradients_with_ops=colocate_gradients_with_ops,
    )
    if transform_grads_fn:
        grads = transform_grads_fn(grads)
    if summarize_gradients:
        with v1.name_scope("summarize_grads"):
            add_gradients_summaries(grads)
    updates = optimizer.apply_gradients(grads, global_step=global_step)
    with v1.name_scope("train_op"):
        if check_numerics:
            total_loss = v1.check_numerics(total_loss, "LossTensor is inf or nan")
        train_op = with_dependencies([updates], total_loss)
    collected = v1.get_collection_ref(v1.GraphKeys.TRAIN_OP)
    if not any(train_op is collected_op for collected_op in collected):
        collected.append(train_op)
    return train_op


def _after_updates(loss: Any, update_ops: Any) -> Any:
    collected = _distinct(v1.get_collection(v1.GraphKeys.UPDATE_OPS))
    chosen = collected if update_ops is None else _distinct(update_ops)
    if any(all(update_op is not chosen_op for chosen_op in chosen) for update_op in collected):
        logging.warning("create_train_op: update_ops leaves out some of the collection UPDATE_OPS")
    if not chosen:
        return loss
    with tf.control_dependencies(chosen):
        barrier = v1.no_op(name="update_barrier")
    return with_dependencies([barrier], loss)


def _distinct(ops: Any) -> list[Any]:
    return list({id(op): op for op in ops}.values())


def train(
    train_op: Any,
    logdir: str | None,
    master: str = "",
    is_chief: bool = True,
    scaffold: Any = None,
    hooks: Any = None,
    chief_only_hooks: Any = None,
    save_checkpoint_secs: int | None = 600,
    save_summaries_steps: int | None = 100,
    config: Any = None,
    max_wait_secs: int = 7200,
    run_metadata: Any = None,
) -> Any:
    """Runs `train_op` until a hook stops the session. Returns its last value, or None if it never ran.

    Raises:
        ValueError: the chief should save, and `logdir` is missing.
    """
    if logdir is None and is_chief:
        for name, given in (
            ("save_summaries_steps", save_summaries_steps),
            ("save_checkpoint_secs", save_checkpoint_secs),
        ):
            if given:
                raise ValueError(f"logdir cannot be None when {name} is not None")
    with MonitoredTrainingSession(
        master=master,
        is_chief=is_chief,
        checkpoint_dir=logdir,
        scaffold=scaffold,
        hooks=hooks,
        chief_only_hooks=chief_only_hooks,
        save_checkpoint_secs=save_checkpoint_secs,
        save_summaries_steps=save_summaries_steps,
        config=config,
        max_wait_secs=max_wait_secs,
    ) as session:
        loss = None
        while not session.should_stop():
            loss = session.run(train_op, run_metadata=run_metadata)
    return loss
