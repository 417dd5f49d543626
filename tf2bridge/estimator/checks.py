"""Checks the arguments of an Estimator, and completes them."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.messages import logging
from tf2bridge.estimator.run_config import RunConfig, default_session_config
from tf2bridge.internals.support import fn_args
from tf2bridge.internals.training import STANDARD_PS_OPS

v1 = tf.compat.v1

MODEL_FN_ARGUMENTS = {"features", "labels", "mode", "params", "self", "config"}


def with_directory(config: Any, model_dir: Any) -> RunConfig:
    """Returns the configuration with a model_dir, a temporary one if none is given, and a session_config.

    Raises ValueError for what is no RunConfig, and for two different directories.
    """
    if config is None:
        config = RunConfig()
        logging.info("Using default config.")
    if not isinstance(config, RunConfig):
        raise ValueError(f"config must be an instance of `RunConfig`, but provided {config}.")
    if config.session_config is None:
        config = RunConfig.replace(config, session_config=default_session_config())
    model_dir = None if model_dir is None else os.fspath(model_dir)
    if model_dir is not None and config.model_dir is not None and config.model_dir != model_dir:
        raise ValueError(
            "`model_dir` are set both in constructor and `RunConfig`, but with different values. In constructor: "
            f"'{model_dir}', in `RunConfig`: '{config.model_dir}' "
        )
    if not model_dir and config.model_dir is None:
        model_dir = tempfile.mkdtemp()
        logging.warning("Using temporary folder as model directory: %s", model_dir)
    return RunConfig.replace(config, model_dir=model_dir) if model_dir else config


def parameter_server_devices(config: RunConfig) -> Any:
    """Returns the device function that puts variables on parameter servers, or None without any."""
    if not config.num_ps_replicas:
        return None
    worker = f"/job:{config.task_type}/task:{config.task_id}" if config.task_type else "/job:worker"
    return v1.train.replica_device_setter(
        ps_tasks=config.num_ps_replicas,
        worker_device=worker,
        merge_devices=True,
        ps_ops=list(STANDARD_PS_OPS),
        cluster=config.cluster_spec,
    )


def check_model_fn(model_fn: Callable[..., Any], params: Any) -> None:
    """Raises ValueError for a model_fn with unknown parameters, or without `params` if params are given."""
    names = set(fn_args(model_fn))
    if "features" not in names:
        raise ValueError(f"model_fn ({model_fn}) must include features argument.")
    if params is not None and "params" not in names:
        raise ValueError(
            f"model_fn ({model_fn}) does not include params argument, but params ({params}) is passed to Estimator."
        )
    if params is None and "params" in names:
        logging.warning(
            "Estimator's model_fn (%s) includes params argument, but params are not passed to Estimator.", model_fn
        )
    if unknown := sorted(names - MODEL_FN_ARGUMENTS):
        raise ValueError(f"model_fn ({model_fn}) has following not expected args: {unknown}")


def checked_hooks(hooks: Any) -> list[Any]:
    """Returns the hooks as a list. Raises TypeError for an object that is no SessionRunHook."""
    for hook in (checked := list(hooks or [])):
        if not isinstance(hook, v1.train.SessionRunHook):
            raise TypeError(f"Hooks must be a SessionRunHook, given: {hook}")
    return checked


def checked_listeners(listeners: Any) -> list[Any]:
    """Returns the listeners as a list. Raises TypeError for an object that is no CheckpointSaverListener."""
    for listener in (checked := list(listeners or [])):
        if not isinstance(listener, v1.train.CheckpointSaverListener):
            raise TypeError(f"saving_listeners must be a list of CheckpointSaverListener, given: {listener}")
    return checked


def saved_global_step(checkpoint_dir: str) -> int:
    """Returns the global step of the latest checkpoint in a directory; 0 without one."""
    path = v1.train.latest_checkpoint(checkpoint_dir)
    if path is None:
        return 0
    reader = v1.train.NewCheckpointReader(path)
    return int(reader.get_tensor("global_step")) if reader.has_tensor("global_step") else 0
