"""`tf.contrib.learn.evaluate`, the loop before hooks (contrib/learn/python/learn/graph_actions.py of 1.15.5)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.behaviour.messages import logging
from tf2bridge.contrib.framework.variables.making import assert_or_get_global_step
from tf2bridge.contrib.learn.graph_actions.loops import get_summary_writer

v1 = tf.compat.v1
errors = tf.errors


def evaluate(
    graph: Any,
    output_dir: str,
    checkpoint_path: str | None,
    eval_dict: dict[str, Any],
    update_op: Any = None,
    global_step_tensor: Any = None,
    supervisor_master: str = "",
    log_every_steps: int = 10,
    feed_fn: Callable[[], Any] | None = None,
    max_steps: int | None = None,
) -> tuple[dict[str, Any] | None, Any]:
    """Returns the last values of `eval_dict` and the global step; writes them as summaries to `output_dir`.

    Without `max_steps` it runs until the input ends. Raises ValueError without `output_dir`.
    """
    if not output_dir:
        raise ValueError(f"Output directory should be non-empty {output_dir}.")
    with graph.as_default():
        step = assert_or_get_global_step(graph, global_step_tensor)
        session = _session(supervisor_master, checkpoint_path)
        coordinator = v1.train.Coordinator()
        threads = v1.train.start_queue_runners(session, coordinator)
    with session:
        current = session.run(step)
        try:
            results = _results(session, eval_dict, update_op, feed_fn, max_steps, log_every_steps)
        finally:
            session.close()
            _stop(coordinator, threads)
    _write(output_dir, results, current)
    return results, current


def _results(
    session: Any, eval_dict: Any, update_op: Any, feed_fn: Any, max_steps: int | None, log_every_steps: int
) -> Any:
    results: Any = None
    is_new, feeds, step = False, None, 0
    try:
        try:
            while max_steps is None or step < max_steps:
                step += 1
                feeds, is_new = feed_fn() if feed_fn is not None else None, False
                if update_op is not None:
                    session.run(update_op, feed_dict=feeds)
                if update_op is None or step % log_every_steps == 0:
                    results, is_new = session.run(eval_dict, feed_dict=feeds), True
                if step % log_every_steps == 0:
                    logging.info("Results after %d steps: %s.", step, _listed(results))
        finally:
            if not is_new:
                results = session.run(eval_dict, feed_dict=feeds)
    except errors.OutOfRangeError as error:
        logging.info("Input queue is exhausted: %s.", error)
    except StopIteration:
        logging.info("Input iterator is exhausted.")
    return results


def _session(master: str, checkpoint_path: str | None) -> Any:
    saver = _kept(v1.GraphKeys.SAVERS, lambda: v1.train.Saver() if v1.global_variables() else None)
    manager = v1.train.SessionManager(
        local_init_op=_kept(
            v1.GraphKeys.LOCAL_INIT_OP, lambda: tf.group(v1.local_variables_initializer(), v1.tables_initializer())
        ),
        ready_op=_kept(v1.GraphKeys.READY_OP, v1.report_uninitialized_variables),
        ready_for_local_init_op=_kept(v1.GraphKeys.READY_FOR_LOCAL_INIT_OP, lambda: None),
    )
    session, is_initialized = manager.recover_session(master=master, saver=saver, checkpoint_dir=checkpoint_path)
    if not is_initialized:
        logging.warning("Failed to initialize from %s.", checkpoint_path)
        session.run(v1.global_variables_initializer())
        if checkpoint_path and saver:
            saver.restore(session, checkpoint_path)
    return session


def _kept(collection: str, make: Callable[[], Any]) -> Any:
    """Returns the first element of a collection. If the collection is empty, adds the result of `make`."""
    known = v1.get_collection(collection)
    if known:
        return known[0]
    made = make()
    if made is not None:
        v1.add_to_collection(collection, made)
    return made


def _stop(coordinator: Any, threads: Any) -> None:
    try:
        coordinator.request_stop()
        coordinator.join(threads, stop_grace_period_secs=120)
    except (RuntimeError, errors.CancelledError) as error:
        logging.warning("The coordinator did not stop cleanly: %s", error)


def _write(output_dir: str, results: Any, step: int) -> None:
    logging.info("Saving evaluation summary for step %d: %s", step, _listed(results))
    summary = v1.Summary()
    for key, value in (results or {}).items():
        if isinstance(value, (float, np.float32)):
            summary.value.add(tag=key, simple_value=float(value))
        elif value is not None:
            summary.value.add(tag=key)
            logging.warning("Skipping summary for %s, must be a float or np.float32.", key)
    writer = get_summary_writer(output_dir)
    writer.add_summary(summary, step)
    writer.flush()


def _listed(results: Any) -> str:
    return ", ".join(f"{key} = {value}" for key, value in sorted((results or {}).items()))
