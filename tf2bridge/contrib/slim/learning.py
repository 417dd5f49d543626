"""`slim.learning.train`: the training loop on a Supervisor, which saves, summarizes and resumes."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.messages import logging
from tf2bridge.train.replicas import optimizer as replicas
from tf2bridge.train.supervised.saver import Saver
from tf2bridge.train.supervised.supervisor import Supervisor

v1 = tf.compat.v1
Kwargs = dict[str, Any]
_USE_DEFAULT = 0


def train_step(sess: Any, train_op: Any, global_step: Any, train_step_kwargs: Kwargs) -> tuple[Any, Any]:
    """Runs `train_op` once. Returns the loss, and True to stop.

    `train_step_kwargs` may hold the tensors `should_stop`, `should_log` and `should_trace`. A trace is written to its
    `logdir`.

    Raises:
        ValueError: `should_trace` is given without `logdir`.
    """
    start = time.time()
    options = metadata = None
    if "should_trace" in train_step_kwargs:
        if "logdir" not in train_step_kwargs:
            raise ValueError("train_step_kwargs has should_trace but no logdir, where the trace is to be written")
        if sess.run(train_step_kwargs["should_trace"]):
            options = v1.RunOptions(trace_level=v1.RunOptions.FULL_TRACE)
            metadata = v1.RunMetadata()
    loss, step = sess.run([train_op, global_step], options=options, run_metadata=metadata)
    elapsed = time.time() - start
    if metadata is not None:
        _write_trace(metadata, step, train_step_kwargs)
    if "should_log" in train_step_kwargs and sess.run(train_step_kwargs["should_log"]):
        logging.info("global step %d: loss = %.4f (%.3f sec/step)", step, loss, elapsed)
    return loss, sess.run(train_step_kwargs["should_stop"]) if "should_stop" in train_step_kwargs else False


def train(
    train_op: Any,
    logdir: str | None,
    train_step_fn: Callable[..., tuple[Any, Any]] = train_step,
    train_step_kwargs: Any = _USE_DEFAULT,
    log_every_n_steps: int = 1,
    graph: Any = None,
    master: str = "",
    is_chief: bool = True,
    global_step: Any = None,
    number_of_steps: int | None = None,
    init_op: Any = _USE_DEFAULT,
    init_feed_dict: Any = None,
    local_init_op: Any = _USE_DEFAULT,
    init_fn: Callable[[Any], None] | None = None,
    ready_op: Any = _USE_DEFAULT,
    summary_op: Any = _USE_DEFAULT,
    save_summaries_secs: float = 600,
    summary_writer: Any = _USE_DEFAULT,
    startup_delay_steps: int = 0,
    saver: Any = None,
    save_interval_secs: float = 600,
    sync_optimizer: Any = None,
    session_config: Any = None,
    session_wrapper: Callable[[Any], Any] | None = None,
    trace_every_n_steps: int | None = None,
    ignore_live_threads: bool = False,
) -> Any:
    """Runs `train_op` until the global step is `number_of_steps` or its data end; returns the last loss.

    Checkpoints and summaries are written to `logdir`, or nowhere if it is None. Training continues from the latest
    checkpoint there. By default the function makes `init_op`, `local_init_op` (local variables and tables), `ready_op`,
    `summary_op`, the summary writer and the saver. `sync_optimizer` is one SyncReplicasOptimizer or a list.

    Raises:
        ValueError: arguments do not fit together.
    """
    _check(train_op, logdir, summary_op, saver, trace_every_n_steps, number_of_steps)
    synced = _synced(sync_optimizer, startup_delay_steps)
    graph = graph or v1.get_default_graph()
    with graph.as_default():
        step = v1.train.get_or_create_global_step() if global_step is None else global_step
        saver = saver or Saver()
        inits = _init_ops(init_op, ready_op, local_init_op, synced, is_chief)
        if _unset(summary_op):
            summary_op = v1.summary.merge_all()
        tokens = (
            [(optimizer.get_init_tokens_op(), optimizer.get_chief_queue_runner()) for optimizer in synced]
            if is_chief
            else []
        )
        if _unset(train_step_kwargs):
            traced = trace_every_n_steps if is_chief else None
            train_step_kwargs = _step_kwargs(step, number_of_steps, log_every_n_steps, traced, logdir)
    supervisor = Supervisor(
        graph=graph,
        is_chief=is_chief,
        logdir=logdir,
        init_feed_dict=init_feed_dict,
        **inits,
        summary_op=summary_op,
        summary_writer=Supervisor.USE_DEFAULT if _unset(summary_writer) else summary_writer,
        global_step=step,
        saver=saver,
        save_summaries_secs=save_summaries_secs,
        save_model_secs=save_interval_secs,
        init_fn=init_fn,
    )
    if summary_writer is not None:
        train_step_kwargs["summary_writer"] = supervisor.summary_writer
    delay = min(startup_delay_steps, number_of_steps or sys.maxsize)
    loop = _Loop(supervisor, lambda session: train_step_fn(session, train_op, step, train_step_kwargs))
    while True:
        try:
            with supervisor.managed_session(master, start_standard_services=False, config=session_config) as session:
                wrapped = session if session_wrapper is None else session_wrapper(session)
                loop.run(wrapped, _started(supervisor, wrapped, step, delay, tokens), logdir, ignore_live_threads)
            return loop.loss
        except tf.errors.AbortedError:  # a server of the cluster was started again
            logging.info("Retrying training!")


class _Loop:
    """The steps of a training, and the last loss."""

    def __init__(self, supervisor: Any, step: Callable[[Any], tuple[Any, Any]]) -> None:
        self._supervisor = supervisor
        self._step = step
        self.loss: Any = None

    def run(self, session: Any, threads: Sequence[Any], logdir: str | None, ignore_live_threads: bool) -> None:
        """Runs steps until a step returns True for stop, or the data end. Then saves."""
        supervisor = self._supervisor
        try:
            while not supervisor.should_stop():
                self.loss, should_stop = self._step(session)
                if should_stop:
                    logging.info("Stopping Training.")
                    supervisor.request_stop()
                    break
        except tf.errors.OutOfRangeError as error:
            logging.info("Caught OutOfRangeError. Stopping Training. %s", error)
        if logdir and supervisor.is_chief:
            logging.info("Finished training! Saving model to disk.")
            supervisor.saver.save(session, supervisor.save_path, global_step=supervisor.global_step)
            supervisor.stop(threads, close_summary_writer=True, ignore_live_threads=ignore_live_threads)


def _unset(given: Any) -> bool:
    return isinstance(given, int) and given == _USE_DEFAULT


def _check(
    train_op: Any, logdir: str | None, summary_op: Any, saver: Any, trace_every: int | None, number_of_steps: int | None
) -> None:
    """Raises ValueError for arguments of `train` that cannot be."""
    if train_op is None:
        raise ValueError("train_op is None: give the tensor that create_train_op returned")
    if logdir is None:
        given = {"summary_op": not _unset(summary_op), "saver": saver is not None, "trace_every_n_steps": trace_every}
        for name, value in given.items():
            if value not in (None, False):
                raise ValueError(f"{name} needs a logdir, which is None")
    if number_of_steps is not None and number_of_steps <= 0:
        raise ValueError(f"number_of_steps is {number_of_steps}: give a positive number, or None for no end")


def _synced(sync_optimizer: Any, startup_delay_steps: int) -> list[Any]:
    """Returns the SyncReplicasOptimizers as a list."""
    if sync_optimizer is None:
        return []
    if startup_delay_steps > 0:
        raise ValueError("startup_delay_steps must be 0 where sync_optimizer is given")
    listed = list(sync_optimizer) if isinstance(sync_optimizer, list | tuple) else [sync_optimizer]
    for optimizer in listed:
        if not isinstance(optimizer, replicas.KINDS):
            raise ValueError(f"sync_optimizer holds a {type(optimizer).__name__}, not a tf.train.SyncReplicasOptimizer")
    return listed


def _init_ops(init_op: Any, ready_op: Any, local_init_op: Any, synced: Sequence[Any], is_chief: bool) -> Kwargs:
    """Returns the init and ready ops of the Supervisor."""
    ready_for_local = None
    with v1.name_scope("init_ops"):
        if _unset(init_op):
            init_op = v1.global_variables_initializer()
        if _unset(ready_op):
            ready_op = v1.report_uninitialized_variables()
        if _unset(local_init_op):
            local_init_op = v1.group(v1.local_variables_initializer(), v1.tables_initializer())
        if synced:
            with v1.control_dependencies([] if local_init_op is None else [local_init_op]):
                ops = [optimizer.chief_init_op if is_chief else optimizer.local_step_init_op for optimizer in synced]
                local_init_op = v1.group(*ops)
            ready_for_local = v1.group(*[optimizer.ready_for_local_init_op for optimizer in synced])
    return {
        "init_op": init_op,
        "ready_op": ready_op,
        "local_init_op": local_init_op,
        "ready_for_local_init_op": ready_for_local,
    }


def _step_kwargs(
    step: Any, number_of_steps: int | None, log_every: int, trace_every: int | None, logdir: str | None
) -> Kwargs:
    """Returns the default `train_step_kwargs`."""
    with v1.name_scope("train_step"):
        stop = v1.greater_equal(step, number_of_steps) if number_of_steps else v1.constant(False)
        arguments: Kwargs = {"should_stop": stop}
        if log_every > 0:
            arguments["should_log"] = v1.equal(v1.mod(step, log_every), 0)
        if trace_every is not None:
            arguments |= {"should_trace": v1.equal(v1.mod(step, trace_every), 0), "logdir": logdir}
        return arguments


def _started(supervisor: Any, session: Any, step: Any, delay: int, tokens: Sequence[tuple[Any, Any]]) -> list[Any]:
    """Starts queue runners, and the chief's services and tokens. Other tasks wait for the step. Returns the threads."""
    logging.info("Starting Session.")
    if supervisor.is_chief:
        if supervisor.save_path:
            supervisor.start_standard_services(session)
    else:
        while delay > 0 and v1.train.global_step(session, step) < delay:
            time.sleep(1.0)
    threads = list(supervisor.start_queue_runners(session))
    logging.info("Starting Queues.")
    if tokens:
        supervisor.start_queue_runners(session, [runner for _, runner in tokens])
        session.run([op for op, _ in tokens])
    return threads


def _write_trace(metadata: Any, step: int, arguments: Kwargs) -> None:
    from tf2bridge.internals.sessions import timeline  # needed by traces alone

    trace = timeline.Timeline(metadata.step_stats).generate_chrome_trace_format()
    path = f"{arguments['logdir']}/tf_trace-{step}.json"
    logging.info("Writing trace to %s", path)
    with v1.gfile.GFile(path, "w") as file:
        file.write(trace)
    if "summary_writer" in arguments:
        arguments["summary_writer"].add_run_metadata(metadata, f"run_metadata-{step}")
