"""Towers under a strategy, in a graph that sessions run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from tf2bridge.train.tower.options import Options
from tf2bridge.train.tower.replica import Replicas
from tf2bridge.train.tower.result import Towers
from tf2bridge.train.tower.shared import Shared

v1 = tf.compat.v1


def build(options: Options, strategy: tf.distribute.Strategy, inputs: Sequence[Sequence[Any]]) -> Towers:
    """Builds a tower for each replica, and the operations that train.

    Args:
        options: The options of the towers.
        strategy: The strategy, whose replicas are the towers.
        inputs: The arguments of each tower.

    Raises:
        TowerResultError, NoGradientError, UnevenGradientsError: The tower function is wrong.
    """
    graph = v1.get_default_graph()
    scopes = [f"{graph.unique_name(f'{options.name}_{index}')}/" for index in range(len(inputs))]
    replicas = Replicas(options, strategy, scopes, Shared())
    with strategy.scope():
        replicas.build(inputs)
    return Towers(replicas.losses, replicas.outputs, replicas.averaged, replicas.apply_op, replicas.train_op)
