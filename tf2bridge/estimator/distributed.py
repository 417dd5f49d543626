"""train_and_evaluate in a cluster: what each task does that TF_CONFIG names.

As tensorflow_estimator/python/estimator/training.py of 1.15 has it: the chief and the workers train, each with a server
of its own; parameter servers serve; an evaluator, outside the cluster, evaluates checkpoints as they come.
"""

from __future__ import annotations

import time
from typing import Any

import tensorflow as tf

from tf2bridge.estimator.cluster import TaskType
from tf2bridge.estimator.evaluating import EvaluationListener, Evaluator
from tf2bridge.train.clusters.server import Server

v1 = tf.compat.v1

_DELAY_SECS, _MAX_DELAY_SECS = 5, 60
"""A worker begins this much later than the one before it, at most; asynchronous training converges better so."""


def run_task(estimator: Any, train_spec: Any, eval_spec: Any) -> None:
    """Does what the task of `estimator.config` does, to its end; a parameter server's never comes.

    Raises ValueError for another task type, RuntimeError if the configuration has no session master, and what
    `tf2bridge.train.clusters.server.Server` raises.
    """
    config = estimator.config
    if config.task_type == TaskType.EVALUATOR:
        _evaluate(estimator, train_spec, eval_spec)
    elif config.task_type == TaskType.PS:
        _serve(config).join()
    elif config.task_type == TaskType.MASTER:
        evaluator = Evaluator(estimator, eval_spec, train_spec.max_steps)
        _train(estimator, train_spec, [EvaluationListener(evaluator, eval_spec.throttle_secs)])
    elif config.task_type in (TaskType.CHIEF, TaskType.WORKER):
        _train(estimator, train_spec, [])
    else:
        known = [TaskType.CHIEF, TaskType.EVALUATOR, TaskType.MASTER, TaskType.PS, TaskType.WORKER]
        raise ValueError(f"Task type {config.task_type} is not supported. Supported task types are {known}")


def _train(estimator: Any, train_spec: Any, listeners: list[Any]) -> None:
    config = estimator.config
    if config.master:
        _serve(config)  # before it waits: the others need the server to form the cluster
    elif len(config.cluster_spec.jobs) > 1 or config.num_worker_replicas > 1:
        _require_master()
    most = config.experimental_max_worker_delay_secs
    delay = min(_MAX_DELAY_SECS if most is None else int(most), (config.task_id + 1) * _DELAY_SECS)
    if config.task_type == TaskType.WORKER and delay > 0:
        v1.logging.info("Waiting %d secs before starting training.", delay)
        time.sleep(delay)
    estimator.train(
        input_fn=train_spec.input_fn,
        max_steps=train_spec.max_steps,
        hooks=list(train_spec.hooks),
        saving_listeners=listeners,
    )


def _serve(config: Any) -> Any:
    if not config.master:
        _require_master()
    v1.logging.info("Start Tensorflow server.")
    session = v1.ConfigProto(log_device_placement=False)
    if config.session_config is not None:
        session.gpu_options.CopyFrom(config.session_config.gpu_options)
    return Server(config.cluster_spec, config.task_type, config.task_id, config.protocol, session)


def _require_master() -> None:
    raise RuntimeError(
        "Could not start server; be sure to specify master in RunConfig or set the TF_CONFIG environment variable."
    )


def _evaluate(estimator: Any, train_spec: Any, eval_spec: Any) -> None:
    """Evaluates every new checkpoint until one of the last training step was evaluated."""
    if eval_spec.start_delay_secs:
        v1.logging.info("Waiting %f secs before starting eval.", eval_spec.start_delay_secs)
        time.sleep(eval_spec.start_delay_secs)
    evaluator = Evaluator(estimator, eval_spec, train_spec.max_steps)
    while True:
        begun = time.monotonic()
        if evaluator.has_new():
            step = evaluator.evaluate_and_export()[0]["global_step"]
            if train_spec.max_steps and step >= train_spec.max_steps:
                v1.logging.info("Exiting evaluation, global_step=%s >= train max_steps=%s", step, train_spec.max_steps)
                return
        wait = eval_spec.throttle_secs - (time.monotonic() - begun)
        if wait > 0:
            v1.logging.info("Waiting %f secs before starting next eval run.", wait)
            time.sleep(wait)
