"""The configuration of a TPUEstimator; what concerns TPUs is kept and checked, and else without effect."""

from __future__ import annotations

import collections
import enum
import json
import os
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.tpu.util import check_positive_integer, parse_iterations_per_loop
from tf2bridge.estimator.run_config import RunConfig as CoreRunConfig

v1 = tf.compat.v1
CORES = (1, 2, 4, 8, 16, 32, 64, 128)


class InputPipelineConfig:
    """Where the input_fn is called: for each shard, for each host, or once."""

    PER_SHARD_V1 = 1
    PER_HOST_V1 = 2
    PER_HOST_V2 = 3
    BROADCAST = 4
    SLICED = 5


class ExportSavedModelApiVersion(enum.Enum):
    """The ways to export a model for TPUs."""

    V1 = 1
    V2 = 2


BatchConfig = collections.namedtuple(
    "BatchConfig",
    ["num_batch_threads", "max_batch_size", "batch_timeout_micros", "allowed_batch_sizes", "max_enqueued_batches"],
    defaults=[10],
)


class TPUConfig(
    collections.namedtuple(
        "TPUConfig",
        [
            "iterations_per_loop",
            "num_shards",
            "num_cores_per_replica",
            "per_host_input_for_training",
            "tpu_job_name",
            "initial_infeed_sleep_secs",
            "input_partition_dims",
            "eval_training_input_configuration",
            "experimental_host_call_every_n_steps",
        ],
    )
):
    """The TPU settings of a RunConfig. Raises ValueError or TypeError for values that 1.15.5 refuses."""

    __slots__ = ()

    def __new__(
        cls,
        iterations_per_loop: Any = 2,
        num_shards: int | None = None,
        num_cores_per_replica: int | None = None,
        per_host_input_for_training: Any = True,
        tpu_job_name: str | None = None,
        initial_infeed_sleep_secs: int | None = None,
        input_partition_dims: Any = None,
        eval_training_input_configuration: int = InputPipelineConfig.PER_HOST_V1,
        experimental_host_call_every_n_steps: int = 1,
    ) -> TPUConfig:
        parse_iterations_per_loop(iterations_per_loop)
        if num_shards is not None:
            check_positive_integer(num_shards, "TPUConfig num_shards")
        _check_partition(input_partition_dims, per_host_input_for_training, num_cores_per_replica)
        if eval_training_input_configuration not in (InputPipelineConfig.PER_HOST_V1, InputPipelineConfig.SLICED):
            raise ValueError(
                f"eval_training_input_configuration is {eval_training_input_configuration}; it must be PER_HOST_V1 or "
                "SLICED"
            )
        if isinstance(per_host_input_for_training, bool):
            modes = (InputPipelineConfig.PER_SHARD_V1, InputPipelineConfig.PER_HOST_V1)
            per_host_input_for_training = modes[per_host_input_for_training]
        if initial_infeed_sleep_secs:
            check_positive_integer(initial_infeed_sleep_secs, "TPUConfig initial_infeed_sleep_secs")
        return super().__new__(
            cls,
            iterations_per_loop,
            num_shards,
            num_cores_per_replica,
            per_host_input_for_training,
            tpu_job_name or _job_name(),
            initial_infeed_sleep_secs,
            input_partition_dims,
            eval_training_input_configuration,
            experimental_host_call_every_n_steps,
        )


def _check_partition(dims: Any, pipeline: Any, cores: int | None) -> None:
    if dims is not None:
        if len(dims) not in (1, 2):
            raise ValueError(f"input_partition_dims has {len(dims)} elements; it must have one or two")
        if pipeline is not InputPipelineConfig.PER_HOST_V2:
            raise ValueError("input_partition_dims needs per_host_input_for_training=PER_HOST_V2")
        if cores is None:
            raise ValueError("input_partition_dims needs num_cores_per_replica")
    if cores is not None and cores not in CORES:
        raise ValueError(f"num_cores_per_replica is {cores}; it must be one of {CORES}")


def _job_name() -> str | None:
    name: str | None = json.loads(os.environ.get("TF_CONFIG", "{}")).get("service", {}).get("tpu_worker_job_name")
    return name


class RunConfig(CoreRunConfig):
    """`tf.estimator.RunConfig` with a TPUConfig and a cluster resolver. Raises ValueError for master with cluster."""

    def __init__(
        self,
        tpu_config: TPUConfig | None = None,
        evaluation_master: str | None = None,
        master: str | None = None,
        cluster: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._tpu_config = tpu_config or TPUConfig()
        self._cluster = cluster
        if master is not None:
            if cluster is not None:
                raise ValueError("RunConfig takes master or cluster, not both")
            self._master = master
        elif cluster:
            self._master = cluster.master()
        if evaluation_master is not None:
            self._evaluation_master = evaluation_master
        elif not self.evaluation_master and self.task_type != "evaluator":
            self._evaluation_master = self.master
        if cluster:
            self._take_cluster(cluster)

    def _take_cluster(self, cluster: Any) -> None:
        self._cluster_spec = cluster.cluster_spec()
        if self._session_config is None:
            self._session_config = v1.ConfigProto(allow_soft_placement=True, isolate_session_state=True)
        if self._session_config.HasField("cluster_def"):
            raise ValueError("RunConfig takes a cluster or a session_config with a cluster_def, not both")
        if self._cluster_spec:
            self._session_config.cluster_def.CopyFrom(self._cluster_spec.as_cluster_def())

    @property
    def tpu_config(self) -> TPUConfig:
        """The TPU settings."""
        return self._tpu_config

    @property
    def cluster(self) -> Any:
        """The cluster resolver, or None."""
        return self._cluster

    def replace(self, **kwargs: Any) -> RunConfig:
        """Returns a copy with other values of some properties, of `tpu_config` as well. Raises ValueError."""
        changed = {"tpu_config": kwargs.pop("tpu_config")} if "tpu_config" in kwargs else {}
        config: Any = super().replace(**kwargs)
        if changed:
            config._tpu_config = changed["tpu_config"]
        copied: RunConfig = config
        return copied
