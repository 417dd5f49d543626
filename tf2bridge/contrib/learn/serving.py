"""The server of an Experiment's task in a cluster (contrib/learn/python/learn/experiment.py of 1.4)."""

from __future__ import annotations

import math
from typing import Any

from tf2bridge.behaviour.messages import logging
from tf2bridge.contrib.learn.estimators.cluster_config import Environment
from tf2bridge.contrib.learn.estimators.run_config import RunConfig
from tf2bridge.train.clusters.server import started_server

_DELAY_SECS, _MAX_DELAY_SECS = 5, 60


def start_server(config: Any) -> Any:
    """Returns the started server of the task that `config` describes. Raises ValueError if it describes none."""
    if not config.cluster_spec or not config.task_type or not config.master or config.task_id is None:
        raise ValueError(
            "Could not start server; be sure to specify cluster_spec, task_type, master, and task in RunConfig or set "
            "the TF_CONFIG environment variable."
        )
    options = {"config": config.tf_config} if isinstance(config, RunConfig) else {}
    return started_server(config.cluster_spec, job_name=config.task_type, task_index=config.task_id, **options)


def join_cluster(config: Any) -> None:
    """Starts the server of a training task if it belongs to a cluster.

    Raises:
        ValueError: there is a cluster, but the RunConfig is not the one of contrib.learn.
    """
    if not config.cluster_spec or not config.master:
        return
    if not isinstance(config, RunConfig):
        raise ValueError(
            "For distributed runtime, Experiment class only works with tf.contrib.learn.RunConfig for now, but "
            f"provided {type(config)}"
        )
    if config.environment == Environment.LOCAL:
        logging.warn(
            "ClusterSpec and master are provided, but environment is set to 'local'. Set environment to 'cloud' if you "
            "intend to use the distributed runtime."
        )
    elif config.environment != Environment.GOOGLE:
        start_server(config)


def seconds_before(task_id: int) -> int:
    """Returns how many seconds this worker begins later than the first."""
    return min(_MAX_DELAY_SECS, task_id * _DELAY_SECS)


def steps_before(task_id: int) -> int:
    """Returns how many global steps this worker lets the others take before it begins: the later, the fewer more."""
    return int(8000.0 * math.log(task_id + 1))
