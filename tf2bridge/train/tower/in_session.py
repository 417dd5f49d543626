"""Towers as legacy programs build them: in one graph, on devices, with reused variables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from tf2bridge.train.tower.averaging import average_gradients, check_present
from tf2bridge.train.tower.options import Gradients, Options
from tf2bridge.train.tower.refusals import TowerOptionError
from tf2bridge.train.tower.result import Tower, Towers, parts

v1 = tf.compat.v1


def build(options: Options, devices: Sequence[Any], inputs: Sequence[Sequence[Any]]) -> Towers:
    """Builds a tower on each device, and the operations that train.

    Args:
        options: The options of the towers.
        devices: The device of each tower.
        inputs: The arguments of each tower.

    Raises:
        TowerResultError, NoGradientError, TowerOptionError: The tower function or an option is wrong.
    """
    if options.update_ops == "mean":
        raise TowerOptionError("update_ops", "mean", "only a strategy can average what towers update; choose a tower")
    if options.batch_norm != "tower":
        raise TowerOptionError("batch_norm", options.batch_norm, "only the replicas of a strategy can have it")
    losses, outputs, scopes, gradients = [], [], [], []
    with v1.variable_scope(v1.get_variable_scope(), auxiliary_name_scope=False) as variables:
        for index, device in enumerate(devices):
            with v1.device(device), v1.name_scope(f"{options.name}_{index}") as scope:
                loss, others = parts(options.tower_fn(Tower(index, scope), *inputs[index]))
                variables.reuse_variables()
                gradients.append(options.gradients(loss))
            losses.append(loss)
            outputs.append(others)
            scopes.append(scope)
    averaged = options.averaged(_average(options, gradients))
    applied = options.optimizer.apply_gradients(averaged, global_step=options.global_step)
    return Towers(losses, outputs, averaged, applied, _train_op(options, applied, scopes, averaged))


def _average(options: Options, gradients: list[Gradients]) -> Gradients:
    if options.average is not None:
        return options.average(gradients)
    if options.none_gradients == "error":
        for index, pairs in enumerate(gradients):
            check_present(index, pairs)
    return average_gradients(gradients)


def _train_op(options: Options, applied: Any, scopes: Sequence[str], averaged: Gradients) -> Any:
    chosen = {"last": scopes[-1:], "first": scopes[:1], "all": scopes, None: ()}[options.update_ops]
    more = [update for scope in chosen for update in v1.get_collection(v1.GraphKeys.UPDATE_OPS, scope)]
    if options.averages is not None:
        with tf.control_dependencies([applied]):
            more.append(options.averages.apply([variable for _, variable in averaged]))
    return tf.group(applied, *more) if more else applied
