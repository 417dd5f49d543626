"""Towers in an eager program: a training step on live variables, under a strategy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import tensorflow as tf

from tf2bridge.formats.checkpoints.opening import open as open_checkpoint
from tf2bridge.graph.tf1_behaviour import tf1_ways
from tf2bridge.train.tower.batches import check, split
from tf2bridge.train.tower.live import LiveVariables
from tf2bridge.train.tower.options import Options
from tf2bridge.train.tower.refusals import OtherVariablesError
from tf2bridge.train.tower.replica import Replicas
from tf2bridge.train.tower.result import mean

v1 = tf.compat.v1


class StepResult(NamedTuple):
    """The result of one step.

    Attributes:
        loss: The mean of the losses, a scalar.
        losses: The loss of each tower.
        outputs: What each tower function returned beside the loss.
    """

    loss: tf.Tensor
    losses: list[tf.Tensor]
    outputs: list[Any]


class SteppedTowers:
    """Towers whose step is a function: `step(images, labels)` computes, averages and applies the gradients.

    Attributes:
        variables: Name in the legacy program -> variable, including slots, moving averages and the global step.
    """

    def __init__(
        self, options: Options, strategy: tf.distribute.Strategy, inputs: Sequence[Any], live: LiveVariables
    ) -> None:
        """Builds the step. `inputs` are specs of a whole batch; `live` holds the variables of the tower function."""
        self._options, self._strategy, self._live = options, strategy, live
        self._count = strategy.num_replicas_in_sync
        self._whole = tf.function(self._run_whole, autograph=False)
        self._distributed = tf.function(self._run_distributed, autograph=False)
        with tf1_ways():
            self._whole.get_concrete_function(*inputs)
        self.variables: Mapping[str, tf.Variable] = live.saved | _named(_kept_beside(options, live.trainable))

    @property
    def global_step(self) -> int:
        """Returns the number of steps that have been taken."""
        return int(self._options.global_step.numpy())

    def step(self, *batch: Any) -> StepResult:
        """Takes a step on a whole batch, which the towers share, or on a batch that the strategy has distributed.

        Raises:
            UnevenBatchError: The towers cannot share the batch equally.
        """
        taken: StepResult
        with tf1_ways():
            if all(isinstance(tensor, tf.distribute.DistributedValues) for tensor in tf.nest.flatten(batch)):
                taken = self._distributed(*batch)
            else:
                check(batch, self._count)
                taken = self._whole(*batch)
        return taken

    def save(self, prefix: str | Path, global_step: int | None = None) -> str:
        """Writes a checkpoint as the legacy program's Saver does, and returns its prefix."""
        copies = {
            name: self._strategy.experimental_local_results(variable)[0] for name, variable in self.variables.items()
        }
        path: str = v1.train.Saver(copies).save(None, str(prefix), global_step=global_step, write_meta_graph=False)
        return path

    def restore(self, prefix: str | Path) -> None:
        """Reads a checkpoint of the legacy program, or of `save`. Tensors with other names are ignored.

        Raises:
            OtherVariablesError: The checkpoint lacks variables. What `tf2bridge.checkpoint.open` raises is raised, too.
        """
        with open_checkpoint(prefix) as checkpoint:
            missing = [name for name in self.variables if name not in checkpoint]
            if missing:
                raise OtherVariablesError(prefix, missing)
            for name, variable in self.variables.items():
                variable.assign(np.asarray(checkpoint[name]).astype(variable.dtype.as_numpy_dtype))

    def _run_whole(self, *batch: Any) -> StepResult:
        return self._run_parts(split(batch, self._count))

    def _run_distributed(self, *batch: Any) -> StepResult:
        values = [self._strategy.experimental_local_results(tensor) for tensor in tf.nest.flatten(batch)]
        return self._run_parts([tf.nest.pack_sequence_as(batch, part) for part in zip(*values, strict=True)])

    def _run_parts(self, inputs: Sequence[Sequence[Any]]) -> StepResult:
        graph = v1.get_default_graph()
        for name in list(graph.collections):
            graph.clear_collection(name)  # a function shares the process's collections, with the store of variables
        scopes = [f"{self._options.name}_{index}/" for index in range(self._count)]
        replicas = Replicas(self._options, self._strategy, scopes, self._live, self._live.trainable)
        replicas.build(inputs)
        return StepResult(mean(replicas.losses), replicas.losses, replicas.outputs)


def _kept_beside(options: Options, trained: Sequence[tf.Variable]) -> list[tf.Variable]:
    """Returns the optimizer's slots and counters, and the moving averages."""
    optimizer, averages = options.optimizer, options.averages
    slots = [optimizer.get_slot(variable, name) for name in optimizer.get_slot_names() for variable in trained]
    means = [] if averages is None else [averages.average(variable) for variable in trained]
    return [variable for variable in (*slots, *optimizer._non_slot_dict.values(), *means) if variable is not None]


def _named(variables: Sequence[tf.Variable]) -> dict[str, tf.Variable]:
    return {variable.name.partition(":")[0]: variable for variable in variables}
