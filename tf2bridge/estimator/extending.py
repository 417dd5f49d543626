"""Extends an Estimator by metrics."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tf2bridge.estimator.estimator import Estimator
from tf2bridge.estimator.mode_keys import ModeKeys
from tf2bridge.internals.support import fn_args


def add_metrics(estimator: Any, metric_fn: Callable[..., dict[str, Any]]) -> Estimator:
    """Returns an Estimator that also evaluates `metric_fn(features, labels, predictions, config)`.

    The function takes any of these arguments, and returns metrics as for EstimatorSpec. Raises ValueError for others.
    """
    names = fn_args(metric_fn)
    if unknown := sorted(set(names) - {"features", "labels", "predictions", "config"}):
        raise ValueError(f"metric_fn ({metric_fn}) has following not expected args: {unknown}")

    def model_fn(features: Any, labels: Any, mode: str, config: Any) -> Any:
        spec = estimator.model_fn(features, labels, mode, config)
        if mode != ModeKeys.EVAL:
            return spec
        given = {"features": features, "labels": labels, "predictions": spec.predictions, "config": config}
        added = metric_fn(**{name: value for name, value in given.items() if name in names})
        return spec._replace(eval_metric_ops={**(spec.eval_metric_ops or {}), **added})

    return Estimator(model_fn, estimator.model_dir, estimator.config, warm_start_from=estimator._warm_start_settings)


def call_logit_fn(logit_fn: Callable[..., Any], features: Any, mode: str, params: Any, config: Any) -> Any:
    """Calls `logit_fn` with the arguments that it takes, and returns its tensor or dict of tensors.

    Raises:
        ValueError: It returned anything else.
    """
    given = {"mode": mode, "params": params, "config": config}
    names = fn_args(logit_fn)
    logits = logit_fn(features=features, **{name: value for name, value in given.items() if name in names})
    parts = logits if isinstance(logits, dict) else {"": logits}
    if not all(isinstance(name, str) and isinstance(value, tf.Tensor) for name, value in parts.items()):
        raise ValueError(
            f"logit_fn should return a Tensor or a dictionary mapping strings to Tensors.  logit_fn returned: {logits}"
        )
    return logits
