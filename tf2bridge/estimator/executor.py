"""`train_and_evaluate`: in one process, or for the task of a cluster that TF_CONFIG names.

This follows tensorflow_estimator/python/estimator/training.py of 1.15. The chief and the workers train, each with a
server of its own. Parameter servers serve. An evaluator, outside the cluster, evaluates new checkpoints.
"""

from __future__ import annotations

import time
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.messages import logging
from tf2bridge.estimator.cluster import TaskType, tf_config
from tf2bridge.estimator.estimator import Estimator
from tf2bridge.estimator.evaluating import ContinuousEvalListener, EvalResult, EvalStatus, EvaluationListener, Evaluator
from tf2bridge.estimator.specs import EvalSpec, TrainSpec, checked_hooks
from tf2bridge.train.clusters.server import started_server

v1 = tf.compat.v1

_DELAY_SECS, _MAX_DELAY_SECS = 5, 60
"""Each worker begins this much later than the one before it, up to the maximum: asynchronous training then converges
better."""

_TASKS = (TaskType.CHIEF, TaskType.EVALUATOR, TaskType.MASTER, TaskType.PS, TaskType.WORKER)


class TrainingExecutor:
    """Trains and evaluates an Estimator. Raises TypeError for arguments of another type.

    train_hooks: for the training, beside those of `train_spec`. continuous_eval_listener: decides before and after each
    evaluation whether to go on.
    """

    def __init__(
        self,
        estimator: Any,
        train_spec: Any,
        eval_spec: Any,
        train_hooks: Any = None,
        continuous_eval_listener: Any = None,
    ) -> None:
        if not isinstance(estimator, Estimator):
            raise TypeError(f"`estimator` must have type `tf.estimator.Estimator`. Got: {type(estimator)}")
        if not isinstance(train_spec, TrainSpec):
            raise TypeError(f"`train_spec` must have type `tf.estimator.TrainSpec`. Got: {type(train_spec)}")
        if eval_spec and not isinstance(eval_spec, EvalSpec):
            raise TypeError(
                f"`eval_spec` must be either `None` or have type `tf.estimator.EvalSpec`. Got: {type(eval_spec)}"
            )
        if continuous_eval_listener and not isinstance(continuous_eval_listener, ContinuousEvalListener):
            raise TypeError("`continuous_eval_listener` must have type `_ContinuousEvalListener`.")
        self._estimator, self._train_spec, self._eval_spec = estimator, train_spec, eval_spec
        self._train_hooks = checked_hooks(train_hooks)
        self._continuous_eval_listener = continuous_eval_listener or ContinuousEvalListener()

    @property
    def estimator(self) -> Any:
        """The Estimator that is trained."""
        return self._estimator

    def run(self) -> tuple[Any, Any] | None:
        """Runs the task of the estimator's configuration to its end. A parameter server never ends.

        Returns the last metrics and the results of the exporters, or None in a cluster. Raises ValueError for another
        task type, RuntimeError if the configuration has no session master, and what the server raises.
        """
        config = self._estimator.config
        if not config.cluster_spec and config.task_type != TaskType.EVALUATOR:
            logging.info("Running training and evaluation locally (non-distributed).")
            return self.run_local()
        if not config.task_type:
            raise ValueError(
                "`estimator.config` must have task_type set. This usually means TF_CONFIG environment is not set "
                "correctly."
            )
        if config.task_type == "local":
            raise ValueError(
                "`task.type` in TF_CONFIG cannot be `local`. Leave out `cluster` and `task` of TF_CONFIG to train and "
                "evaluate locally."
            )
        if config.task_type not in _TASKS:
            raise ValueError(f"Task type {config.task_type} is not supported. Supported task types are {list(_TASKS)}")
        getattr(self, f"run_{config.task_type}")()
        return None

    def run_local(self) -> tuple[Any, Any]:
        """Trains and evaluates in this process."""
        check_eval_spec(self._eval_spec)
        config = self._estimator.config
        logging.info(
            "Start train and evaluate loop. The evaluate will happen after every checkpoint. Checkpoint frequency is "
            f"determined based on RunConfig arguments: save_checkpoints_steps {config.save_checkpoints_steps} or "
            f"save_checkpoints_secs {config.save_checkpoints_secs}."
        )
        listener = self._listener(self._continuous_eval_listener)
        self._train([listener])
        metrics = listener.eval_result.metrics if listener.eval_result else None
        return metrics, listener.export_results

    def run_chief(self) -> None:
        """Trains, with a server of its own."""
        self._train_in_cluster(None)

    def run_worker(self) -> None:
        """Trains, a while after the chief."""
        self._train_in_cluster(None)

    def run_master(self) -> None:
        """Trains as the chief, and evaluates."""
        check_eval_spec(self._eval_spec)
        self._train_in_cluster([self._listener(ContinuousEvalListener())])

    def run_ps(self) -> None:
        """Serves variables, without end."""
        self._serve().join()

    def run_evaluator(self) -> None:
        """Evaluates every new checkpoint until one of the last training step was evaluated."""
        check_eval_spec(self._eval_spec)
        if self._eval_spec.start_delay_secs:
            logging.info("Waiting %f secs before starting eval.", self._eval_spec.start_delay_secs)
            time.sleep(self._eval_spec.start_delay_secs)
        evaluator = Evaluator(self._estimator, self._eval_spec, self._train_spec.max_steps)
        result, stop = None, False
        while not stop and not self._is_last(result):
            result, stop = self._evaluate_once(evaluator)

    def _is_last(self, result: EvalResult | None) -> bool:
        if result is None or result.status != EvalStatus.EVALUATED:
            return False
        step, most = result.metrics.get(v1.GraphKeys.GLOBAL_STEP), self._train_spec.max_steps
        if not step or not most or step < most:
            return False
        logging.info("Exiting evaluation, global_step=%s >= train max_steps=%s", step, most)
        return True

    def _evaluate_once(self, evaluator: Evaluator) -> tuple[EvalResult | None, bool]:
        """Returns the result of one evaluation, and whether to stop."""
        begun, asked = time.time(), self._continuous_eval_listener
        if not asked.before_eval():
            logging.info("Exiting evaluation, as requested by the listener before evaluation.")
            return None, True
        result, _ = evaluator.evaluate_and_export()
        if not asked.after_eval(result):
            logging.info("Exiting evaluation, as requested by the listener after evaluation.")
            return result, True
        throttle = self._eval_spec.throttle_secs
        wait = throttle - (time.time() - begun)
        if wait > 0:
            logging.info("Waiting %f secs before starting next eval run.", wait)
            time.sleep(wait)
        elif throttle == 0 and result.status != EvalStatus.EVALUATED:
            logging.warning(
                "EvalSpec.throttle_secs is set as 0. This might overload the job before finding (next) new "
                "checkpoint. Please consider to increase it."
            )
        return result, False

    def _listener(self, asked: ContinuousEvalListener) -> EvaluationListener:
        evaluator = Evaluator(self._estimator, self._eval_spec, self._train_spec.max_steps)
        return EvaluationListener(evaluator, self._eval_spec.throttle_secs, asked)

    def _train_in_cluster(self, listeners: list[Any] | None) -> None:
        if tf_config().get("environment") != "google":  # there the server runs already
            self._serve()  # before it waits: the others need the server to form the cluster
        config = self._estimator.config
        most = config.experimental_max_worker_delay_secs
        delay = min(_MAX_DELAY_SECS if most is None else int(most), (config.task_id + 1) * _DELAY_SECS)
        if config.task_type == TaskType.WORKER and delay > 0:
            logging.info("Waiting %d secs before starting training.", delay)
            time.sleep(delay)
        self._train(listeners)

    def _train(self, listeners: list[Any] | None) -> None:
        self._estimator.train(
            input_fn=self._train_spec.input_fn,
            max_steps=self._train_spec.max_steps,
            hooks=[*self._train_spec.hooks, *self._train_hooks],
            saving_listeners=listeners,
        )

    def _serve(self) -> Any:
        config = self._estimator.config
        if not config.cluster_spec or not config.task_type or config.task_id is None:
            raise RuntimeError(
                "Could not start server; be sure to specify cluster_spec, task_type, and task in RunConfig or set the "
                "TF_CONFIG environment variable."
            )
        if not config.master:
            return _without_server(config)
        logging.info("Start Tensorflow server.")
        session = v1.ConfigProto(log_device_placement=False)
        if config.session_config is not None:
            session.gpu_options.CopyFrom(config.session_config.gpu_options)
        return started_server(
            config.cluster_spec,
            job_name=config.task_type,
            task_index=config.task_id,
            config=session,
            protocol=config.protocol,
        )


def check_eval_spec(eval_spec: Any) -> None:
    """Raises TypeError unless it is an EvalSpec."""
    if not isinstance(eval_spec, EvalSpec):
        raise TypeError(f"`eval_spec` must have type `tf.estimator.EvalSpec`. Got: {type(eval_spec)}")


def _without_server(config: Any) -> None:
    """Raises RuntimeError unless this task is alone in the cluster."""
    jobs = config.cluster_spec.jobs
    alone = len(jobs) == 1 and len(config.cluster_spec.job_tasks(jobs[0])) == 1
    if not alone or config.task_type not in (TaskType.CHIEF, TaskType.MASTER, TaskType.WORKER):
        raise RuntimeError(
            "Could not start server; be sure to specify master in RunConfig or set the TF_CONFIG environment variable."
        )
    logging.info("Skip starting Tensorflow server as there is only one node in the cluster.")
