"""The first training and evaluation loops, without hooks: `tf.contrib.learn.train`, `evaluate`, `run_n`, `infer` ...

Their sessions are those of a Supervisor, as in contrib/learn/python/learn/graph_actions.py of 1.15.5.
"""

from __future__ import annotations

import contextlib
import itertools
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.behaviour.messages import logging
from tf2bridge.contrib.framework.variables.making import assert_or_get_global_step
from tf2bridge.contrib.learn.monitors.saving import get_default_monitors

v1 = tf.compat.v1
errors = tf.errors


def get_summary_writer(logdir: str) -> Any:
    """Returns the writer of a directory, the same at each call."""
    return v1.summary.FileWriterCache.get(logdir)


def clear_summary_writers() -> None:
    """Closes and forgets all writers."""
    v1.summary.FileWriterCache.clear()


def train(
    graph: Any,
    output_dir: str,
    train_op: Any,
    loss_op: Any,
    global_step_tensor: Any = None,
    init_op: Any = None,
    init_feed_dict: Any = None,
    init_fn: Any = None,
    log_every_steps: int = 10,
    supervisor_is_chief: bool = True,
    supervisor_master: str = "",
    supervisor_save_model_secs: int = 600,
    keep_checkpoint_max: int = 5,
    supervisor_save_summaries_steps: int = 100,
    feed_fn: Callable[[], Any] | None = None,
    steps: int | None = None,
    fail_on_nan_loss: bool = True,
    monitors: Any = None,
    max_steps: int | None = None,
) -> Any:
    """Trains until `max_steps`, for `steps` more steps, or until the input ends. Returns the last loss.

    Raises:
        ValueError: an argument is missing.
        NanLossDuringTrainingError: the loss is NaN.
    """
    if steps is not None and max_steps is not None:
        raise ValueError("Can not provide both steps and max_steps.")
    if not output_dir:
        raise ValueError(f"Output directory should be non-empty {output_dir}.")
    if train_op is None:
        raise ValueError("Missing train_op.")
    if loss_op is None:
        raise ValueError("Missing loss_op.")
    with graph.as_default():
        step = assert_or_get_global_step(graph, global_step_tensor)
        if step is None:
            raise ValueError('No "global_step" was provided or found in the graph.')
        if max_steps is None and steps:
            max_steps = _saved_step(output_dir, step) + steps
        writer = get_summary_writer(output_dir) if supervisor_is_chief else None
        monitors = _monitors(monitors, loss_op, supervisor_save_summaries_steps, writer)
        for monitor in monitors:
            monitor.begin(max_steps=max_steps)
    supervisor = v1.train.Supervisor(
        graph,
        init_op=init_op or v1.train.Supervisor.USE_DEFAULT,
        init_feed_dict=init_feed_dict,
        is_chief=supervisor_is_chief,
        logdir=output_dir,
        saver=_saver(graph, keep_checkpoint_max),
        global_step=step,
        summary_op=None,
        summary_writer=writer,
        save_model_secs=supervisor_save_model_secs,
        init_fn=init_fn,
    )
    loop = _Training(supervisor, step, [train_op, loss_op], monitors, feed_fn, fail_on_nan_loss, log_every_steps)
    return loop.run(supervisor_master, max_steps)


class _Training:
    """The loop of `train`."""

    def __init__(
        self,
        supervisor: Any,
        step: Any,
        fetches: list[Any],
        monitors: list[Any],
        feed_fn: Callable[[], Any] | None,
        fail_on_nan_loss: bool,
        log_every_steps: int,
    ) -> None:
        self._supervisor, self._step, self._fetches, self._monitors = supervisor, step, fetches, monitors
        self._feed_fn, self._fail, self._log_every = feed_fn, fail_on_nan_loss, log_every_steps
        self._loss: Any = None

    def run(self, master: str, max_steps: int | None) -> Any:
        """Returns the last loss."""
        session = self._supervisor.PrepareSession(master=master, start_standard_services=True)
        self._supervisor.StartQueueRunners(session)
        with session:
            try:
                self._loop(session, max_steps)
            except errors.OutOfRangeError as error:
                logging.warning("The input ended: %s.", error)
            except StopIteration:
                logging.info("The input ended.")
            except BaseException:
                with contextlib.suppress(Exception):  # the first error is the cause of the others
                    self._finish(session)
                raise
            self._finish(session)
        return self._loss

    def _loop(self, session: Any, max_steps: int | None) -> None:
        last = logged = session.run(self._step)
        while not self._supervisor.ShouldStop() and (max_steps is None or last < max_steps):
            began = time.time()
            feeds = self._feed_fn() if self._feed_fn is not None else None
            outputs, should_stop = run_with_monitors(session, last + 1, self._fetches, feeds, self._monitors)
            self._loss = outputs[self._fetches[1].name]
            self._check_loss()
            if should_stop:
                return
            step = session.run(self._step)
            if step <= last:
                logging.error("The train op did not increase the global step at step %s: it is %d.", last, step)
            last = step
            if last - logged >= self._log_every or last == max_steps:
                took = time.time() - began
                logging.info("training step %d, loss = %.5f (%.3f sec/batch).", last, self._loss, took)
                logged = last

    def _check_loss(self) -> None:
        if not np.isnan(self._loss):
            return
        if self._fail:
            logging.error("Model diverged with loss = NaN.")
            raise v1.train.NanLossDuringTrainingError
        logging.warning("Model diverged with loss = NaN.")

    def _finish(self, session: Any) -> None:
        supervisor = self._supervisor
        try:
            supervisor.Stop(close_summary_writer=False)
            step = session.run(self._step)
            if supervisor.is_chief:
                logging.info("Saving checkpoint for step %d to checkpoint: %s.", step, supervisor.save_path)
                supervisor.saver.save(session, supervisor.save_path, global_step=step)
                for monitor in self._monitors:
                    monitor.end()
        except errors.OutOfRangeError as error:
            logging.warning("The input ended before the last checkpoint: %s.", error)


def run_with_monitors(
    session: Any, step: int, tensors: list[Any], feeds: Any, monitors: Iterable[Any]
) -> tuple[dict[Any, Any], bool]:
    """Runs one step; returns {name: value} of tensors, and whether a monitor wants to end."""
    wanted = [*tensors, *(request for monitor in monitors for request in monitor.step_begin(step) or ())]
    wanted = list({_name(request): request for request in wanted}.values())
    outputs = {_name(request): value for request, value in zip(wanted, session.run(wanted, feeds), strict=True)}
    wishes = [monitor.step_end(step, outputs) for monitor in monitors]  # all are told before one ends the training
    return outputs, any(wishes)


def _name(request: Any) -> Any:
    return request.name if isinstance(request, tf.Tensor) else request


def _monitors(given: Any, loss_op: Any, summary_steps: int, writer: Any) -> list[Any]:
    is_chief = writer is not None
    if not given:
        summary = _summary_op() if is_chief else None
        return list(get_default_monitors(loss_op, summary, summary_steps, None, writer)) if is_chief else []
    return [monitor for monitor in given if is_chief or monitor.run_on_all_workers]


def _summary_op() -> Any:
    known = v1.get_collection(v1.GraphKeys.SUMMARY_OP)
    return known[0] if known else v1.summary.merge_all()


def _saved_step(output_dir: str, step: Any) -> int:
    try:
        return int(v1.train.load_variable(output_dir, step.name))
    except (errors.NotFoundError, ValueError):
        return 0


def _saver(graph: Any, keep: int = 5) -> Any:
    keys = (v1.GraphKeys.GLOBAL_VARIABLES, v1.GraphKeys.SAVEABLE_OBJECTS)
    variables = [variable for key in keys for variable in graph.get_collection(key)]
    return v1.train.Saver(variables, sharded=True, max_to_keep=keep) if variables else None


def run_n(output_dict: Any, feed_dict: Any = None, restore_checkpoint_path: str | None = None, n: int = 1) -> Any:
    """Returns the values of `output_dict` of `n` runs in one session."""
    return run_feeds(output_dict, itertools.repeat(feed_dict, n), restore_checkpoint_path)


def run_feeds(output_dict: Any, feed_dicts: Any, restore_checkpoint_path: str | None = None) -> list[Any]:
    """Returns the values of `output_dict` for each feed."""
    return list(run_feeds_iter(output_dict, feed_dicts, restore_checkpoint_path))


def run_feeds_iter(output_dict: Any, feed_dicts: Any, restore_checkpoint_path: str | None = None) -> Iterator[Any]:
    """Yields the values of `output_dict` for each feed, with variables from a checkpoint or newly initialized.

    Raises ValueError without outputs or feeds.
    """
    if not output_dict:
        raise ValueError(f"output_dict is invalid: {output_dict}.")
    if not feed_dicts:
        raise ValueError(f"feed_dicts is invalid: {feed_dicts}.")
    graph = next(iter(output_dict.values())).graph
    with graph.as_default(), v1.Session("") as session:
        _initialize(session, graph, restore_checkpoint_path)
        coordinator = v1.train.Coordinator()
        threads: list[Any] = []
        try:
            threads = v1.train.start_queue_runners(session, coord=coordinator)
            for feeds in feed_dicts:
                yield session.run(output_dict, feeds)
        finally:
            coordinator.request_stop()
            coordinator.join(threads, stop_grace_period_secs=120)


def _initialize(session: Any, graph: Any, checkpoint: str | None) -> None:
    keys = (v1.GraphKeys.RESOURCES, v1.GraphKeys.LOCAL_RESOURCES)
    session.run([resource.create for key in keys for resource in graph.get_collection(key)])
    if checkpoint:
        saver = _saver(graph)
        if saver:
            saver.restore(session, checkpoint)
    else:
        session.run(v1.global_variables_initializer())
    session.run([v1.local_variables_initializer(), v1.tables_initializer()])


def infer(restore_checkpoint_path: str | None, output_dict: Any, feed_dict: Any = None) -> Any:
    """Returns the values of `output_dict` of one run."""
    return run_feeds(output_dict, [feed_dict], restore_checkpoint_path)[0]
