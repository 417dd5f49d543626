"""MetricSpec: the predictions and labels of a metric of contrib.learn."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Collection
from typing import Any

from tf2bridge.behaviour.messages import logging

LABELS = ("labels", "label", "targets", "target")
PREDICTIONS = ("predictions", "prediction", "logits", "logit")
WEIGHTS = ("weights", "weight")
"""The names that a metric function may give its parameters, the best name first."""


class MetricSpec:
    """A metric function and the keys of the tensors that it takes.

    Raises:
        ValueError: the function has no parameter for a key, or several.
    """

    def __init__(
        self,
        metric_fn: Callable[..., Any],
        prediction_key: str | None = None,
        label_key: str | None = None,
        weight_key: str | None = None,
    ) -> None:
        self._name = _name(metric_fn)
        self._metric_fn = _adapted(metric_fn, self._name, label_key is not None, weight_key is not None)
        self._prediction_key, self._label_key, self._weight_key = prediction_key, label_key, weight_key

    @property
    def prediction_key(self) -> str | None:
        """The key among the predictions, None for the only one."""
        return self._prediction_key

    @property
    def label_key(self) -> str | None:
        """The key among the labels, None for the only one."""
        return self._label_key

    @property
    def weight_key(self) -> str | None:
        """The key among the features, None for no weights."""
        return self._weight_key

    @property
    def metric_fn(self) -> Callable[..., Any]:
        """The function, taking `labels`, `predictions` and `weights` by name."""
        return self._metric_fn

    def __str__(self) -> str:
        return (
            f"MetricSpec(metric_fn={self._name}, prediction_key={self._prediction_key}, label_key={self._label_key}, "
            f"weight_key={self._weight_key})"
        )

    def create_metric_ops(self, inputs: Any, labels: Any, predictions: Any) -> Any:
        """Returns the result of the metric function: (value, update op). Raises ValueError or KeyError for bad keys."""
        prediction = _chosen("prediction", predictions, self._prediction_key)
        label = _chosen("label", labels, self._label_key)
        weights = inputs[self._weight_key] if self._weight_key else None
        try:
            return self._metric_fn(labels=label, predictions=prediction, weights=weights)
        except Exception as error:
            logging.error("Could not create metric ops for %s, %s.", self, error)
            raise


def _chosen(name: str, values: Any, key: str | None) -> Any:
    if key:
        if not isinstance(values, dict):
            raise ValueError(
                f"MetricSpec with {name}_key specified requires {name}s dict, got {values}.\n"
                f"You must not provide a {name}_key if you only have a single Tensor as {name}s."
            )
        if key not in values:
            raise KeyError(f"Key '{key}' missing from {values.keys()}.")
        return values[key]
    if isinstance(values, dict):
        if len(values) != 1:
            raise ValueError(
                f"MetricSpec without specified {name}_key requires {name}s tensor or single element dict, got {values}"
            )
        return next(iter(values.values()))
    return values


def _name(function: Any) -> str:
    inner = getattr(function, "func", None)
    name: str = getattr(function, "__name__", None) or getattr(inner, "__name__", None) or str(function)
    return name


def _parameters(function: Any) -> list[str]:
    if isinstance(function, functools.partial):
        return [name for name in _parameters(function.func) if name not in function.keywords]
    return inspect.getfullargspec(function).args


def _matching(function: str, takes: list[str], names: Collection[str], required: bool = False) -> str | None:
    matches = [name for name in takes if name in names]
    if len(matches) > 1:
        raise ValueError(f"Ambiguous arguments {matches} of {function}, must provide only one of {names}.")
    if not matches and required:
        raise ValueError(f"{names} missing from {function}({', '.join(takes)}).")
    return matches[0] if matches else None


def _adapted(function: Any, name: str, needs_labels: bool, needs_weights: bool) -> Callable[..., Any]:
    """Returns the function with canonical parameter names. Other arguments are passed by position, labels first."""
    takes = _parameters(function)
    label = _matching(name, takes, LABELS, needs_labels)
    prediction = _matching(name, takes, PREDICTIONS)
    weight = _matching(name, takes, WEIGHTS, needs_weights)

    def metric(_sentinel: Any = None, labels: Any = None, predictions: Any = None, weights: Any = None) -> Any:
        if _sentinel is not None:
            raise ValueError("`metric_fn` requires named args: `labels`, `predictions`, and optionally `weights`.")
        named = {} if weights is None or weight is None else {weight: weights}
        if prediction is not None:
            named[prediction] = predictions
            return function(**named, **({label: labels} if label else {}))
        if label is None:
            return function(predictions, **named)
        if label == takes[0]:
            return function(labels, predictions, **named)
        return function(predictions, **{label: labels}, **named)

    return metric
