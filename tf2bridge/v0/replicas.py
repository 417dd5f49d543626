"""`tf.train.SyncReplicasOptimizer` of 0.12, which 1.0 replaced by what 0.12 calls SyncReplicasOptimizerV2."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.refusals import ArgumentError
from tf2bridge.train.replicas.optimizer import SyncReplicasOptimizer as SyncReplicasOptimizerV2

v1 = tf.compat.v1

_SIGNATURE = (
    "opt, replicas_to_aggregate, variable_averages, variables_to_average, replica_id, total_num_replicas, "
    "use_locking, name"
)
_MEAN = "tf.train.SyncReplicasOptimizerV2, whose steps apply the mean"


class SyncReplicasOptimizer(SyncReplicasOptimizerV2):
    """Each step applies the sum of the gradients of `replicas_to_aggregate` workers; from 1.0 on it is their mean.

    `replica_id` is this worker's place, 0 to `total_num_replicas` - 1; 0.12 kept the workers' steps in one variable of
    the parameter server, at this place, and each worker keeps its own here. Raises ArgumentError for an invalid
    `replica_id`, and in `apply_gradients` for sparse gradients: TensorFlow 2 accumulates their means for each row, from
    which the sum cannot be computed.
    """

    def __init__(
        self,
        opt: Any,
        replicas_to_aggregate: int,
        variable_averages: Any = None,
        variables_to_average: Any = None,
        replica_id: int | None = None,
        total_num_replicas: int = 0,
        use_locking: bool = False,
        name: str = "sync_replicas",
    ) -> None:
        total = total_num_replicas or replicas_to_aggregate
        if replica_id is None or not 0 <= replica_id < total:
            raise _misfit(f"takes a replica_id from 0 to {total - 1}, not {replica_id}")
        self._summed = replicas_to_aggregate
        super().__init__(
            opt,
            replicas_to_aggregate,
            total,
            variable_averages,
            variables_to_average,
            use_locking=use_locking,
            name=name,
        )

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: str | None = None) -> Any:
        """Returns the operation that a worker runs for each of its gradients."""
        pairs = list(grads_and_vars)
        sparse = [variable.op.name for gradient, variable in pairs if isinstance(gradient, tf.IndexedSlices)]
        if sparse:
            raise _misfit(f"cannot sum the sparse gradients of {', '.join(sparse)}; look up all rows, or use {_MEAN}")
        scaled = [(gradient if gradient is None else gradient * self._summed, variable) for gradient, variable in pairs]
        return super().apply_gradients(scaled, global_step, name)

    def get_clean_up_op(self) -> Any:
        """Returns the operation that kills the parameter server of the global step, as a chief of 0.12 did before it
        ended.
        """
        with v1.device(self._global_step.device):
            return tf.raw_ops.Abort(error_msg="From sync_replicas")


def _misfit(why: str) -> ArgumentError:
    return ArgumentError("train.SyncReplicasOptimizer", _SIGNATURE, why)
