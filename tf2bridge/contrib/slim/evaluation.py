"""`slim.evaluation`: a checkpoint, or each new one, evaluated by running ops and writing summaries."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.training import evaluation as training
from tf2bridge.internals.training import checkpoint_utils

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
    return training.evaluate_once(
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
    return training.evaluate_repeatedly(
        checkpoint_dir,
        master=master,
        scaffold=scaffold,
        eval_ops=eval_op,
        feed_dict=eval_op_feed_dict,
        final_ops=final_op,
        final_ops_feed_dict=final_op_feed_dict,
        eval_interval_secs=eval_interval_secs,
        hooks=_hooks(num_evals, logdir, summary_op, summary_op_feed_dict, hooks),
        config=session_config,
        max_number_of_evaluations=max_number_of_evaluations,
        timeout=timeout,
        timeout_fn=timeout_fn,
    )


def _hooks(
    num_evals: int, logdir: str | None, summary_op: Any, feed_dict: Feeds | None, more: Hooks | None
) -> list[Any]:
    if isinstance(summary_op, int) and summary_op == _USE_DEFAULT:
        summary_op = v1.summary.merge_all()
    hooks: list[Any] = [training.StopAfterNEvalsHook(num_evals)]
    if summary_op is not None:
        hooks.append(training.SummaryAtEndHook(log_dir=logdir, summary_op=summary_op, feed_dict=feed_dict))
    return [*hooks, *(more or ())]


def _scaffold(init_op: Any, feed_dict: Feeds | None, init_fn: Callable[[Any, Any], None] | None, variables: Any) -> Any:
    """Returns the Scaffold: the Saver and the init ops of the session."""
    saver = None if variables is None else v1.train.Saver(variables)
    return v1.train.Scaffold(init_op=init_op, init_feed_dict=feed_dict, init_fn=init_fn, saver=saver)
