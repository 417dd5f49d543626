"""RunConfig: the configuration of an Estimator for checkpoints, logs, sessions and its place in a cluster."""

from __future__ import annotations

import copy
import inspect
import os
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.messages import logging
from tf2bridge.estimator.cluster import TaskType, place, tf_config
from tf2bridge.estimator.refusals import DistributionUnavailableError
from tf2bridge.internals.protos import rewriter_config_pb2

v1 = tf.compat.v1

_UNSET: Any = object()

_BOTH = "`save_checkpoints_steps` and `save_checkpoints_secs` cannot be both set."

REPLACEABLE = (
    "model_dir",
    "tf_random_seed",
    "save_summary_steps",
    "save_checkpoints_steps",
    "save_checkpoints_secs",
    "session_config",
    "keep_checkpoint_max",
    "keep_checkpoint_every_n_hours",
    "log_step_count_steps",
    "train_distribute",
    "device_fn",
    "protocol",
    "eval_distribute",
    "experimental_distribute",
    "experimental_max_worker_delay_secs",
    "session_creation_timeout_secs",
)
"""The properties that `replace` takes."""


def _is_integer(value: Any) -> bool:
    return isinstance(value, int)


def _takes_op(function: Any) -> bool:
    return callable(function) and set(inspect.signature(function).parameters) == {"op"}


_CHECKS: dict[str, tuple[Any, str]] = {
    "model_dir": (bool, "model_dir should be non-empty"),
    "save_summary_steps": (lambda steps: steps >= 0, "save_summary_steps should be >= 0"),
    "save_checkpoints_steps": (lambda steps: steps >= 0, "save_checkpoints_steps should be >= 0"),
    "save_checkpoints_secs": (lambda secs: secs >= 0, "save_checkpoints_secs should be >= 0"),
    "session_config": (
        lambda config: isinstance(config, v1.ConfigProto),
        "session_config must be instance of ConfigProto",
    ),
    "keep_checkpoint_max": (lambda most: most >= 0, "keep_checkpoint_max should be >= 0"),
    "keep_checkpoint_every_n_hours": (lambda hours: hours > 0, "keep_checkpoint_every_n_hours should be > 0"),
    "log_step_count_steps": (lambda steps: steps > 0, "log_step_count_steps should be > 0"),
    "tf_random_seed": (_is_integer, "tf_random_seed must be integer."),
    "experimental_max_worker_delay_secs": (
        _is_integer,
        "experimental_max_worker_delay_secs must be an integer if set.",
    ),
    "session_creation_timeout_secs": (lambda secs: secs > 0, "session_creation_timeout_secs should be > 0"),
    "device_fn": (_takes_op, 'device_fn must be callable with exactly one argument "op".'),
    "protocol": (lambda protocol: protocol in ("grpc", "grpc+verbs"), "protocol should be grpc or grpc+verbs"),
}
"""Property -> the condition for a value that is not None, and the text of the error."""


def _shown(name: str) -> Any:
    """Returns a read-only property. RunConfig stores its values under the names of 1.15.5."""
    return property(lambda config: vars(config)[f"_{name}"])


class RunConfig:
    """The configuration of an Estimator; read-only, `replace` makes another one.

    Every parameter is as in 1.15.5. TF_CONFIG is read when the object is made. Raises ValueError or TypeError for an
    invalid value or TF_CONFIG, DistributionUnavailableError for a distribution strategy.
    """

    def __init__(
        self,
        model_dir: Any = None,
        tf_random_seed: int | None = None,
        save_summary_steps: int | None = 100,
        save_checkpoints_steps: int | None = _UNSET,
        save_checkpoints_secs: int | None = _UNSET,
        session_config: Any = None,
        keep_checkpoint_max: int | None = 5,
        keep_checkpoint_every_n_hours: float = 10000,
        log_step_count_steps: int | None = 100,
        train_distribute: Any = None,
        device_fn: Any = None,
        protocol: str | None = None,
        eval_distribute: Any = None,
        experimental_distribute: Any = None,
        experimental_max_worker_delay_secs: int | None = None,
        session_creation_timeout_secs: int = 7200,
    ) -> None:
        given = {name: value for name, value in locals().items() if name in REPLACEABLE}
        given.update(_when_to_save(save_checkpoints_steps, save_checkpoints_secs))
        environment = tf_config()
        given["model_dir"] = _directory(environment, model_dir)
        _assign(self, given)
        if train_distribute or eval_distribute or experimental_distribute:
            raise DistributionUnavailableError()
        self.__dict__.update({f"_{name}": value for name, value in vars(place(environment)).items()})
        if not self.session_config and self.cluster_spec:
            self._session_config = _cluster_session_config(self.task_type, self.task_id)

    def replace(self, **kwargs: Any) -> RunConfig:
        """Returns a copy with other values of the properties in REPLACEABLE.

        Raises ValueError for any other name, and for an invalid value.
        """
        return RunConfig._replace(copy.deepcopy(self), allowed_properties_list=REPLACEABLE, **kwargs)

    @staticmethod
    def _replace(config: RunConfig, allowed_properties_list: Any = None, **kwargs: Any) -> RunConfig:
        """Does the same as `replace`, under another name that programs and subclasses of 1.x use."""
        allowed = list(allowed_properties_list or [])
        for name in kwargs:
            if name not in allowed:
                raise ValueError(f"Replacing {name} is not supported. Allowed properties are {allowed}.")
        return _assign(config, kwargs)

    model_dir = _shown("model_dir")
    tf_random_seed = _shown("tf_random_seed")
    save_summary_steps = _shown("save_summary_steps")
    save_checkpoints_steps = _shown("save_checkpoints_steps")
    save_checkpoints_secs = _shown("save_checkpoints_secs")
    session_config = _shown("session_config")
    keep_checkpoint_max = _shown("keep_checkpoint_max")
    keep_checkpoint_every_n_hours = _shown("keep_checkpoint_every_n_hours")
    log_step_count_steps = _shown("log_step_count_steps")
    train_distribute = _shown("train_distribute")
    device_fn = _shown("device_fn")
    protocol = _shown("protocol")
    eval_distribute = _shown("eval_distribute")
    experimental_max_worker_delay_secs = _shown("experimental_max_worker_delay_secs")
    session_creation_timeout_secs = _shown("session_creation_timeout_secs")
    cluster_spec = _shown("cluster_spec")
    service = _shown("service")
    task_type = _shown("task_type")
    task_id = _shown("task_id")
    global_id_in_cluster = _shown("global_id_in_cluster")
    master = _shown("master")
    evaluation_master = _shown("evaluation_master")
    is_chief = _shown("is_chief")
    num_ps_replicas = _shown("num_ps_replicas")
    num_worker_replicas = _shown("num_worker_replicas")


def default_session_config() -> Any:
    """Returns the session_config of an Estimator without another one: soft placement, one optimizer pass."""
    rewrite = rewriter_config_pb2.RewriterConfig(meta_optimizer_iterations=rewriter_config_pb2.RewriterConfig.ONE)
    return v1.ConfigProto(allow_soft_placement=True, graph_options=v1.GraphOptions(rewrite_options=rewrite))


def _cluster_session_config(task_type: str, task_id: int) -> Any:
    """Returns the session_config of a task.

    It sees the parameter servers and itself; a parameter server sees all tasks.
    """
    filters = {
        TaskType.MASTER: ["/job:ps", "/job:master"],
        TaskType.CHIEF: ["/job:ps", "/job:chief"],
        TaskType.WORKER: ["/job:ps", f"/job:worker/task:{task_id}"],
        TaskType.PS: ["/job:ps", "/job:worker", "/job:chief", "/job:master"],
    }
    if task_type not in filters:
        return None
    config = default_session_config()
    config.device_filters.extend(filters[task_type])
    return config


def _when_to_save(steps: Any, secs: Any) -> dict[str, Any]:
    if steps is _UNSET and secs is _UNSET:
        return {"save_checkpoints_steps": None, "save_checkpoints_secs": 600}
    return {
        "save_checkpoints_steps": None if steps is _UNSET else steps,
        "save_checkpoints_secs": None if secs is _UNSET else secs,
    }


def _assign(config: RunConfig, given: dict[str, Any]) -> RunConfig:
    """Sets and checks properties. Steps between checkpoints replace seconds, and the other way round."""
    for name, value in given.items():
        setattr(config, f"_{name}", value)
    ways = ("save_checkpoints_steps", "save_checkpoints_secs")
    named = [field for field in ways if given.get(field) is not None]
    if len(named) == len(ways):
        raise ValueError(_BOTH)
    if named and not all(field in given for field in ways):
        setattr(config, f"_{ways[1 - ways.index(named[0])]}", None)
    for name, (holds, message) in _CHECKS.items():
        value = vars(config)[f"_{name}"]
        if value is not None and not holds(value):
            raise ValueError(message)
    return config


def _directory(environment: dict[str, Any], model_dir: Any) -> str | None:
    given = None if model_dir is None else os.fspath(model_dir)
    if given == "":
        raise ValueError("model_dir should be non-empty.")
    theirs: str | None = environment.get("model_dir")
    if theirs == "":
        raise ValueError("model_dir in TF_CONFIG should be non-empty.")
    if theirs:
        if given and given != theirs:
            raise ValueError(
                "`model_dir` provided in RunConfig construct, if set, must have the same value as the model_dir in "
                f'TF_CONFIG. model_dir: {given}\nTF_CONFIG["model_dir"]: {theirs}.\n'
            )
        logging.info("Using model_dir in TF_CONFIG: %s", theirs)
    return given or theirs
