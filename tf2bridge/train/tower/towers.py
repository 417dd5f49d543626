"""`towers`: a tower function on several devices, in a session's graph or under a strategy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

from tf2bridge.train.tower import in_session, mirrored_session
from tf2bridge.train.tower.batches import of_one, split
from tf2bridge.train.tower.live import LiveVariables
from tf2bridge.train.tower.options import Gradients, Options
from tf2bridge.train.tower.refusals import NoInputsError, NoStrategyError, TowerOptionError
from tf2bridge.train.tower.step import SteppedTowers

v1 = tf.compat.v1


def towers(
    tower_fn: Callable[..., Any],
    optimizer: Any,
    strategy: tf.distribute.Strategy | None = None,
    inputs: Any = (),
    *,
    num_towers: int | None = None,
    devices: Sequence[Any] | None = None,
    name: str = "tower",
    global_step: Any = None,
    var_list: Any = None,
    colocate_gradients_with_ops: bool = False,
    average: Callable[[list[Gradients]], Gradients] | None = None,
    clip: Callable[[list[Any]], Sequence[Any]] | None = None,
    clip_when: str = "after",
    none_gradients: str = "error",
    update_ops: str | None = "last",
    batch_norm: str = "tower",
    averages: Any = None,
) -> Any:
    """Builds a copy of a model for each device, and what trains their shared variables by the averaged gradients.

    `tower_fn(tower, *inputs)` builds one copy, of TF 1.x code with `tf.get_variable`; see `Tower`. It returns the
    tower's loss, a scalar, or a tuple of the loss and what else is wanted. `optimizer` is one of tf.compat.v1.train,
    or a function that makes it of the global step.

    In a graph, this gives `Towers`, to be run in sessions. `inputs` are tensors of a whole batch, [batch, ...], which
    the towers share. Without a strategy they stand on `devices`, or on the first `num_towers` GPUs, and their
    operations are those of the legacy loop (cifar10_multi_gpu_train.py). With a `tf.distribute.MirroredStrategy` each
    is a replica, on its devices. In an eager program, under a strategy, this gives `SteppedTowers`, whose
    `step(*batch)` trains; `inputs` are then specs of a whole batch. Variables have the same names in all three, and
    what one saves another restores. Towers must not read variables that the step changes, other than their own.

    name: towers are in name scopes "tower_0" and so on. global_step: counts the steps; an eager program gets one.
    var_list: the variables to train, or a function that gives them when a tower is built; default, all.
    average: in place of the mean, a function as `average_gradients` of the tutorials: it takes a list of
    (gradient, variable) for each tower, and returns one. clip: takes the list of gradients and returns it clipped, of
    each tower "before" they are averaged, or "after".
    none_gradients: "error", or "skip" for variables of which a loss does not know. update_ops: the UPDATE_OPS of which
    tower are run with the training, "first", "last", "all" (without a strategy), None, or (under one) the "mean" of
    what they update. batch_norm: each "tower" normalizes by the moments of its own part of a batch, or, "synchronised"
    under a strategy, by those of the whole. averages: a tf.compat.v1.train.ExponentialMovingAverage of what is trained,
    updated after it.

    Raises TowerOptionError, TowerResultError, NoGradientError, UnevenGradientsError, UnevenBatchError, NoInputsError,
    NoStrategyError, OwnVariableError, ZeroDebiasError, and for an eager program what `tf2bridge.wrap` does.
    """
    eager = tf.executing_eagerly()
    if eager and strategy is None:
        raise NoStrategyError()
    if eager and global_step is None:
        global_step = _global_step(strategy)
    elif not eager and callable(optimizer) and global_step is None:
        global_step = v1.train.get_or_create_global_step()
    options = Options(
        tower_fn,
        optimizer(global_step) if callable(optimizer) else optimizer,
        name,
        global_step,
        var_list,
        colocate_gradients_with_ops,
        average,
        clip,
        clip_when,
        none_gradients,
        update_ops,
        batch_norm,
        averages,
    )
    arguments = inputs if isinstance(inputs, tuple | list) else (inputs,)
    if strategy is None:
        found = _devices(num_towers, devices)
        return in_session.build(options, found, split(arguments, len(found)))
    if num_towers not in (None, strategy.num_replicas_in_sync) or devices is not None:
        replicas = f"the strategy has {strategy.num_replicas_in_sync} replicas, on devices of its own"
        name, value = ("num_towers", num_towers) if devices is None else ("devices", devices)
        raise TowerOptionError(name, value, replicas)
    if eager:
        return _stepped(options, strategy, arguments)
    return mirrored_session.build(options, strategy, split(arguments, strategy.num_replicas_in_sync))


def _stepped(options: Options, strategy: tf.distribute.Strategy, inputs: Sequence[Any]) -> SteppedTowers:
    if not inputs or not all(isinstance(each, tf.TypeSpec) for each in tf.nest.flatten(inputs)):
        raise NoInputsError()
    with strategy.scope():
        live = LiveVariables(options.tower_fn, of_one(inputs, strategy.num_replicas_in_sync), options.name)
    live.saved["global_step"] = options.global_step
    return SteppedTowers(options, strategy, inputs, live)


def _global_step(strategy: tf.distribute.Strategy) -> Any:
    first = tf.VariableAggregation.ONLY_FIRST_REPLICA
    with strategy.scope():
        return tf.Variable(tf.zeros([], tf.int64), trainable=False, name="global_step", aggregation=first)


def _devices(count: int | None, devices: Sequence[Any] | None) -> Sequence[Any]:
    if devices is not None:
        if count not in (None, len(devices)):
            raise TowerOptionError("num_towers", count, f"there are {len(devices)} devices")
        return devices
    if count is not None and count < 1:
        raise TowerOptionError("num_towers", count, "there must be one")
    return [f"/gpu:{index}" for index in range(count or len(tf.config.list_logical_devices("GPU")) or 1)]
