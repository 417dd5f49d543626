"""RunConfig of contrib.learn: that of tf.estimator, with a few words of its time."""

from __future__ import annotations

import json
import os
from typing import Any

import tensorflow as tf

from tf2bridge.estimator.run_config import RunConfig as CoreRunConfig

v1 = tf.compat.v1
LOCAL = "local"
UNIMPORTANT = (
    "tf_random_seed",
    "save_summary_steps",
    "save_checkpoints_steps",
    "save_checkpoints_secs",
    "session_config",
    "keep_checkpoint_max",
    "keep_checkpoint_every_n_hours",
    "log_step_count_steps",
)
"""What `uid` leaves out."""


class TaskType:
    """What a task of a cluster does."""

    MASTER = "master"
    PS = "ps"
    WORKER = "worker"


class Environment:
    """Where a cluster runs."""

    CLOUD = "cloud"
    GOOGLE = "google"
    LOCAL = LOCAL


class RunConfig(CoreRunConfig):
    """The configuration of an Estimator of contrib.learn; TF_CONFIG is read when the object is made."""

    def __init__(
        self,
        master: str | None = None,
        num_cores: int = 0,
        log_device_placement: bool = False,
        gpu_memory_fraction: float = 1,
        tf_random_seed: int | None = None,
        save_summary_steps: int | None = 100,
        save_checkpoints_secs: int | None = 0,
        save_checkpoints_steps: int | None = None,
        keep_checkpoint_max: int | None = 5,
        keep_checkpoint_every_n_hours: float = 10000,
        log_step_count_steps: int | None = 100,
        protocol: str | None = None,
        evaluation_master: str = "",
        model_dir: str | None = None,
        session_config: Any = None,
        session_creation_timeout_secs: int = 7200,
    ) -> None:
        if save_checkpoints_secs == 0:  # the default
            save_checkpoints_secs = 600 if save_checkpoints_steps is None else None
        super().__init__(
            model_dir=model_dir,
            tf_random_seed=tf_random_seed,
            save_summary_steps=save_summary_steps,
            save_checkpoints_steps=save_checkpoints_steps,
            save_checkpoints_secs=save_checkpoints_secs,
            session_config=session_config,
            keep_checkpoint_max=keep_checkpoint_max,
            keep_checkpoint_every_n_hours=keep_checkpoint_every_n_hours,
            log_step_count_steps=log_step_count_steps,
            protocol=protocol,
            session_creation_timeout_secs=session_creation_timeout_secs,
        )
        environment: str = json.loads(os.environ.get("TF_CONFIG") or "{}").get("environment", LOCAL)
        self._environment = environment
        if master is not None:
            self._master = master
        if evaluation_master:
            self._evaluation_master = evaluation_master
        self._tf_config = v1.ConfigProto(
            log_device_placement=log_device_placement,
            inter_op_parallelism_threads=num_cores,
            intra_op_parallelism_threads=num_cores,
            gpu_options=v1.GPUOptions(per_process_gpu_memory_fraction=gpu_memory_fraction),
        )

    @property
    def tf_config(self) -> Any:
        """The ConfigProto of servers."""
        return self._tf_config

    @property
    def environment(self) -> str:
        """One of Environment."""
        return self._environment

    @staticmethod
    def get_task_id() -> int:
        """Returns the number of this task among those of its job."""
        index = json.loads(os.environ.get("TF_CONFIG") or "{}").get("task", {}).get("index")
        return int(index) if index else 0

    def uid(self, whitelist: Any = None) -> str:
        """Returns a text that differs where two configurations do, but for the properties in `whitelist`."""
        left_out = {f"_{name}" for name in (UNIMPORTANT if whitelist is None else whitelist)}
        kept = {name: value for name, value in vars(self).items() if name not in left_out}
        if kept.get("_cluster_spec"):
            kept["_cluster_spec"] = sorted(kept["_cluster_spec"].as_dict().items())
        return ", ".join(f"{name}={value!r}" for name, value in sorted(kept.items()))
