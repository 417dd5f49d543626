"""Functions that sent a computation to the replicas of a TPU; here there is one replica, in the graph itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

v1 = tf.compat.v1


def cross_replica_sum(x: Any, group_assignment: Any = None, name: str | None = None) -> Any:
    """Returns the sum of `x` over the replicas: `x`, for there is one."""
    del group_assignment
    return tf.identity(x, name=name)


def rewrite(
    computation: Callable[..., Any],
    inputs: Any = None,
    infeed_queue: Any = None,
    device_assignment: Any = None,
    name: str | None = None,
    **_: Any,
) -> Any:
    """Returns the list of tensors that `computation(*inputs)` returned, which its ops follow; an op if it has none."""
    del infeed_queue, device_assignment
    return _outputs(computation, inputs or [], name)


def replicate(
    computation: Callable[..., Any],
    inputs: Any = None,
    infeed_queue: Any = None,
    device_assignment: Any = None,
    name: str | None = None,
    **_: Any,
) -> list[Any]:
    """Returns [the outputs] of one replica for `inputs` [[...]]. Raises ValueError for several replicas."""
    del infeed_queue, device_assignment
    replicas = [[]] if inputs is None else inputs
    _check_one("inputs", len(replicas))
    return [_outputs(computation, replicas[0] or [], name)]


def shard(
    computation: Callable[..., Any],
    inputs: Any = None,
    num_shards: int = 1,
    input_shard_axes: Any = None,
    outputs_from_all_shards: Any = True,
    output_shard_axes: Any = None,
    infeed_queue: Any = None,
    device_assignment: Any = None,
    name: str | None = None,
    **_: Any,
) -> Any:
    """Returns what `computation` returns for the one shard of `inputs`. Raises ValueError for `num_shards` over 1."""
    del input_shard_axes, outputs_from_all_shards, output_shard_axes, infeed_queue, device_assignment
    _check_one("num_shards", num_shards)
    return _outputs(computation, inputs or [], name)


def batch_parallel(
    computation: Callable[..., Any],
    inputs: Any = None,
    num_shards: int = 1,
    infeed_queue: Any = None,
    device_assignment: Any = None,
    name: str | None = None,
    **_: Any,
) -> Any:
    """Returns what `computation` returns for the whole batch. Raises ValueError for `num_shards` over 1."""
    return shard(computation, inputs, num_shards, None, True, None, infeed_queue, device_assignment, name)


def _check_one(name: str, count: int) -> None:
    if count != 1:
        raise ValueError(f"{name} asks for {count} replicas, but without a TPU there is one")


def _outputs(computation: Callable[..., Any], inputs: Any, name: str | None) -> Any:
    with v1.name_scope(name, "cluster"):
        result = computation(*[tf.convert_to_tensor(value) for value in inputs])
        flat = list(result) if isinstance(result, (list, tuple)) else [] if result is None else [result]
        ops = [output for output in flat if isinstance(output, tf.Operation)]
        tensors = [output for output in flat if not isinstance(output, tf.Operation)]
        with tf.control_dependencies(ops):
            return [tf.identity(tensor) for tensor in tensors] if tensors else tf.no_op()


class CrossShardOptimizer(v1.train.Optimizer):  # type: ignore[name-defined,misc]
    """Averages the gradients of `opt` over the replicas. With one replica it does the same as `opt`.

    Raises:
        ValueError: `reduction` is neither "mean" nor "weighted_sum" (tf.losses.Reduction.SUM).
    """

    def __init__(
        self,
        opt: Any,
        reduction: str = v1.losses.Reduction.MEAN,
        name: str = "CrossShardOptimizer",
        group_assignment: Any = None,
    ) -> None:
        if reduction not in (v1.losses.Reduction.SUM, v1.losses.Reduction.MEAN):
            raise ValueError(f"reduction is {reduction}; CrossShardOptimizer takes Reduction.SUM or Reduction.MEAN")
        del group_assignment
        super().__init__(False, name)
        self._opt = opt
        self._reduction = reduction

    def compute_gradients(self, loss: Any, var_list: Any = None, **kwargs: Any) -> Any:
        """Returns the gradients of the optimizer inside."""
        return self._opt.compute_gradients(loss, var_list=var_list, **kwargs)

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: str | None = None) -> Any:
        """Returns the op of one step of the optimizer inside."""
        return self._opt.apply_gradients(grads_and_vars, global_step, name)

    def get_slot(self, *args: Any, **kwargs: Any) -> Any:
        """Returns a slot of the optimizer inside."""
        return self._opt.get_slot(*args, **kwargs)

    def get_slot_names(self, *args: Any, **kwargs: Any) -> Any:
        """Returns the names of the slots of the optimizer inside."""
        return self._opt.get_slot_names(*args, **kwargs)

    def variables(self) -> Any:
        """Returns the variables of the optimizer inside."""
        return self._opt.variables()
