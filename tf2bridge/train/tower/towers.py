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
    """Builds a copy of a model for each device, and what trains their shared variables by averaged gradients.

    `tower_fn(tower, *inputs)` builds one copy with TF 1.x code and `tf.get_variable`; see `Tower`. It returns the
    tower's loss, a scalar, or a tuple of the loss and other results.

    - In a graph without a strategy, towers stand on `devices`, or on the first `num_towers` GPUs. Their operations are
      those of the legacy loop (cifar10_multi_gpu_train.py).
    - In a graph with a `tf.distribute.MirroredStrategy`, each tower is a replica, on the strategy's devices.
    - In an eager program, under a strategy, `step(*batch)` of the result trains.

    Variables have the same names in all three cases, and each case restores what another one saved. Towers must not
    read variables that the step changes, other than their own.

    Args:
        tower_fn: The function that builds one copy.
        optimizer: An optimizer of tf.compat.v1.train, or a function from the global step to the optimizer.
        strategy: The strategy whose replicas are the towers.
        inputs: In a graph, tensors of a whole batch, [batch, ...], which the towers share. In an eager program, specs
            of a whole batch.
        num_towers: The number of towers.
        devices: The device of each tower.
        name: The prefix of the towers' name scopes: "tower_0" and so on.
        global_step: The variable that counts the steps. An eager program gets one by default.
        var_list: The variables to train, or a function that returns them when a tower is built. All by default.
        colocate_gradients_with_ops: As in `compute_gradients`.
        average: A function in place of the mean, as `average_gradients` of the tutorials: it takes a list of
            (gradient, variable) for each tower and returns one such list.
        clip: A function that takes the list of gradients and returns it clipped.
        clip_when: "before" clips each tower's gradients before they are averaged, "after" clips the average.
        none_gradients: "error", or "skip" for variables on which a loss does not depend.
        update_ops: The tower whose UPDATE_OPS run with the training: "first", "last", "all" (without a strategy), None,
            or (under a strategy) "mean" for the mean of the towers' updates.
        batch_norm: "tower" normalizes by the moments of the tower's own part of a batch; "synchronised", under a
            strategy, by the moments of the whole batch.
        averages: A tf.compat.v1.train.ExponentialMovingAverage of the trained variables, updated after them.

    Returns:
        In a graph, `Towers`, which sessions run. In an eager program, `SteppedTowers`.

    Raises:
        TowerOptionError, TowerResultError, NoGradientError, UnevenGradientsError, UnevenBatchError, NoInputsError,
            NoStrategyError, OwnVariableError, ZeroDebiasError: An argument is wrong. An eager program also raises what
            `tf2bridge.wrap` raises.
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
        places = _devices(num_towers, devices)
        return in_session.build(options, places, split(arguments, len(places)))
    if num_towers not in (None, strategy.num_replicas_in_sync) or devices is not None:
        replicas = f"the strategy has {strategy.num_replicas_in_sync} replicas, on devices of its own"
        name, value = ("num_towers", num_towers) if devices is None else ("devices", devices)
        raise TowerOptionError(name, value, replicas)
    if eager:
        return _stepped(options, strategy, arguments)
    return mirrored_session.build(options, strategy, split(arguments, strategy.num_replicas_in_sync))


def _stepped(options: Options, strategy: tf.distribute.Strategy, inputs: Sequence[Any]) -> SteppedTowers:
    if not inputs or not all(isinstance(spec, tf.TypeSpec) for spec in tf.nest.flatten(inputs)):
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
