"""RunConfig of contrib.learn: the one of tf.estimator, with the cluster rules of ClusterConfig."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.contrib.learn.estimators.cluster_config import ClusterConfig, tf_config
from tf2bridge.estimator.run_config import RunConfig as CoreRunConfig

v1 = tf.compat.v1
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
"""The properties that `uid` leaves out."""
NO_VALUE = ("train_distribute", "eval_distribute", "experimental_max_worker_delay_secs", "device_fn")
"""Properties of tf.estimator's RunConfig that this one does not take."""


class RunConfig(ClusterConfig, CoreRunConfig):
    """The configuration of an Estimator of contrib.learn. The constructor reads TF_CONFIG."""

    _USE_DEFAULT = 0

    def __init__(
        self,
        master: str | None = None,
        num_cores: int = 0,
        log_device_placement: bool = False,
        gpu_memory_fraction: float = 1,
        tf_random_seed: int | None = None,
        save_summary_steps: int | None = 100,
        save_checkpoints_secs: int | None = _USE_DEFAULT,
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
        ClusterConfig.__init__(self, master=master, evaluation_master=evaluation_master)
        if save_checkpoints_secs == RunConfig._USE_DEFAULT:
            save_checkpoints_secs = 600 if save_checkpoints_steps is None else None
        self.__dict__.update({f"_{name}": None for name in NO_VALUE})
        self._tf_random_seed = tf_random_seed
        self._save_summary_steps = save_summary_steps
        self._save_checkpoints_secs = save_checkpoints_secs
        self._save_checkpoints_steps = save_checkpoints_steps
        self._keep_checkpoint_max = keep_checkpoint_max
        self._keep_checkpoint_every_n_hours = keep_checkpoint_every_n_hours
        self._log_step_count_steps = log_step_count_steps
        self._protocol = protocol
        self._model_dir = _directory(model_dir)
        self._session_config = session_config
        self._session_creation_timeout_secs = session_creation_timeout_secs
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

    def uid(self, whitelist: Any = None) -> str:
        """Returns a text that is equal for equal configurations. The properties in `whitelist` are left out."""
        left_out = {f"_{name}" for name in (UNIMPORTANT if whitelist is None else whitelist)}
        kept = {name: value for name, value in vars(self).items() if name not in left_out}
        if kept.get("_cluster_spec"):
            kept["_cluster_spec"] = sorted(kept["_cluster_spec"].as_dict().items())
        return ", ".join(f"{name}={value!r}" for name, value in sorted(kept.items()))


def _directory(model_dir: str | None) -> str | None:
    theirs: str | None = tf_config().get("model_dir")
    if None not in (model_dir, theirs) and model_dir != theirs:
        raise ValueError(
            "`model_dir` provided in RunConfig construct, if set, must have the same value as the model_dir in "
            f'TF_CONFIG. model_dir: {model_dir}\nTF_CONFIG["model_dir"]: {theirs}.\n'
        )
    return model_dir or theirs
