"""ClusterConfig: what contrib.learn reads in TF_CONFIG, by rules that are older than those of tf.estimator.

A cluster needs no chief, a task no type, and the first worker is the chief (contrib/learn/python/learn/estimators/
run_config.py of 1.15.5).
"""

from __future__ import annotations

import json
import os
from typing import Any

import tensorflow as tf

v1 = tf.compat.v1


class TaskType:
    """The task types of a cluster."""

    MASTER = "master"
    PS = "ps"
    WORKER = "worker"


class Environment:
    """The environments of a cluster."""

    CLOUD = "cloud"
    GOOGLE = "google"
    LOCAL = "local"


def tf_config() -> dict[str, Any]:
    """Returns the environment variable TF_CONFIG, or an empty dict."""
    parsed: dict[str, Any] = json.loads(os.environ.get("TF_CONFIG") or "{}")
    return parsed


class ClusterConfig:
    """The cluster in TF_CONFIG, and the task of this process.

    `master` is by default the address of the task.

    Raises:
        ValueError: the task is not in the cluster.
    """

    def __init__(self, master: str | None = None, evaluation_master: str | None = None) -> None:
        config = tf_config()
        self._task_type: str | None = config.get("task", {}).get("type")
        self._task_id = self.get_task_id()
        self._cluster_spec = v1.train.ClusterSpec(config.get("cluster", {}))
        self._master = _master(self._cluster_spec, self._task_type, self._task_id) if master is None else master
        self._num_ps_replicas = _count(self._cluster_spec, TaskType.PS)
        self._num_worker_replicas = _count(self._cluster_spec, TaskType.WORKER, TaskType.MASTER)
        self._environment: str = config.get("environment", Environment.LOCAL)
        chief = TaskType.MASTER if self._environment == Environment.CLOUD else TaskType.WORKER
        self._is_chief = self._task_type in (None, chief) and self._task_id == 0
        self._evaluation_master = evaluation_master or ""

    @property
    def cluster_spec(self) -> Any:
        """The ClusterSpec, which may be empty."""
        return self._cluster_spec

    @property
    def environment(self) -> str:
        """The environment, a value of Environment."""
        return self._environment

    @property
    def evaluation_master(self) -> str:
        """The target of sessions that evaluate."""
        return self._evaluation_master

    @property
    def is_chief(self) -> bool:
        """True if this task initializes and saves: the first worker, or in the cloud the master."""
        return self._is_chief

    @property
    def master(self) -> str:
        """The target of sessions."""
        return self._master

    @property
    def num_ps_replicas(self) -> int:
        """The number of parameter servers."""
        return self._num_ps_replicas

    @property
    def num_worker_replicas(self) -> int:
        """The number of workers and masters."""
        return self._num_worker_replicas

    @property
    def task_id(self) -> int:
        """The number of this task in its job."""
        return self._task_id

    @property
    def task_type(self) -> str | None:
        """The job of this task; None if TF_CONFIG names none."""
        return self._task_type

    @staticmethod
    def get_task_id() -> int:
        """Returns the number of this task in its job."""
        index = tf_config().get("task", {}).get("index")
        return int(index) if index else 0


def _count(cluster: Any, *jobs: str) -> int:
    tasks = cluster.as_dict()
    return sum(len(tasks.get(job, [])) for job in jobs)


def _master(cluster: Any, task_type: str | None, task_id: int) -> str:
    """Returns the address of the task. It is empty for a cluster of one task, and for a task without a type."""
    alone = sum(len(cluster.job_tasks(job)) for job in cluster.jobs) <= 1
    if alone or not task_type:
        return ""
    hint = f"cluster_spec:\n{cluster}\n\nNote that these values may be coming from the TF_CONFIG environment variable."
    if task_type not in cluster.jobs:
        raise ValueError(f"{task_type} is not a valid task_type in the {hint}")
    addresses = cluster.job_tasks(task_type)
    if not 0 <= task_id < len(addresses):
        raise ValueError(f"{task_id} is not a valid task_id for task_type {task_type} in the {hint}")
    return f"grpc://{addresses[task_id]}"
