"""Training: the hooks around a train op, and the loop."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.messages import logging
from tf2bridge.estimator.cluster import TaskType
from tf2bridge.estimator.run_config import RunConfig
from tf2bridge.train.supervised.monitored import MonitoredTrainingSession
from tf2bridge.train.supervised.saver import Saver

v1 = tf.compat.v1


def train(spec: Any, config: RunConfig, worker_hooks: list[Any], global_step: Any, listeners: list[Any]) -> Any:
    """Runs the train op of an EstimatorSpec until a hook or the input stops it; returns the last loss, or None.

    `worker_hooks` are those of the input and of the caller. Checkpoints, events and logs are written as `config`
    says. Raises ValueError for `listeners` without anything that saves checkpoints.
    """
    _add_to_collections(spec, config)
    worker_hooks = [*worker_hooks, *_watching(spec, config, global_step), *spec.training_hooks]
    saver_hooks = _saver_hooks(spec, config, worker_hooks)
    _listen(listeners, [*saver_hooks, *_savers_among([*worker_hooks, *spec.training_chief_hooks])])
    summary_steps, count_steps = config.save_summary_steps, config.log_step_count_steps
    if _has_master_and_workers(config):
        # The master is busy evaluating as well, so that the first worker writes the summaries.
        worker_hooks += _summaries_of_first_worker(spec, config)
        summary_steps, count_steps = 0, None
    with MonitoredTrainingSession(
        master=config.master,
        is_chief=config.is_chief,
        checkpoint_dir=config.model_dir,
        scaffold=spec.scaffold,
        hooks=worker_hooks,
        chief_only_hooks=(*saver_hooks, *spec.training_chief_hooks),
        save_checkpoint_secs=0,  # a hook of ours saves
        save_summaries_steps=summary_steps,
        config=config.session_config,
        max_wait_secs=config.session_creation_timeout_secs,
        log_step_count_steps=count_steps,
    ) as session:
        return _loop(session, spec)


def _loop(session: Any, spec: Any) -> Any:
    loss, stepped = None, False
    while not session.should_stop():
        _, loss = session.run([spec.train_op, spec.loss])
        stepped = True
    if not stepped:
        logging.warning("Training with estimator made no steps. Perhaps input is empty or misspecified.")
    return loss


def add_loss_summary(spec: Any) -> None:
    """Adds the summary of the loss, unless the model has one of that name."""
    if not any(summary.op.name == "loss" for summary in v1.get_collection(v1.GraphKeys.SUMMARIES)):
        v1.summary.scalar("loss", spec.loss)


def _add_to_collections(spec: Any, config: RunConfig) -> None:
    """Adds the loss to its collection, and a saver if there is none."""
    v1.add_to_collection(v1.GraphKeys.LOSSES, spec.loss)
    if not spec.scaffold.saver and not v1.get_collection(v1.GraphKeys.SAVERS):
        saver = Saver(
            sharded=True,
            max_to_keep=config.keep_checkpoint_max,
            keep_checkpoint_every_n_hours=config.keep_checkpoint_every_n_hours,
            defer_build=True,
            save_relative_paths=True,
        )
        v1.add_to_collection(v1.GraphKeys.SAVERS, saver)


def _watching(spec: Any, config: RunConfig, global_step: Any) -> list[Any]:
    hooks = [v1.train.NanTensorHook(spec.loss)]
    if config.log_step_count_steps is not None:
        shown = {"loss": spec.loss, "step": global_step}
        hooks.append(v1.train.LoggingTensorHook(shown, every_n_iter=config.log_step_count_steps))
    return hooks


def _savers_among(hooks: list[Any]) -> list[Any]:
    return [hook for hook in hooks if isinstance(hook, v1.train.CheckpointSaverHook)]


def _saver_hooks(spec: Any, config: RunConfig, worker_hooks: list[Any]) -> list[Any]:
    """Returns the hook that saves checkpoints, unless the model or the caller has one."""
    if not (config.save_checkpoints_secs or config.save_checkpoints_steps):
        return []
    if _savers_among([*worker_hooks, *spec.training_chief_hooks]):
        return []
    hook = v1.train.CheckpointSaverHook(
        config.model_dir,
        save_secs=config.save_checkpoints_secs,
        save_steps=config.save_checkpoints_steps,
        scaffold=spec.scaffold,
    )
    # TensorFlow 2.21 assumes a million steps in each run, and fetches the global step once more after every run.
    hook._set_steps_per_run(1)
    return [hook]


def _listen(listeners: list[Any], savers: list[Any]) -> None:
    if listeners and not savers:
        raise ValueError(
            "There should be a CheckpointSaverHook to use saving_listeners. Please set one of the "
            "RunConfig.save_checkpoints_steps or RunConfig.save_checkpoints_secs."
        )
    for listener in listeners:
        if listener not in savers[0]._listeners:
            savers[0]._listeners.append(listener)


def _has_master_and_workers(config: RunConfig) -> bool:
    jobs = config.cluster_spec.jobs if config.cluster_spec else ()
    return TaskType.WORKER in jobs and TaskType.MASTER in jobs


def _summaries_of_first_worker(spec: Any, config: RunConfig) -> list[Any]:
    if config.task_type != TaskType.WORKER or config.task_id != 0:
        return []
    hooks = []
    if config.save_summary_steps:
        hooks.append(
            v1.train.SummarySaverHook(
                save_steps=config.save_summary_steps, output_dir=config.model_dir, scaffold=spec.scaffold
            )
        )
    if config.log_step_count_steps:
        hooks.append(v1.train.StepCounterHook(config.log_step_count_steps, output_dir=config.model_dir))
    return hooks
