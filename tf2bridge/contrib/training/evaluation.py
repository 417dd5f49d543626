"""Evaluation of new checkpoints."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.messages import logging
from tf2bridge.internals.training import evaluation

v1 = tf.compat.v1

evaluate_once = evaluation._evaluate_once
_Hook: Any = v1.train.SessionRunHook

get_or_create_eval_step = evaluation._get_or_create_eval_step
StopAfterNEvalsHook = evaluation._StopAfterNEvalsHook


class SummaryAtEndHook(_Hook):  # type: ignore[misc]  # TensorFlow has no types here
    """Writes a summary when the session ends: `summary_op`, or by default all summaries.

    Raises:
        ValueError: neither `log_dir` nor `summary_writer` is given.
    """

    def __init__(
        self, log_dir: str | None = None, summary_writer: Any = None, summary_op: Any = None, feed_dict: Any = None
    ) -> None:
        if log_dir is None and summary_writer is None:
            raise ValueError("One of log_dir or summary_writer should be used: where the summary is written")
        self._summary_op = summary_op
        self._replace_summary_op = summary_op is None
        self._feed_dict = feed_dict
        self._summary_writer = summary_writer
        self._log_dir = log_dir

    def begin(self) -> None:
        if self._replace_summary_op:
            self._summary_op = v1.summary.merge_all()
        self._global_step = v1.train.get_or_create_global_step()

    def after_create_session(self, session: Any, coord: Any) -> None:  # noqa: ARG002  # of a hook
        if self._summary_writer is None and self._log_dir:
            self._summary_writer = v1.summary.FileWriterCache.get(self._log_dir)

    def end(self, session: Any) -> None:
        if self._summary_op is not None:
            step = v1.train.global_step(session, self._global_step)
            summary = session.run(self._summary_op, self._feed_dict)
            if self._summary_writer:
                self._summary_writer.add_summary(summary, step)
        if self._summary_writer:
            self._summary_writer.flush()


def evaluate_repeatedly(
    checkpoint_dir: str,
    master: str = "",
    scaffold: Any = None,
    eval_ops: Any = None,
    feed_dict: Any = None,
    final_ops: Any = None,
    final_ops_feed_dict: Any = None,
    eval_interval_secs: float = 60,
    hooks: Any = None,
    config: Any = None,
    max_number_of_evaluations: int | None = None,
    timeout: float | None = None,
    timeout_fn: Callable[[], bool] | None = None,
) -> Any:
    """Evaluates each new checkpoint of `checkpoint_dir`; returns the value of `final_ops` in the last evaluation.

    An evaluation runs `eval_ops` until a hook stops the session. The function returns after
    `max_number_of_evaluations`, or if no checkpoint appears within `timeout` seconds and `timeout_fn`, if given,
    returns True.
    """
    step = get_or_create_eval_step()
    hooks = hooks or []
    if eval_ops is not None:
        update = v1.assign_add(step, 1)
        for hook in hooks:
            if isinstance(hook, StopAfterNEvalsHook):
                hook._set_evals_completed_tensor(update)
        eval_ops = _with_update(eval_ops, update)
    final = v1.train.FinalOpsHook(final_ops, final_ops_feed_dict)
    hooks.append(final)
    paths = v1.train.checkpoints_iterator(checkpoint_dir, eval_interval_secs, timeout, timeout_fn)
    for done, path in enumerate(paths, 1):
        creator = v1.train.ChiefSessionCreator(
            scaffold=scaffold, checkpoint_filename_with_path=path, master=master, config=config
        )
        with v1.train.MonitoredSession(session_creator=creator, hooks=hooks) as session:
            logging.info("Starting evaluation at %s", time.strftime("%Y-%m-%d-%H:%M:%S", time.gmtime()))
            while eval_ops is not None and not session.should_stop():
                session.run(eval_ops, feed_dict)
            logging.info("Finished evaluation at %s", time.strftime("%Y-%m-%d-%H:%M:%S", time.gmtime()))
        if max_number_of_evaluations is not None and done >= max_number_of_evaluations:
            break
    return final.final_ops_values


def _with_update(eval_ops: Any, update: Any) -> Any:
    if isinstance(eval_ops, dict):
        eval_ops["update_eval_step"] = update
        return eval_ops
    return [*(eval_ops if isinstance(eval_ops, (tuple, list)) else [eval_ops]), update]
