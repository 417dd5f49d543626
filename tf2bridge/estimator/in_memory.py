"""A hook that evaluates a model during training, without checkpoints."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.estimator.checks import checked_hooks

v1 = tf.compat.v1

_Hook: Any = v1.train.SessionRunHook


class InMemoryEvaluatorHook(_Hook):  # type: ignore[misc]  # TensorFlow has no types
    """Evaluates at the beginning, after every `every_n_iter` steps, and at the end.

    Events go to the evaluation's directory.

    Raises ValueError for a number of steps that is not positive, in a cluster, and for a model with a saver, an
    init_fn or saveables of its own.
    """

    def __init__(
        self,
        estimator: Any,
        input_fn: Any,
        steps: int | None = None,
        hooks: Any = None,
        name: str | None = None,
        every_n_iter: int = 100,
    ) -> None:
        if every_n_iter is None or every_n_iter <= 0:
            raise ValueError(f"invalid every_n_iter={every_n_iter}.")
        if estimator.config.num_ps_replicas > 0 or estimator.config.num_worker_replicas > 1:
            raise ValueError("InMemoryEvaluator supports only single machine (aka Local) setting.")
        self._estimator, self._input_fn = estimator, input_fn
        self._eval_dir = estimator.eval_dir(name)
        self._hooks = [*checked_hooks(hooks), *estimator._convert_eval_steps_to_hooks(steps)]
        self._timer = v1.train.SecondOrStepTimer(every_steps=every_n_iter)

    def begin(self) -> None:
        """Builds the graph of the evaluation."""
        self._timer.reset()
        self._count = 0
        self._graph = tf.Graph()
        with self._graph.as_default():
            self._ready = self._estimator._evaluate_build_graph(self._input_fn, self._hooks, checkpoint_path=None)
            for part in ("saver", "init_fn"):
                if getattr(self._ready.scaffold, part) is not None:
                    raise ValueError(f"InMemoryEvaluator does not support custom {part}")
            self._variables = {variable.name: variable for variable in v1.global_variables()}
            self._values = {name: v1.placeholder(variable.dtype) for name, variable in self._variables.items()}

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Pairs the variables of both graphs by name, and evaluates."""
        del coord
        if v1.get_collection(v1.GraphKeys.SAVEABLE_OBJECTS):
            raise ValueError("InMemoryEvaluator does not support saveables other than global variables.")
        self._trained = {
            variable.name: variable for variable in v1.global_variables() if variable.name in self._variables
        }
        with self._graph.as_default():
            assigned = [v1.assign(self._variables[name], self._values[name]) for name in self._trained]
            self._assign = tf.group(assigned)
        self._evaluate(session)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Evaluates if it is time."""
        del run_values
        self._count += 1
        if self._timer.should_trigger_for_step(self._count):
            self._evaluate(run_context.session)

    def end(self, session: Any) -> None:
        """Evaluates once more."""
        self._evaluate(session)

    def _evaluate(self, session: Any) -> None:
        fed = {self._values[name]: value for name, value in session.run(self._trained).items()}
        scaffold = v1.train.Scaffold(
            init_fn=lambda _, other: other.run(self._assign, fed), copy_from_scaffold=self._ready.scaffold
        )
        with self._graph.as_default():
            self._estimator._evaluate_run(
                checkpoint_path=None,
                scaffold=scaffold,
                update_op=self._ready.update,
                eval_dict=self._ready.values,
                all_hooks=self._ready.hooks,
                output_dir=self._eval_dir,
            )
        self._timer.update_last_triggered_step(self._count)
