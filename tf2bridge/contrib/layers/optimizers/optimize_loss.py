"""`optimize_loss`: gradients, noise, multipliers, clipping, summaries and updates in one training op."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour import seeds
from tf2bridge.contrib.layers.optimizers.gradient_changes import clipped_by_norm, multiplied, with_noise
from tf2bridge.internals.ops import control_flow_ops

v1 = tf.compat.v1
Pairs = list[tuple[Any, Any]]

OPTIMIZER_CLS_NAMES: dict[str, Callable[..., Any]] = {
    "Adagrad": v1.train.AdagradOptimizer,
    "Adam": v1.train.AdamOptimizer,
    "Ftrl": v1.train.FtrlOptimizer,
    "Momentum": lambda learning_rate: v1.train.MomentumOptimizer(learning_rate, momentum=0.9),
    "RMSProp": v1.train.RMSPropOptimizer,
    "SGD": v1.train.GradientDescentOptimizer,
}

OPTIMIZER_SUMMARIES = ["learning_rate", "loss", "gradients", "gradient_norm", "global_gradient_norm"]


def optimize_loss(
    loss: Any,
    global_step: Any,
    learning_rate: Any,
    optimizer: Any,
    gradient_noise_scale: float | None = None,
    gradient_multipliers: Any = None,
    clip_gradients: Any = None,
    learning_rate_decay_fn: Callable[[Any, Any], Any] | None = None,
    update_ops: Any = None,
    variables: Any = None,
    name: Any = None,
    summaries: Sequence[str] | None = None,
    colocate_gradients_with_ops: bool = False,
    increment_global_step: bool = True,
) -> Any:
    """Returns the scalar `loss`. Running it runs one step of `optimizer` first.

    `optimizer` is a name in OPTIMIZER_CLS_NAMES, a class, an optimizer, or a function that returns an optimizer. The
    function receives the learning rate if there is one. `clip_gradients` is a global norm, or a function of the
    (gradient, variable) pairs. `update_ops` (by default the collection UPDATE_OPS) run before the step.

    Raises:
        ValueError: the learning rate, optimizer, summaries or clipping are not valid, or no gradient is left.
    """
    loss = tf.convert_to_tensor(loss)
    v1.debugging.assert_scalar(loss)
    if global_step is None:
        global_step = v1.train.get_global_step()
    else:
        v1.train.assert_global_step(global_step)
        if not hasattr(global_step, "assign_add"):
            raise TypeError(f"global_step must be a variable, not {global_step}")
    with v1.variable_scope(name, "OptimizeLoss", [loss, global_step]):
        updates = v1.get_collection(v1.GraphKeys.UPDATE_OPS) if update_ops is None else update_ops
        if updates:
            loss = _after(list(dict.fromkeys(updates)), loss)
        wanted = _wanted(summaries)
        rate = _learning_rate(learning_rate)
        if rate is not None and learning_rate_decay_fn is not None:
            rate = _decayed(rate, learning_rate_decay_fn, global_step, wanted)
        chosen = _optimizer(optimizer, rate)
        trained = v1.trainable_variables() if variables is None else variables
        pairs = chosen.compute_gradients(loss, trained, colocate_gradients_with_ops=colocate_gradients_with_ops)
        if gradient_noise_scale is not None:
            pairs = with_noise(pairs, gradient_noise_scale)
        if gradient_multipliers is not None:
            pairs = multiplied(pairs, gradient_multipliers)
        pairs = _clipped(pairs, clip_gradients, wanted)
        _summarize(loss, pairs, clip_gradients, wanted)
        step = global_step if increment_global_step else None
        return _after([chosen.apply_gradients(pairs, global_step=step, name="train")], loss)


def _after(dependencies: list[Any], tensor: Any) -> Any:
    return control_flow_ops.with_dependencies(dependencies, tensor)


def _wanted(summaries: Sequence[str] | None) -> Sequence[str]:
    if summaries is None:
        return ("loss", "learning_rate", *(() if seeds.installed() == "0.12.1" else ("global_gradient_norm",)))
    for summary in summaries:
        if summary not in OPTIMIZER_SUMMARIES:
            raise ValueError(f"unknown summary {summary!r}: use some of {', '.join(OPTIMIZER_SUMMARIES)}")
    return summaries


def _learning_rate(given: Any) -> Any:
    """Returns the learning rate. A number becomes the variable `learning_rate`."""
    if given is None or (isinstance(given, tf.Tensor) and given.shape.rank == 0):
        return given
    if not isinstance(given, float):
        raise ValueError(f"the learning rate must be a float or a scalar tensor, not {given!r}")
    if given < 0.0:
        raise ValueError(f"the learning rate is {given}, below 0")
    return v1.get_variable("learning_rate", [], trainable=False, initializer=v1.constant_initializer(given))


def _decayed(rate: Any, decay: Callable[[Any, Any], Any], global_step: Any, wanted: Sequence[str]) -> Any:
    if global_step is None:
        raise ValueError(
            "global_step is required for learning_rate_decay_fn; make one with tf.train.create_global_step()"
        )
    rate = decay(rate, global_step)
    if "learning_rate" in wanted:
        v1.summary.scalar("learning_rate", rate)
    return rate


def _optimizer(given: Any, rate: Any) -> Any:
    base = v1.train.Optimizer
    if isinstance(given, base):
        return given
    named = isinstance(given, str)
    if named or (isinstance(given, type) and issubclass(given, base)):
        if rate is None:
            raise ValueError(f"the optimizer {given} needs a learning_rate, which is None")
        if named and given not in OPTIMIZER_CLS_NAMES:
            raise ValueError(f"unknown optimizer {given!r}: use one of {', '.join(OPTIMIZER_CLS_NAMES)}")
        return (OPTIMIZER_CLS_NAMES[given] if named else given)(learning_rate=rate)
    if callable(given):
        made = given() if rate is None else given(rate)
        if isinstance(made, base):
            return made
        raise ValueError(f"the function given as optimizer must return an Optimizer, not {made!r}")
    raise ValueError(f"an optimizer is a name, a class, an Optimizer or a function, not {given!r}")


def _clipped(pairs: Pairs, clip: Any, wanted: Sequence[str]) -> Pairs:
    if "global_gradient_norm" in wanted or "gradient_norm" in wanted:
        v1.summary.scalar("global_norm/gradient_norm", _global_norm(pairs))
    if clip is None:
        return pairs
    if isinstance(clip, float):
        return clipped_by_norm(pairs, clip)
    if callable(clip):
        return list(clip(pairs))
    raise ValueError(f"clip_gradients is a float or a function, not a {type(clip).__name__}")


def _summarize(loss: Any, pairs: Pairs, clip: Any, wanted: Sequence[str]) -> None:
    if "loss" in wanted:
        v1.summary.scalar("loss", loss)
    for gradient, variable in pairs:
        values = gradient.values if isinstance(gradient, tf.IndexedSlices) else gradient
        if values is None:
            continue
        tag = variable.name.replace(":", "_")
        if "gradients" in wanted:
            v1.summary.histogram(f"gradients/{tag}", values)
        if "gradient_norm" in wanted:
            v1.summary.scalar(f"gradient_norm/{tag}", tf.linalg.global_norm([values]))
    if clip is not None and ("global_gradient_norm" in wanted or "gradient_norm" in wanted):
        v1.summary.scalar("global_norm/clipped_gradient_norm", _global_norm(pairs))


def _global_norm(pairs: Pairs) -> Any:
    return tf.linalg.global_norm([gradient for gradient, _ in pairs])
