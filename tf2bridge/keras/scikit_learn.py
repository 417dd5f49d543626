"""`tf.keras.wrappers.scikit_learn`: Keras models as estimators of scikit-learn.

Keras dropped the module with 2.12 (its release notes). Facts are those of TensorFlow 1.15.5.
"""

from __future__ import annotations

import copy
import importlib
import inspect
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from tf2bridge.behaviour.installed import KERAS, supplier

_keras = supplier(KERAS)
_FUNCTIONS = (types.FunctionType, types.MethodType)


class BaseWrapper:
    """A model that `build_fn` makes anew for each fit, with parameters that scikit-learn can search.

    Args:
        build_fn: A function, or an object with `__call__`, that returns a compiled model. None takes the
            `__call__` of the subclass.
        **sk_params: Arguments of `build_fn`, and of the model's `fit`, `predict` and `evaluate`.

    Raises:
        ValueError: A parameter is an argument of none of them.
    """

    def __init__(self, build_fn: Callable[..., Any] | None = None, **sk_params: Any) -> None:
        self.build_fn = build_fn
        self.sk_params = sk_params
        self.check_params(sk_params)

    def check_params(self, params: dict[str, Any]) -> None:
        """Raises ValueError for the first of `params` that no function takes."""
        model = _keras.Sequential
        functions = (model.fit, model.predict, model.predict_classes, model.evaluate, self._builder())
        for name in params:
            if name != "nb_epoch" and not any(_takes(function, name) for function in functions):
                raise ValueError(f"{name} is not a legal parameter")

    def get_params(self, **params: Any) -> dict[str, Any]:  # noqa: ARG002
        """Returns copies of the parameters, and `build_fn`. `params` are ignored."""
        return {**copy.deepcopy(self.sk_params), "build_fn": self.build_fn}

    def set_params(self, **params: Any) -> BaseWrapper:
        """Sets parameters and returns the estimator."""
        self.check_params(params)
        self.sk_params.update(params)
        return self

    def fit(self, x: Any, y: Any, **kwargs: Any) -> Any:
        """Builds a model and fits it to samples `x` with targets `y`; returns the History.

        Labels become one-hot rows where the loss is categorical crossentropy.
        """
        build: Any = self.build_fn or self
        self.model = build(**self.filter_sk_params(self._builder()))
        if _is_categorical(self.model.loss) and len(y.shape) != 2:
            y = _keras.utils.to_categorical(y)
        wishes = copy.deepcopy(self.filter_sk_params(_keras.Sequential.fit))
        return self.model.fit(x, y, **{**wishes, **kwargs})

    def filter_sk_params(self, fn: Callable[..., Any], override: dict[str, Any] | None = None) -> dict[str, Any]:
        """Returns those parameters that `fn` takes, and then those of `override`."""
        taken = {name: value for name, value in self.sk_params.items() if _takes(fn, name)}
        return {**taken, **(override or {})}

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "model")

    def _builder(self) -> Callable[..., Any]:
        """Returns the function whose arguments are parameters of the model."""
        build: Any = self if self.build_fn is None else self.build_fn
        function: Callable[..., Any] = build if isinstance(build, _FUNCTIONS) else build.__call__
        return function


class KerasClassifier(BaseWrapper):
    """A Keras model as a classifier of scikit-learn."""

    def fit(self, x: Any, y: Any, **kwargs: Any) -> Any:
        """Builds and fits a model; returns the History.

        Args:
            x: Samples, [samples, ...].
            y: Labels of any type, [samples] or [samples, 1], or one-hot rows, [samples, classes].
            **kwargs: Arguments of the model's `fit`.

        Raises:
            ValueError: `y` has another rank.
        """
        y = np.array(y)
        if y.ndim not in (1, 2):
            raise ValueError(f"Invalid shape for y: {y.shape}")
        if y.ndim == 2 and y.shape[1] > 1:
            self.classes_ = np.arange(y.shape[1])
        else:
            self.classes_ = np.unique(y)
            y = np.searchsorted(self.classes_, y)
        self.n_classes_ = len(self.classes_)
        return super().fit(x, y, **kwargs)

    def predict(self, x: Any, **kwargs: Any) -> Any:
        """Returns the labels of samples `x`."""
        model = _keras.Sequential
        classes = self.model.predict_classes(x, **self.filter_sk_params(model.predict_classes, kwargs))
        return self.classes_[classes]

    def predict_proba(self, x: Any, **kwargs: Any) -> Any:
        """Returns the probabilities of samples `x`, [samples, classes]; two columns if the model has one output."""
        model = _keras.Sequential
        probabilities = self.model.predict_proba(x, **self.filter_sk_params(model.predict_proba, kwargs))
        if probabilities.shape[1] == 1:
            return np.hstack([1 - probabilities, probabilities])
        return probabilities

    def score(self, x: Any, y: Any, **kwargs: Any) -> Any:
        """Returns the accuracy on samples `x` with labels `y`.

        Raises:
            ValueError: The model was not compiled with `metrics=["accuracy"]`.
        """
        y = np.searchsorted(self.classes_, y)
        if getattr(self.model.loss, "__name__", self.model.loss) == "categorical_crossentropy" and y.ndim != 2:
            y = _keras.utils.to_categorical(y)
        results = self.model.evaluate(x, y, **self.filter_sk_params(_keras.Sequential.evaluate, kwargs))
        results = results if isinstance(results, list) else [results]
        for name, result in zip(self.model.metrics_names, results, strict=False):
            if name in ("accuracy", "acc"):
                return result
        raise ValueError(
            'The model is not configured to compute accuracy. You should pass `metrics=["accuracy"]` to the '
            "`model.compile()` method."
        )

    def __sklearn_tags__(self) -> Any:
        return _tags("ClassifierMixin")


class KerasRegressor(BaseWrapper):
    """A Keras model as a regressor of scikit-learn."""

    def predict(self, x: Any, **kwargs: Any) -> Any:
        """Returns the predictions for samples `x`, [samples] or [samples, outputs]."""
        wishes = self.filter_sk_params(_keras.Sequential.predict, kwargs)
        return np.squeeze(self.model.predict(x, **wishes))

    def score(self, x: Any, y: Any, **kwargs: Any) -> Any:
        """Returns the loss on samples `x` with targets `y`, negated: more is better."""
        loss = self.model.evaluate(x, y, **self.filter_sk_params(_keras.Sequential.evaluate, kwargs))
        return -loss[0] if isinstance(loss, list) else -loss

    def __sklearn_tags__(self) -> Any:
        return _tags("RegressorMixin")


def _takes(function: Callable[..., Any], name: str) -> bool:
    """Returns whether a function has an argument of that name."""
    parameter = inspect.signature(function).parameters.get(name)
    return parameter is not None and parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)


def _is_categorical(loss: Any) -> bool:
    """Returns whether a model's loss is categorical crossentropy, given in any way."""
    function = _keras.losses.categorical_crossentropy
    return (
        isinstance(loss, _keras.losses.CategoricalCrossentropy)
        or loss == "categorical_crossentropy"
        or loss is function
        or getattr(loss, "__name__", None) == function.__name__
    )


def _tags(kind: str) -> Any:
    """Returns the tags of an estimator for scikit-learn 1.6 and later; older releases read other attributes."""
    base: Any = importlib.import_module("sklearn.base")  # only scikit-learn calls this, so it is there
    return type(kind, (getattr(base, kind), base.BaseEstimator), {})().__sklearn_tags__()
