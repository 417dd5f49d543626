"""Reads TF_CONFIG: the cluster, and the task of this process in it."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.messages import logging

v1 = tf.compat.v1

LOCAL_MASTER = ""
"""The session target of a process without a cluster."""

_MAY_COME_FROM = "Note that these values may be coming from the TF_CONFIG environment variable."


class TaskType:
    """The names of the jobs of a cluster."""

    MASTER = "master"
    PS = "ps"
    WORKER = "worker"
    CHIEF = "chief"
    EVALUATOR = "evaluator"


@dataclass(frozen=True)
class Place:
    """The place of this process in its cluster. RunConfig has properties of the same names."""

    cluster_spec: Any
    service: Mapping[str, Any] | None
    task_type: str
    task_id: int
    master: str
    evaluation_master: str
    is_chief: bool
    num_ps_replicas: int
    num_worker_replicas: int
    global_id_in_cluster: int | None


def tf_config() -> dict[str, Any]:
    """Returns the environment variable TF_CONFIG, or an empty dict."""
    config: dict[str, Any] = json.loads(os.environ.get("TF_CONFIG", "{}"))
    if config:
        logging.info("TF_CONFIG environment variable: %s", config)
    return config


def place(config: Mapping[str, Any]) -> Place:
    """Returns where TF_CONFIG puts this process.

    Raises TypeError if its "service" is no dict; ValueError if its task is missing, or not one of its cluster.
    """
    service = config.get("service")
    if service is not None and not isinstance(service, dict):
        raise TypeError(f'If "service" is set in TF_CONFIG, it must be a dict. Given {type(service)}')
    cluster = v1.train.ClusterSpec(config.get("cluster", {}))
    if not cluster:
        return _alone(config, cluster, service)
    with_master = TaskType.MASTER in cluster.jobs
    if with_master and TaskType.CHIEF in cluster.jobs:
        raise ValueError("If `master` node exists in `cluster`, job `chief` is not supported.")
    chief = TaskType.MASTER if with_master else TaskType.CHIEF
    task_type, task_id = _task(cluster, config.get("task", {}), chief)
    if task_type == TaskType.EVALUATOR:
        if with_master:
            raise ValueError("If `master` node exists in `cluster`, task_type `evaluator` is not supported.")
        return _evaluator(config, service, task_id)
    jobs = cluster.as_dict()
    return Place(
        cluster_spec=cluster,
        service=service,
        task_type=task_type,
        task_id=task_id,
        master=_master(config, cluster, task_type, task_id),
        evaluation_master=LOCAL_MASTER,
        is_chief=task_type == chief,
        num_ps_replicas=len(jobs.get(TaskType.PS, [])),
        num_worker_replicas=len(jobs.get(TaskType.WORKER, [])) + len(jobs.get(chief, [])),
        global_id_in_cluster=_global_id(cluster, task_type, task_id, chief),
    )


def _alone(config: Mapping[str, Any], cluster: Any, service: Mapping[str, Any] | None) -> Place:
    task = config.get("task", {})
    task_type, task_id = task.get("type", TaskType.WORKER), int(task.get("index", 0))
    if task_type != TaskType.WORKER:
        raise ValueError('If "cluster" is not set in TF_CONFIG, task type must be WORKER.')
    if task_id != 0:
        raise ValueError('If "cluster" is not set in TF_CONFIG, task index must be 0.')
    master = config.get("session_master", LOCAL_MASTER)
    evaluation_master = config.get("eval_session_master", LOCAL_MASTER)
    return Place(cluster, service, task_type, 0, master, evaluation_master, True, 0, 1, 0)


def _evaluator(config: Mapping[str, Any], service: Mapping[str, Any] | None, task_id: int) -> Place:
    """Returns the place of an evaluator, which is outside the cluster whose checkpoints it reads."""
    nobody = v1.train.ClusterSpec({})
    evaluation_master = config.get("eval_session_master", LOCAL_MASTER)
    return Place(nobody, service, TaskType.EVALUATOR, task_id, LOCAL_MASTER, evaluation_master, False, 0, 0, None)


def _task(cluster: Any, task: Mapping[str, Any], chief: str) -> tuple[str, int]:
    if chief not in cluster.jobs:
        raise ValueError(f'If "cluster" is set in TF_CONFIG, it must have one "{chief}" node.')
    if len(cluster.job_tasks(chief)) > 1:
        raise ValueError(f'The "cluster" in TF_CONFIG must have only one "{chief}" node.')
    task_type, index = task.get("type"), task.get("index")
    if not task_type:
        raise ValueError('If "cluster" is set in TF_CONFIG, task type must be set.')
    if index is None:
        raise ValueError('If "cluster" is set in TF_CONFIG, task index must be set.')
    task_id = int(index)
    if task_id < 0:
        raise ValueError("Task index must be non-negative number.")
    if task_type == TaskType.EVALUATOR:
        return task_type, task_id
    if task_type not in cluster.jobs:
        raise ValueError(f"{task_type} is not a valid task_type in the cluster_spec:\n{cluster}\n\n{_MAY_COME_FROM}")
    if task_id >= len(cluster.job_tasks(task_type)):
        raise ValueError(
            f"{task_id} is not a valid task_id for task_type {task_type} in the cluster_spec:\n{cluster}\n\n"
            f"{_MAY_COME_FROM}"
        )
    return task_type, task_id


def _master(config: Mapping[str, Any], cluster: Any, task_type: str, task_id: int) -> str:
    if "session_master" in config:
        return str(config["session_master"])
    if len(cluster.jobs) == 1 and len(cluster.job_tasks(cluster.jobs[0])) == 1:
        return LOCAL_MASTER
    return f"grpc://{cluster.job_tasks(task_type)[task_id]}"


def _global_id(cluster: Any, task_type: str, task_id: int, chief: str) -> int:
    """Returns the number of a task: first the chief, then the other jobs by name, and the parameter servers last."""
    others = sorted(cluster.jobs, key=lambda job: (job == TaskType.PS, job != chief, job))
    before = others[: others.index(task_type)]
    return task_id + sum(len(cluster.job_tasks(job)) for job in before)
