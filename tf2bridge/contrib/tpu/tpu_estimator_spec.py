"""TPUEstimatorSpec: what a model_fn of a TPUEstimator returns."""

from __future__ import annotations

import collections
import inspect
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.messages import logging
from tf2bridge.estimator.mode_keys import ModeKeys
from tf2bridge.estimator.model_spec import EstimatorSpec, checked_loss, checked_predictions, checked_train_op
from tf2bridge.estimator.outputs import checked_outputs
from tf2bridge.internals.ops import summary_ops_v2 as contrib_summary
from tf2bridge.internals.support import fn_args

v1 = tf.compat.v1


class HostCallHook(v1.train.SessionRunHook):  # type: ignore[name-defined,misc]
    """Runs the result of a host_call with every step, and opens and flushes the writers of its contrib summaries."""

    def __init__(self, tensors: Any) -> None:
        self._tensors = tensors
        self._openings: list[Any] = []
        self._flushes: list[Any] = []

    def begin(self) -> None:
        """Takes the writers of the graph."""
        self._openings = contrib_summary.summary_writer_initializer_op()
        self._flushes = [contrib_summary.legacy_raw_flush(writer=opening.inputs[0]) for opening in self._openings]

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Opens the writers."""
        del coord
        session.run(self._openings)

    def before_run(self, run_context: Any) -> Any:
        """Asks for the ops."""
        del run_context
        return v1.train.SessionRunArgs(self._tensors)

    def end(self, session: Any) -> None:
        """Flushes the writers."""
        session.run(self._flushes)


class TPUEstimatorSpec(
    collections.namedtuple(
        "TPUEstimatorSpec",
        [
            "mode",
            "predictions",
            "loss",
            "train_op",
            "eval_metrics",
            "export_outputs",
            "scaffold_fn",
            "host_call",
            "training_hooks",
            "evaluation_hooks",
            "prediction_hooks",
        ],
    )
):
    """The tensors, ops and hooks of a model in one mode.

    `eval_metrics` and `host_call` are pairs: a function, and the list or dictionary of tensors that it takes. Raises
    ValueError, TypeError or RuntimeError if a value is not such a pair, or its function takes another number of
    tensors. Also raises the errors of EstimatorSpec.
    """

    __slots__ = ()

    def __new__(
        cls,
        mode: str,
        predictions: Any = None,
        loss: Any = None,
        train_op: Any = None,
        eval_metrics: Any = None,
        export_outputs: Any = None,
        scaffold_fn: Any = None,
        host_call: Any = None,
        training_hooks: Any = None,
        evaluation_hooks: Any = None,
        prediction_hooks: Any = None,
    ) -> TPUEstimatorSpec:
        for name, call in (("eval_metrics", eval_metrics), ("host_call", host_call)):
            if call is not None:
                _check_call(name, call)
        hooks = [tuple(hooks_of_mode or ()) for hooks_of_mode in (training_hooks, evaluation_hooks, prediction_hooks)]
        for hook in (hook for group in hooks for hook in group):
            if not isinstance(hook, v1.train.SessionRunHook):
                raise TypeError(f"hooks must be SessionRunHooks, given: {hook}")
        train_op, loss = checked_train_op(train_op, mode), checked_loss(loss, mode)
        predictions = checked_predictions(predictions, mode)
        if mode == ModeKeys.PREDICT:
            export_outputs = checked_outputs(export_outputs, predictions)
        return super().__new__(
            cls, mode, predictions, loss, train_op, eval_metrics, export_outputs, scaffold_fn, host_call, *hooks
        )

    def as_estimator_spec(self) -> EstimatorSpec:
        """Returns the EstimatorSpec of the same model for a CPU or GPU."""
        metrics = None if self.eval_metrics is None else _called("eval_metrics", self.eval_metrics)
        hooks: tuple[Any, ...] = ()
        if self.host_call is not None:
            hooks = (HostCallHook(_called("host_call", self.host_call)),)
        return EstimatorSpec(
            mode=self.mode,
            predictions=self.predictions,
            loss=self.loss,
            train_op=self.train_op,
            eval_metric_ops=metrics,
            export_outputs=self.export_outputs,
            scaffold=self.scaffold_fn() if self.scaffold_fn else None,
            training_hooks=self.training_hooks + hooks,
            evaluation_hooks=self.evaluation_hooks + hooks,
            prediction_hooks=self.prediction_hooks + hooks,
        )


def _check_call(name: str, call: Any) -> None:
    if not isinstance(call, (tuple, list)) or len(call) != 2:
        raise ValueError(f"{name} must be a pair (function, tensors), given: {call}")
    function, tensors = call
    if not callable(function):
        raise TypeError(f"{name}[0] must be a function, given: {function}")
    if not isinstance(tensors, (tuple, list, dict)):
        raise ValueError(f"{name}[1] must be a tuple, a list or a dictionary of tensors, given: {tensors}")
    if isinstance(tensors, dict) or inspect.getfullargspec(function).varargs is not None:
        return
    takes = len(fn_args(function))
    if takes != len(tensors):
        raise RuntimeError(f"{name} of TPUEstimatorSpec has {len(tensors)} tensors, but its function takes {takes}")


def _called(name: str, call: Any) -> Any:
    function, tensors = call
    if not isinstance(tensors, dict):
        return function(*tensors)
    try:
        return function(**tensors)
    except TypeError as error:
        logging.warning("%s[0] could not be called with the tensors of %s[1]: %s", name, name, error)
        raise
