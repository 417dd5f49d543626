"""The EstimatorSpec of a model, for each mode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.gan.train.hooks import get_sequential_train_hooks
from tf2bridge.contrib.gan.train.train_ops import gan_train_ops
from tf2bridge.estimator.mode_keys import ModeKeys
from tf2bridge.estimator.model_spec import EstimatorSpec

v1 = tf.compat.v1
Function = Callable[..., Any]


def estimator_spec(
    mode: str,
    model: Any,
    loss_fn: Function | None,
    get_eval_metric_ops_fn: Function | None = None,
    optimizers: tuple[Any, Any] = (None, None),
    get_hooks_fn: Function | None = None,
) -> Any:
    """Returns the EstimatorSpec of a mode. `optimizers` are the generator's and the discriminator's, or make them."""
    if mode == ModeKeys.PREDICT:
        return EstimatorSpec(mode=mode, predictions=model.generated_data)
    loss = loss_fn(model)  # type: ignore[misc]  # the estimators have checked it
    if mode == ModeKeys.EVAL:
        return evaluation_spec(model, loss, get_eval_metric_ops_fn)
    made = [optimizer() if callable(optimizer) else optimizer for optimizer in optimizers]
    return training_spec(model, loss, made, get_hooks_fn or get_sequential_train_hooks())


def evaluation_spec(model: Any, loss: Any, get_eval_metric_ops_fn: Function | None, name: str | None = None) -> Any:
    """Returns the EstimatorSpec of evaluation. Raises TypeError if the metrics function returns no dictionary."""
    suffix = f"/{name}" if name else ""
    total = loss.generator_loss + loss.discriminator_loss
    with v1.name_scope(None, "metrics", list(loss)):
        metrics = {
            f"generator_loss{suffix}": v1.metrics.mean(loss.generator_loss),
            f"discriminator_loss{suffix}": v1.metrics.mean(loss.discriminator_loss),
        }
        if get_eval_metric_ops_fn is not None:
            more = get_eval_metric_ops_fn(model)
            if not isinstance(more, dict):
                raise TypeError(f"get_eval_metric_ops_fn returned {more!r}; it must return a dictionary")
            metrics.update(more)
    return EstimatorSpec(mode=ModeKeys.EVAL, predictions=model.generated_data, loss=total, eval_metric_ops=metrics)


def training_spec(
    model: Any, loss: Any, optimizers: Any, get_hooks_fn: Function, train_op_fn: Function = gan_train_ops
) -> Any:
    """Returns the EstimatorSpec of training: the train op counts steps, the hooks train."""
    total = loss.generator_loss + loss.discriminator_loss
    train_ops = train_op_fn(model, loss, *optimizers)
    hooks = get_hooks_fn(train_ops)
    step_op = train_ops.global_step_inc_op
    return EstimatorSpec(mode=ModeKeys.TRAIN, loss=total, train_op=step_op, training_hooks=hooks)
