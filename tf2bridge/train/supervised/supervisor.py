"""`tf.train.Supervisor` that also works with v2 behaviour: all its threads run in its graph."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import tensorflow as tf

from tf2bridge.internals.protos import SessionLog
from tf2bridge.internals.training import supervisor as original
from tf2bridge.train.replicas.leaving import leave_at_its_end
from tf2bridge.train.replicas.optimizer import optimizers_of
from tf2bridge.train.supervised.graphs import declare_global_step, graph_for, writing_to
from tf2bridge.train.supervised.saver import Saver

v1 = tf.compat.v1
_DEFAULT: Any = v1.train.Supervisor.USE_DEFAULT


class _InGraph:
    """A thread of a service that makes the Supervisor's graph its default graph: threads do not inherit defaults."""

    def run(self) -> None:
        """Runs the thread."""
        with self._sv._graph.as_default():  # type: ignore[attr-defined]
            super().run()  # type: ignore[misc]


class _SummaryThread(_InGraph, original.SVSummaryThread):  # type: ignore[misc]
    pass


class _StepCounterThread(_InGraph, original.SVStepCounterThread):  # type: ignore[misc]
    pass


class _CheckpointThread(_InGraph, original.SVTimerCheckpointThread):  # type: ignore[misc]
    pass


class Supervisor(v1.train.Supervisor):  # type: ignore[misc, name-defined]  # TensorFlow is untyped
    """TF 1.x's training helper: its session is initialized or restored, and threads save and summarize.

    All arguments, methods and properties are those of 1.15 (tensorflow/python/training/supervisor.py), and TensorFlow's
    own class computes everything. With v2 behaviour, the threads of the class in `tf.compat.v1` fail. Here the threads,
    the services and the preparation of the session run in the graph, which is given or is the default.

    Raises:
        NoGraphError: There is no graph.
        LogDirectoryError: `logdir` cannot be written. What `tf2bridge.train.Saver` raises is raised, too.
    """

    def __init__(
        self,
        graph: Any = None,
        ready_op: Any = _DEFAULT,
        ready_for_local_init_op: Any = _DEFAULT,
        is_chief: bool = True,
        init_op: Any = _DEFAULT,
        init_feed_dict: Mapping[Any, Any] | None = None,
        local_init_op: Any = _DEFAULT,
        logdir: str | None = None,
        summary_op: Any = _DEFAULT,
        saver: Any = _DEFAULT,
        global_step: Any = _DEFAULT,
        save_summaries_secs: float = 120,
        save_model_secs: float = 600,
        recovery_wait_secs: float = 30,
        stop_grace_secs: float = 120,
        checkpoint_basename: str = "model.ckpt",
        session_manager: Any = None,
        summary_writer: Any = _DEFAULT,
        init_fn: Callable[[Any], Any] | None = None,
        local_init_run_options: Any = None,
    ) -> None:
        """Takes the arguments of TF 1.15, in its order. Times are in seconds; 0 turns a service off."""
        graph = graph_for("Supervisor", graph)
        given = {name: value for name, value in locals().items() if name not in ("self", "__class__")}
        with graph.as_default(), writing_to(logdir if is_chief else None):
            declare_global_step()
            super().__init__(**given)

    def _init_saver(self, saver: Any = _DEFAULT) -> None:
        """Makes the default Saver one of tf2bridge."""
        key = v1.GraphKeys.SAVERS
        if saver is _DEFAULT and not v1.get_collection(key) and v1.global_variables():
            saver = Saver()
            v1.add_to_collection(key, saver)
        super()._init_saver(saver)

    def _verify_setup(self) -> None:
        """Raises ValueError for variables without a device, resource variables included, if another worker is chief."""
        super()._verify_setup()
        for operation in () if self._is_chief else self._graph.get_operations():
            if operation.type == "VarHandleOp" and not operation.device:
                raise ValueError(f"When using replicas, all Variables must have their device set: {operation}")

    def prepare_or_wait_for_session(
        self,
        master: str = "",
        config: Any = None,
        wait_for_checkpoint: bool = False,
        max_wait_secs: float = 7200,
        start_standard_services: bool = True,
    ) -> Any:
        """Returns a session on `master` that is ready; the chief initializes or restores it, and others wait."""
        with self._graph.as_default():
            session = super().prepare_or_wait_for_session(
                master, config, wait_for_checkpoint, max_wait_secs, start_standard_services
            )
        leave_at_its_end(session, optimizers_of(self._graph), self._is_chief)
        return session

    def start_standard_services(self, sess: Any) -> Any:
        """Starts the threads that summarize, count steps per second and save.

        Returns:
            The threads; None without a logdir.

        Raises:
            RuntimeError: Another worker is chief.
        """
        if not (self._is_chief and self._logdir):
            return super().start_standard_services(sess)
        threads: list[Any] = []
        with self._graph.as_default():
            if self._global_step is not None and self._summary_writer:
                step = v1.train.global_step(sess, self._global_step)
                self._summary_writer.add_session_log(SessionLog(status=SessionLog.START), step)
            if self._save_summaries_secs and self._summary_writer:
                threads += [_SummaryThread(self, sess)] if self._summary_op is not None else []
                threads += [_StepCounterThread(self, sess)] if self._global_step is not None else []
            if self._saver and self._save_model_secs:
                threads.append(_CheckpointThread(self, sess))
        for thread in threads:
            thread.start()
        return threads

    def _write_graph(self) -> None:
        with writing_to(self._logdir):
            super()._write_graph()

    def start_queue_runners(self, sess: Any, queue_runners: Sequence[Any] | None = None) -> list[Any]:
        """Starts the threads of `queue_runners`, by default those of the graph, and returns the threads."""
        with self._graph.as_default():
            return list(super().start_queue_runners(sess, queue_runners))

    def summary_computed(self, sess: Any, summary: Any, global_step: Any = None) -> None:
        """Writes a summary at the given global step, or at the current one."""
        with self._graph.as_default():
            super().summary_computed(sess, summary, global_step)

    def loop(
        self,
        timer_interval_secs: float | None,
        target: Callable[..., Any],
        args: Sequence[Any] | None = None,
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        """Starts a thread that calls `target` every so many seconds, or without a pause, until the stop.

        Returns the thread.
        """

        def in_graph(*arguments: Any, **keywords: Any) -> Any:
            with self._graph.as_default():
                return target(*arguments, **keywords)

        return super().loop(timer_interval_secs, in_graph, args, kwargs)
