"""Towers in an eager program: a step on live variables, under a strategy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import tensorflow as tf

from tf2bridge.formats.checkpoints.opening import open as open_checkpoint
from tf2bridge.graph.tf1_ways import tf1_ways
from tf2bridge.train.tower.batches import check, split
from tf2bridge.train.tower.live import LiveVariables
from tf2bridge.train.tower.options import Options
from tf2bridge.train.tower.refusals import OtherVariablesError
from tf2bridge.train.tower.replica import Replicas
from tf2bridge.train.tower.result import mean

v1 = tf.compat.v1


class StepResult(NamedTuple):
    """Of one step. loss: the mean of losses; losses: of each tower; outputs: what each function returned beside it."""

    loss: tf.Tensor
    losses: list[tf.Tensor]
    outputs: list[Any]


class SteppedTowers:
    """Towers whose step is a function: `step(images, labels)` computes, averages and applies the gradients.

    variables: name -> variable, as the legacy program calls it, slots, moving averages and the global step among them.
    """

    def __init__(
        self, options: Options, strategy: tf.distribute.Strategy, inputs: Sequence[Any], live: LiveVariables
    ) -> None:
        """`inputs` describe a whole batch; `live` are the variables that the tower function uses."""
        self._options, self._strategy, self._live = options, strategy, live
        self._count = strategy.num_replicas_in_sync
        self._whole = tf.function(self._run_whole, autograph=False)
        self._distributed = tf.function(self._run_distributed, autograph=False)
        with tf1_ways():
            self._whole.get_concrete_function(*inputs)
        self.variables: Mapping[str, tf.Variable] = live.saved | _named(_kept_beside(options, live.trainable))

    @property
    def global_step(self) -> int:
        """How many steps have been taken."""
        return int(self._options.global_step.numpy())

    def step(self, *batch: Any) -> StepResult:
        """Takes a step on a whole batch, which the towers share, or on one that the strategy has distributed.

        Raises UnevenBatchError.
        """
        taken: StepResult
        with tf1_ways():
            if all(isinstance(each, tf.distribute.DistributedValues) for each in tf.nest.flatten(batch)):
                taken = self._distributed(*batch)
            else:
                check(batch, self._count)
                taken = self._whole(*batch)
        return taken

    def save(self, prefix: str | Path, global_step: int | None = None) -> str:
        """Writes a checkpoint as the legacy program's Saver does, and returns its prefix."""
        copies = {name: self._strategy.experimental_local_results(each)[0] for name, each in self.variables.items()}
        path: str = v1.train.Saver(copies).save(None, str(prefix), global_step=global_step, write_meta_graph=False)
        return path

    def restore(self, prefix: str | Path) -> None:
        """Reads a checkpoint of the legacy program, or of `save`; tensors of other names are left alone.

        Raises what `tf2bridge.checkpoint.open` does, and OtherVariablesError for variables that it does not hold.
        """
        with open_checkpoint(prefix) as held:
            missing = [name for name in self.variables if name not in held]
            if missing:
                raise OtherVariablesError(prefix, missing)
            for name, variable in self.variables.items():
                variable.assign(np.asarray(held[name]).astype(variable.dtype.as_numpy_dtype))

    def _run_whole(self, *batch: Any) -> StepResult:
        return self._run_parts(split(batch, self._count))

    def _run_distributed(self, *batch: Any) -> StepResult:
        found = [self._strategy.experimental_local_results(each) for each in tf.nest.flatten(batch)]
        return self._run_parts([tf.nest.pack_sequence_as(batch, each) for each in zip(*found, strict=True)])

    def _run_parts(self, inputs: Sequence[Sequence[Any]]) -> StepResult:
        graph = v1.get_default_graph()
        for each in list(graph.collections):
            graph.clear_collection(each)  # a function shares those of the process, the store of variables among them
        scopes = [f"{self._options.name}_{index}/" for index in range(self._count)]
        replicas = Replicas(self._options, self._strategy, scopes, self._live, self._live.trainable)
        replicas.build(inputs)
        return StepResult(mean(replicas.losses), replicas.losses, replicas.outputs)


def _kept_beside(options: Options, trained: Sequence[tf.Variable]) -> list[tf.Variable]:
    """The optimizer's slots and counters, and the moving averages."""
    optimizer, averages = options.optimizer, options.averages
    slots = [optimizer.get_slot(variable, name) for name in optimizer.get_slot_names() for variable in trained]
    means = [] if averages is None else [averages.average(variable) for variable in trained]
    return [each for each in (*slots, *optimizer._non_slot_dict.values(), *means) if each is not None]


def _named(variables: Sequence[tf.Variable]) -> dict[str, tf.Variable]:
    return {variable.name.partition(":")[0]: variable for variable in variables}
