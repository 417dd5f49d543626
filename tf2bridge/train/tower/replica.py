"""One tower as a replica of a strategy: its gradients, their average over replicas, and their application.

While the graph is built, a replica runs in a thread of its own. Where replicas meet, `merge_call` goes on for all.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import tensorflow as tf

from tf2bridge.internals.distribution import DistributedVariable, PerReplica
from tf2bridge.internals.training import optimizer as optimizers
from tf2bridge.train.tower.averaging import check_present
from tf2bridge.train.tower.options import Gradients, Options
from tf2bridge.train.tower.refusals import TowerOptionError, UnevenGradientsError
from tf2bridge.train.tower.result import Tower, parts
from tf2bridge.train.tower.shared import Shared, averaging_apart
from tf2bridge.train.tower.synchronised import synchronised

v1 = tf.compat.v1


@dataclass
class Replicas:
    """What the replicas of one graph share, and their results.

    Attributes:
        options: The options of the towers.
        strategy: The strategy.
        scopes: The name scope of each replica.
        shared: The variables.
        var_list: The variables to train if the options name none.
        losses: The loss of each replica.
        outputs: The other outputs of each replica.
        gradients: The gradients of each replica.
        variables: The variables whose gradients are applied.
        averaged: The gradients that are applied.
        apply_op: The operation that applies them.
        train_op: The same, with update operations and moving averages.
    """

    options: Options
    strategy: tf.distribute.Strategy
    scopes: Sequence[str]
    shared: Shared
    var_list: Any = None
    losses: list[Any] = field(default_factory=list)
    outputs: list[Any] = field(default_factory=list)
    gradients: list[Gradients] = field(default_factory=list)
    variables: list[Any] = field(default_factory=list)
    averaged: Gradients = field(default_factory=list)
    apply_op: Any = None
    train_op: Any = None

    def __post_init__(self) -> None:
        if self.options.update_ops == "all":
            why = 'replicas update at the same time, not one after the other; choose "last", "first" or "mean"'
            raise TowerOptionError("update_ops", "all", why)

    def build(self, inputs: Sequence[Sequence[Any]]) -> None:
        """Builds all towers, and the operations that train.

        Args:
            inputs: The arguments of each tower.

        Raises:
            TowerResultError, NoGradientError, UnevenGradientsError: The tower function is wrong.
        """
        replaced: list[int] = []
        together = synchronised(replaced) if self.options.batch_norm == "synchronised" else contextlib.nullcontext()
        with together, averaging_apart():
            self.strategy.run(self._tower, args=(PerReplica(tuple(range(len(inputs)))), inputs))
        if self.options.batch_norm == "synchronised" and not replaced:
            why = "the tower function takes no moments over its batch by tf.nn.moments or tf.nn.fused_batch_norm"
            raise TowerOptionError("batch_norm", "synchronised", why)

    def _tower(self, index: int, inputs: Sequence[Sequence[Any]]) -> None:
        tower = Tower(index, self.scopes[index])
        with v1.name_scope(tower.scope), self.shared.creating():
            loss, others = parts(self.options.tower_fn(tower, *inputs[index]))
            share = 1 / len(self.scopes) if self.options.adds_shares else None
            gradients = self.options.gradients(loss, self.var_list, share)
        self.losses.append(loss)
        self.outputs.append(others)
        self.gradients.append(gradients)
        present = self._present(index, gradients)
        context = tf.distribute.get_replica_context()
        values = context.merge_call(self._average, args=([gradient for gradient, _ in present],))
        averaged = self.options.averaged(list(zip(values, self.variables, strict=True)))
        if not index:
            self.averaged = averaged
        updates = v1.get_collection(v1.GraphKeys.UPDATE_OPS, tower.scope) if self.options.update_ops else []
        context.merge_call(self._train, args=([gradient for gradient, _ in averaged], tf.group(*updates)))

    def _present(self, index: int, gradients: Gradients) -> Gradients:
        if self.options.none_gradients == "error" and self.options.average is None:
            check_present(index, gradients)
        missing = [
            {variable.name for gradient, variable in pairs if gradient is None}
            for pairs in (gradients, self.gradients[0])
        ]
        if uneven := missing[0] ^ missing[1]:
            raise UnevenGradientsError(sorted(uneven))
        return [(tf.convert_to_tensor(gradient), variable) for gradient, variable in gradients if gradient is not None]

    def _average(self, strategy: tf.distribute.Strategy, gradients: list[Any]) -> list[Any]:
        """Returns the average gradients, each replica its own copy. `gradients` hold the values of all replicas."""
        variables = [variable for gradient, variable in self.gradients[0] if gradient is not None]
        if self.options.average is None:
            self.variables = variables
            reduction = tf.distribute.ReduceOp.SUM if self.options.adds_shares else tf.distribute.ReduceOp.MEAN
            mean: list[Any] = strategy.extended.batch_reduce_to(reduction, list(zip(gradients, variables, strict=True)))
            return mean
        values = [strategy.experimental_local_results(gradient) for gradient in gradients]
        averaged = self.options.average(
            [list(zip(tower, variables, strict=True)) for tower in zip(*values, strict=True)]
        )
        self.variables = [variable for _, variable in averaged]
        return [gradient for gradient, _ in averaged]

    def _train(self, strategy: tf.distribute.Strategy, gradients: list[Any], updates: Any) -> None:
        self.apply_op = apply(strategy, self.options, list(zip(gradients, self.variables, strict=True)))
        with tf.control_dependencies([self.apply_op]):
            more = [] if self.options.averages is None else [self.options.averages.apply(self.variables)]
        with tf.control_dependencies(strategy.experimental_local_results(updates)):
            more += self.shared.evened(self.options.update_ops)
        self.train_op = tf.group(self.apply_op, *more) if more else self.apply_op


def apply(strategy: tf.distribute.Strategy, options: Options, gradients: Gradients) -> Any:
    """Applies averaged gradients to every replica's copy of the variables, and counts the step.

    This follows `Optimizer._distributed_apply` of python/training/optimizer.py, without its sum over replicas: the
    averaged gradients may have been clipped since.
    """
    optimizer, extended = options.optimizer, strategy.extended
    variables = [variable for _, variable in gradients]
    with tf.init_scope():
        optimizer._create_slots(variables)

    def update(variable: Any, gradient: Any) -> Any:
        with v1.name_scope("update_" + variable.name.partition(":")[0]):
            return optimizers._get_processor(variable).update_op(optimizer, gradient)

    with v1.name_scope(None, optimizer.get_name()) as name:
        optimizer._prepare()
        done = [
            op
            for gradient, variable in gradients
            for op in extended.update(variable, update, args=(gradient,), group=False)
        ]
        finished = extended.update_non_slot(
            extended.non_slot_devices(variables), optimizer._finish, args=(done, "update"), group=False
        )
        if options.global_step is None:
            return tf.group(*finished, name=name)
        with tf.control_dependencies(finished):
            return _count(strategy, options.global_step, name)


def _count(strategy: tf.distribute.Strategy, global_step: Any, name: str) -> Any:
    if isinstance(global_step, DistributedVariable):
        counted = strategy.extended.update(global_step, lambda variable: variable.assign_add(1), group=False)
    else:
        counted = [v1.assign_add(global_step, tf.ones([], global_step.dtype.base_dtype))]
    return tf.group(*counted, name=name)
