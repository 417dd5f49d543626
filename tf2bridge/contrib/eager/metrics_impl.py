"""Metrics that are objects, for eager execution and for graphs."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import tensorflow as tf

from tf2bridge.internals.framework import smart_cond
from tf2bridge.internals.ops import scalar
from tf2bridge.internals.training import Trackable

v1 = tf.compat.v1
_UNFIT = re.compile(r"[^A-Za-z0-9.]")


class Metric(Trackable):  # type: ignore[misc]
    """A quantity that is updated by calling the object, and read by `result()`.

    A subclass defines `build` (which calls `add_variable`), `call` and `result`. In a graph the variables are local
    ones unless `use_global_variables`, and a call or `result()` makes ops.
    """

    def __init__(self, name: str | None = None, use_global_variables: bool = False) -> None:
        self._built = False
        self._vars: list[Any] = []
        self._starts: list[Any] = []
        self._use_global_variables = use_global_variables
        name = name or type(self).__name__
        wanted = _UNFIT.sub("_", name)
        with v1.variable_scope(wanted, use_resource=True, reuse=False) as scope:
            self._name: str = name + scope.name[scope.name.rfind(wanted) + len(wanted) :]
            self._scope = scope
        self._graph = None if tf.executing_eagerly() else v1.get_default_graph()
        if self._graph is not None:
            self.call = tf.function(self.call, autograph=False)  # type: ignore[method-assign]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Updates the metric; returns the arguments of `call`."""
        if not self._built:
            with v1.variable_scope(self._scope), self._home():
                self.build(*args, **kwargs)
            self._built = True
        return self.call(*args, **kwargs)

    def _home(self) -> Any:
        return tf.init_scope() if self._graph is None else self._graph.as_default()

    @property
    def name(self) -> str:
        """Unique among the metrics of a scope."""
        return self._name

    @property
    def variables(self) -> list[Any]:
        """The variables that `build` added."""
        return self._vars

    def init_variables(self) -> Any:
        """Starts again: at once, or in a graph by the op that it returns."""
        if tf.executing_eagerly():
            for variable, start in zip(self._vars, self._starts, strict=True):
                variable.assign(start)
            return None
        return tf.group([variable.initializer for variable in self._vars])

    def build(self, *args: Any, **kwargs: Any) -> None:
        """Adds the variables; it gets the arguments of the first call."""
        raise NotImplementedError(f"{type(self).__name__} must define build()")

    def call(self, *args: Any, **kwargs: Any) -> Any:
        """Updates the variables."""
        raise NotImplementedError(f"{type(self).__name__} must define call()")

    def result(self) -> Any:
        """Returns the value so far."""
        raise NotImplementedError(f"{type(self).__name__} must define result()")

    def value(self) -> Any:
        """Returns `result` itself when executing eagerly, and its tensor in a graph."""
        return self.result if tf.executing_eagerly() else self.result()

    def aggregate(self, metrics: Iterable[Metric]) -> None:
        """Adds the variables of other metrics of the same kind. Raises TypeError, ValueError."""
        metrics_to_add = list(metrics)
        for metric in metrics_to_add:
            if type(metric) is not type(self):
                raise TypeError(f"a {type(self).__name__} cannot aggregate a {type(metric).__name__}")
        for place, variable in enumerate(self._vars):
            if any(metric.variables[place].name != variable.name for metric in metrics_to_add):
                raise ValueError(f"the metrics must have their variables in the same order: {variable.name}")
            variable.assign_add(tf.add_n([metric.variables[place] for metric in metrics_to_add]))

    def add_variable(self, name: str, shape: Any = None, dtype: Any = None, initializer: Any = None) -> Any:
        """Returns a new variable of the metric. Raises RuntimeError outside `build`."""
        if self._built:
            raise RuntimeError("add_variable() can only be called in build()")
        variable = self._add_variable_with_custom_getter(
            name=name,
            shape=shape,
            dtype=dtype,
            initializer=initializer,
            trainable=False,
            collections=self._collections(),
            use_resource=True,
            getter=v1.get_variable,
            overwrite=True,
        )
        self._vars.append(variable)
        if tf.executing_eagerly():
            self._starts.append(variable.value())
        return variable

    def _collections(self) -> list[str] | None:
        if tf.executing_eagerly():
            return None
        keys = v1.GraphKeys
        home = keys.GLOBAL_VARIABLES if self._use_global_variables else keys.LOCAL_VARIABLES
        return [home, keys.METRIC_VARIABLES]


class Mean(Metric):
    """The mean of all values, weighted if weights are given."""

    def __init__(self, name: str | None = None, dtype: Any = tf.float64, use_global_variables: bool = False) -> None:
        super().__init__(name=name, use_global_variables=use_global_variables)
        self.dtype = dtype

    def build(self, *_: Any, **__: Any) -> None:
        """Adds the variables for the sum of values and the sum of weights."""
        zeros = v1.zeros_initializer
        self.numer = self.add_variable(name="numer", shape=(), dtype=self.dtype, initializer=zeros)
        self.denom = self.add_variable(name="denom", shape=(), dtype=self.dtype, initializer=zeros)

    def call(self, values: Any, weights: Any = None) -> Any:
        """Adds `values`; returns its arguments."""
        if weights is None:
            self.denom.assign_add(tf.cast(tf.identity(tf.size(values)), self.dtype))
            total = tf.reduce_sum(values)
            self.numer.assign_add(tf.cast(total, self.dtype))
            return total
        weights = tf.cast(weights, self.dtype)
        self.denom.assign_add(tf.reduce_sum(weights))
        values = tf.cast(values, self.dtype) * weights
        self.numer.assign_add(tf.reduce_sum(values))
        return values, weights

    def result(self, write_summary: Any = True) -> Any:
        """Returns the mean so far, and writes it as a contrib summary if one is recorded."""
        write = tf.convert_to_tensor(write_summary)
        mean = self.numer / self.denom

        def written() -> Any:
            scalar(name=self.name, tensor=mean)
            return mean

        smart_cond(write, written, lambda: mean, name="")
        return mean


class Accuracy(Mean):
    """The share of predictions that equal their labels."""

    def __init__(self, name: str | None = None, dtype: Any = tf.float64) -> None:
        super().__init__(name=name, dtype=dtype)

    def matches(self, labels: Any, predictions: Any) -> Any:
        """Returns True for each correct prediction, as a bool tensor."""
        return tf.equal(labels, predictions)

    def call(self, labels: Any, predictions: Any, weights: Any = None) -> Any:  # type: ignore[override]
        """Adds predictions; returns its arguments."""
        self._check_shapes(labels, predictions)
        super().call(tf.cast(self.matches(labels, predictions), self.dtype), weights=weights)
        return (labels, predictions) if weights is None else (labels, predictions, weights)

    def _check_shapes(self, labels: Any, predictions: Any) -> None:
        message = "labels and predictions differ in shape"
        v1.assert_equal(tf.shape(labels), tf.shape(predictions), message=message)


class CategoricalAccuracy(Accuracy):
    """The fraction of predictions whose largest class is the class of the one-hot label."""

    def matches(self, labels: Any, predictions: Any) -> Any:
        """Returns True for each correct prediction."""
        return tf.equal(tf.argmax(labels, axis=-1), tf.argmax(predictions, axis=-1))


class BinaryAccuracy(Accuracy):
    """The fraction of predictions on the correct side of `threshold`."""

    def __init__(self, threshold: Any, name: str | None = None, dtype: Any = tf.float64) -> None:
        super().__init__(name=name, dtype=dtype)
        self.threshold = threshold

    def matches(self, labels: Any, predictions: Any) -> Any:
        """Returns True for each correct prediction."""
        return tf.equal(tf.cast(labels, tf.bool), tf.convert_to_tensor(predictions) > self.threshold)


class SparseAccuracy(Accuracy):
    """The share of predictions whose largest class is the label, a number."""

    def matches(self, labels: Any, predictions: Any) -> Any:
        """Returns True for each correct prediction."""
        return tf.equal(tf.cast(labels, tf.int64), tf.argmax(predictions, axis=-1))

    def _check_shapes(self, labels: Any, predictions: Any) -> None:
        message = "labels and predictions differ in their first axis"
        v1.assert_equal(tf.shape(labels), tf.shape(predictions)[0], message=message)
