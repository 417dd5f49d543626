"""`tf.train.SyncReplicasOptimizer` whose workers may stop one after the other."""

from __future__ import annotations

import contextlib
from typing import Any

import tensorflow as tf

from tf2bridge.internals.training import sync_replicas_optimizer as original
from tf2bridge.train.replicas.chief import ChiefQueueRunner

v1 = tf.compat.v1
_CLOSED = (tf.errors.OutOfRangeError, tf.errors.CancelledError)
"""What operations of a closed queue, and of a closed session, raise."""
_LAST_TOKENS = 2
"""Tokens for each other worker after the chief has stopped: one for its current run, one to see the last step."""
_PATIENCE = 10_000
"""Milliseconds to wait for a parameter server that may have ended itself."""

_MADE = "_tf2bridge_sync_replicas"
"""The attribute of a graph that lists its optimizers. A collection would be written into the graph's file."""


def optimizers_of(graph: Any) -> list[Replicas]:
    """Returns the optimizers whose gradients are applied in this graph."""
    return list(getattr(graph, _MADE, []))


class Replicas(v1.train.SyncReplicasOptimizer):  # type: ignore[misc, name-defined]  # no types
    """TensorFlow's own optimizer, except that a training does not hang at its end.

    A worker calls `leave` when it stops: the hook does, and the sessions of `tf2bridge.train.Supervisor` do. The
    docstring of `tf2bridge.train.replicas` gives the reasons.
    """

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: str | None = None) -> Any:
        """Returns the operation that a worker runs for each of its gradients, as TensorFlow does."""
        train_op = super().apply_gradients(grads_and_vars, global_step, name)
        runner: Any = super().get_chief_queue_runner()
        tokens = self._sync_token_queue
        self._chief_queue_runner: Any = ChiefQueueRunner(
            tokens, runner.enqueue_ops, runner.close_op, runner.cancel_op, queue_closed_exception_types=_CLOSED
        )
        with v1.device(global_step.device), v1.name_scope(""):
            self._leave_op = tokens.enqueue(global_step)
            needed = _LAST_TOKENS * max(1, self._total_num_replicas - 1)
            with v1.control_dependencies([tokens.enqueue_many(v1.fill([needed], global_step))]):
                self._chief_leave_op = tokens.close()
        graph = v1.get_default_graph()
        setattr(graph, _MADE, [*optimizers_of(graph), self])
        return train_op

    def leave(self, session: Any, is_chief: bool) -> None:
        """Lets the other workers go on without this worker, or end with the chief.

        It is no error if no server is left.
        """
        if is_chief:
            self._chief_queue_runner.stop()  # first, so that later gradients of the others change no variable
        operation = self._chief_leave_op if is_chief else self._leave_op
        with contextlib.suppress(tf.errors.OpError, RuntimeError):
            session.run(operation, options=v1.RunOptions(timeout_in_ms=_PATIENCE))

    def make_session_run_hook(self, is_chief: bool, num_tokens: int = -1) -> Any:
        """Returns the hook of a MonitoredTrainingSession, for the chief or for another worker."""
        return _Hook(self, is_chief, num_tokens)


class SyncReplicasOptimizer(v1.train.Optimizer):  # type: ignore[misc, name-defined]  # no types
    """`Replicas` as a direct subclass of `tf.train.Optimizer`: programs look at `__base__` of classes in tf.train.

    The arguments are those of 1.15.
    """

    def __init__(
        self,
        opt: Any,
        replicas_to_aggregate: int,
        total_num_replicas: int | None = None,
        variable_averages: Any = None,
        variables_to_average: Any = None,
        use_locking: bool = False,
        name: str = "sync_replicas",
    ) -> None:
        super().__init__(use_locking, name)
        self._replicas = Replicas(
            opt, replicas_to_aggregate, total_num_replicas, variable_averages, variables_to_average, use_locking, name
        )

    def __getattr__(self, name: str) -> Any:
        """Returns an attribute that only `Replicas` has, such as `chief_init_op` after `apply_gradients`."""
        if name == "_replicas":
            raise AttributeError(name)  # a copy in the making does not have it yet
        return getattr(self._replicas, name)

    def compute_gradients(self, *args: Any, **kwargs: Any) -> Any:
        """Computes gradients as the wrapped optimizer does."""
        return self._replicas.compute_gradients(*args, **kwargs)

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: str | None = None) -> Any:
        """Returns the operation that a worker runs for each of its gradients."""
        return self._replicas.apply_gradients(grads_and_vars, global_step, name)

    def get_slot(self, *args: Any, **kwargs: Any) -> Any:
        """Returns a slot variable of the wrapped optimizer."""
        return self._replicas.get_slot(*args, **kwargs)

    def get_slot_names(self, *args: Any, **kwargs: Any) -> Any:
        """Returns the names of the wrapped optimizer's slots."""
        return self._replicas.get_slot_names(*args, **kwargs)

    def variables(self) -> Any:
        """Returns the variables of the wrapped optimizer."""
        return self._replicas.variables()


KINDS = (SyncReplicasOptimizer, v1.train.SyncReplicasOptimizer)
"""The classes that a program may mean: codemods may have written TensorFlow's own class."""


class _Hook(original._SyncReplicasOptimizerHook):  # type: ignore[misc]  # no types
    def end(self, session: Any) -> None:
        """Lets the worker leave. Called if the training ended without an error."""
        self._sync_optimizer.leave(session, self._is_chief)
