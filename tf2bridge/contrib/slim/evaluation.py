"""`slim.evaluation`: a checkpoint, or each new one, evaluated by running ops and writing summaries."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf
from tensorflow.python.training import checkpoint_utils
from tensorflow.python.training import evaluation as core

v1 = tf.compat.v1
Feeds = dict[Any, Any]
Hooks = Sequence[Any]
_USE_DEFAULT = 0

wait_for_new_checkpoint = checkpoint_utils.wait_for_new_checkpoint
checkpoints_iterator = checkpoint_utils.checkpoints_iterator


def evaluate_once(
    master: str,
    checkpoint_path: str,
    logdir: str | None,
    num_evals: int = 1,
    initial_op: Any = None,
    initial_op_feed_dict: Feeds | None = None,
    eval_op: Any = None,
    eval_op_feed_dict: Feeds | None = None,
    final_op: Any = None,
    final_op_feed_dict: Feeds | None = None,
    summary_op: Any = _USE_DEFAULT,
    summary_op_feed_dict: Feeds | None = None,
    variables_to_restore: Any = None,
    session_config: Any = None,
    hooks: Hooks | None = None,
) -> Any:
    """Restores the checkpoint, runs `eval_op` `num_evals` times, then `final_op`, whose value it returns.

    `summary_op` (by default all summaries) is run at the end and written to `logdir`; None writes none.
    """
    scaffold = _scaffold(initial_op, initial_op_feed_dict, None, variables_to_restore)
    return core._evaluate_once(
        checkpoint_path,
        master=master,
        scaffold=scaffold,
        eval_ops=eval_op,
        feed_dict=eval_op_feed_dict,
        final_ops=final_op,
        final_ops_feed_dict=final_op_feed_dict,
        hooks=_hooks(num_evals, logdir, summary_op, summary_op_feed_dict, hooks),
        config=session_config,
    )


def evaluation_loop(
    master: str,
    checkpoint_dir: str,
    logdir: str | None,
    num_evals: int = 1,
    initial_op: Any = None,
    initial_op_feed_dict: Feeds | None = None,
    init_fn: Callable[[Any, Any], None] | None = None,
    eval_op: Any = None,
    eval_op_feed_dict: Feeds | None = None,
    final_op: Any = None,
    final_op_feed_dict: Feeds | None = None,
    summary_op: Any = _USE_DEFAULT,
    summary_op_feed_dict: Feeds | None = None,
    variables_to_restore: Any = None,
    eval_interval_secs: float = 60,
    max_number_of_evaluations: int | None = None,
    session_config: Any = None,
    timeout: float | None = None,
    timeout_fn: Callable[[], bool] | None = None,
    hooks: Hooks | None = None,
) -> Any:
    """Evaluates each new checkpoint of a directory as `evaluate_once` does; returns the last value of `final_op`.

    `init_fn` is called with the scaffold and the session. The loop ends after `max_number_of_evaluations`, or when no
    checkpoint comes for `timeout` seconds and `timeout_fn`, if given, returns True.
    """
    scaffold = _scaffold(initial_op, initial_op_feed_dict, init_fn, variables_to_restore)
    stopping = _hooks(num_evals, logdir, summary_op, summary_op_feed_dict, hooks)
    final = v1.train.FinalOpsHook(final_op, final_op_feed_dict)
    fetched = _counted(eval_op, stopping)
    found = checkpoints_iterator(checkpoint_dir, eval_interval_secs, timeout, timeout_fn)
    for done, path in enumerate(found, 1):
        creator = v1.train.ChiefSessionCreator(
            scaffold=scaffold, checkpoint_filename_with_path=path, master=master, config=session_config
        )
        with v1.train.MonitoredSession(session_creator=creator, hooks=[*stopping, final]) as session:
            v1.logging.info("Starting evaluation of %s", path)
            while fetched is not None and not session.should_stop():
                session.run(fetched, eval_op_feed_dict)
        if done == max_number_of_evaluations:
            break
    return final.final_ops_values


class SummaryAtEndHook(v1.train.SessionRunHook):  # type: ignore[misc, name-defined]  # TensorFlow has no annotations
    """Writes summaries when the evaluation ends."""

    def __init__(
        self,
        log_dir: str | None = None,
        summary_writer: Any = None,
        summary_op: Any = None,
        feed_dict: Feeds | None = None,
    ) -> None:
        """`summary_op` None stands for all summaries. Raises ValueError without a directory and a writer."""
        if log_dir is None and summary_writer is None:
            raise ValueError("SummaryAtEndHook needs log_dir or summary_writer")
        self._log_dir = log_dir
        self._writer = summary_writer
        self._op = summary_op
        self._all = summary_op is None
        self._feed_dict = feed_dict

    def begin(self) -> None:
        """Finds the summaries and the global step."""
        if self._all:
            self._op = v1.summary.merge_all()
        self._step = v1.train.get_or_create_global_step()

    def after_create_session(self, session: Any, coord: Any) -> None:  # noqa: ARG002  # the hook's signature
        """Opens the writer."""
        if self._writer is None and self._log_dir:
            self._writer = v1.summary.FileWriterCache.get(self._log_dir)

    def end(self, session: Any) -> None:
        """Runs and writes the summaries."""
        if self._op is not None:
            step = v1.train.global_step(session, self._step)
            summary = session.run(self._op, self._feed_dict)
            if self._writer:
                self._writer.add_summary(summary, step)
        if self._writer:
            self._writer.flush()


def _hooks(num_evals: int, logdir: str | None, summary_op: Any, feed_dict: Feeds | None, more: Hooks | None) -> Hooks:
    if isinstance(summary_op, int) and summary_op == _USE_DEFAULT:
        summary_op = v1.summary.merge_all()
    hooks = [core._StopAfterNEvalsHook(num_evals)]
    if summary_op is not None:
        hooks.append(SummaryAtEndHook(log_dir=logdir, summary_op=summary_op, feed_dict=feed_dict))
    return [*hooks, *(more or ())]


def _scaffold(init_op: Any, feed_dict: Feeds | None, init_fn: Callable[[Any, Any], None] | None, variables: Any) -> Any:
    """What the session restores and initializes."""
    saver = None if variables is None else v1.train.Saver(variables)
    return v1.train.Scaffold(init_op=init_op, init_feed_dict=feed_dict, init_fn=init_fn, saver=saver)


def _counted(eval_op: Any, hooks: Hooks) -> Any:
    """What is run in each step: `eval_op`, and the count of steps that the hooks stop at."""
    step = core._get_or_create_eval_step()
    if eval_op is None:
        return None
    update = v1.assign_add(step, 1)
    for hook in hooks:
        if isinstance(hook, core._StopAfterNEvalsHook):
            hook._set_evals_completed_tensor(update)
    if isinstance(eval_op, dict):
        return {**eval_op, "update_eval_step": update}
    return [*(eval_op if isinstance(eval_op, list | tuple) else [eval_op]), update]
