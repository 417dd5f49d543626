"""train_and_evaluate: training that stops at checkpoints to evaluate and export."""

from __future__ import annotations

from typing import Any

from tf2bridge.estimator.cluster import TaskType
from tf2bridge.estimator.executor import TrainingExecutor, check_eval_spec


def train_and_evaluate(estimator: Any, train_spec: Any, eval_spec: Any) -> tuple[Any, Any] | None:
    """Trains, and evaluates and exports at checkpoints; returns the last metrics and the results of the exporters.

    In a cluster that TF_CONFIG names, does what this task of it does, and returns None. Raises TypeError for arguments
    of another type, ValueError for a second evaluator, and what `TrainingExecutor.run` raises.
    """
    check_eval_spec(eval_spec)
    executor = TrainingExecutor(estimator=estimator, train_spec=train_spec, eval_spec=eval_spec)
    config = estimator.config
    if config.task_type == TaskType.EVALUATOR and config.task_id > 0:
        raise ValueError(
            "For distributed training, there can only be one `evaluator` task (with task id 0).  Given task id "
            f"{config.task_id}"
        )
    return executor.run()
