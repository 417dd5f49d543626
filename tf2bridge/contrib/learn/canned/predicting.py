"""The base classes of classifiers and regressors, which select predictions by name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tf2bridge.contrib.learn.estimators.estimator import Estimator
from tf2bridge.contrib.learn.estimators.model_fn import PredictionKey
from tf2bridge.contrib.learn.metric_spec import MetricSpec


class Classifier(Estimator):
    """An Estimator whose `predict` returns classes, if no outputs are named."""

    def predict(  # type: ignore[override]  # the genuine one takes no `iterate_batches`
        self,
        x: Any = None,
        input_fn: Any = None,
        batch_size: int | None = None,
        outputs: Any = None,
        as_iterable: bool = True,
    ) -> Any:
        """Returns the classes, or a dictionary of the named outputs."""
        if not outputs:
            return self.predict_classes(x, input_fn, batch_size, as_iterable)
        return super().predict(x, input_fn, batch_size, outputs, as_iterable)

    def predict_classes(
        self, x: Any = None, input_fn: Any = None, batch_size: int | None = None, as_iterable: bool = True
    ) -> Any:
        """Returns the class of each example: an iterator, or an array without `as_iterable`."""
        return _one_output(self, PredictionKey.CLASSES, x, input_fn, batch_size, as_iterable)

    def predict_proba(
        self, x: Any = None, input_fn: Any = None, batch_size: int | None = None, as_iterable: bool = True
    ) -> Any:
        """Returns the probabilities of all classes, [classes] for each example."""
        return _one_output(self, PredictionKey.PROBABILITIES, x, input_fn, batch_size, as_iterable)


class Regressor(Estimator):
    """An Estimator whose `predict` returns scores, if no outputs are named."""

    def evaluate(  # type: ignore[override]  # the genuine one takes no `log_progress`
        self,
        x: Any = None,
        y: Any = None,
        input_fn: Any = None,
        feed_fn: Any = None,
        batch_size: int | None = None,
        steps: int | None = None,
        metrics: Any = None,
        name: str | None = None,
        checkpoint_path: str | None = None,
        hooks: Any = None,
    ) -> dict[str, Any]:
        """Does the same as Estimator.evaluate. A metric without a prediction key receives the scores."""
        metrics = {
            key if isinstance(metric, MetricSpec) or isinstance(key, tuple) else (key, PredictionKey.SCORES): metric
            for key, metric in (metrics or {}).items()
        }
        return super().evaluate(x, y, input_fn, feed_fn, batch_size, steps, metrics, name, checkpoint_path, hooks)

    def predict(  # type: ignore[override]  # the genuine one takes no `iterate_batches`
        self,
        x: Any = None,
        input_fn: Any = None,
        batch_size: int | None = None,
        outputs: Any = None,
        as_iterable: bool = True,
    ) -> Any:
        """Returns the scores, or a dictionary of the named outputs."""
        if not outputs:
            return self.predict_scores(x, input_fn, batch_size, as_iterable)
        return super().predict(x, input_fn, batch_size, outputs, as_iterable)

    def predict_scores(
        self, x: Any = None, input_fn: Any = None, batch_size: int | None = None, as_iterable: bool = True
    ) -> Any:
        """Returns the score of each example: an iterator, or an array without `as_iterable`."""
        return _one_output(self, PredictionKey.SCORES, x, input_fn, batch_size, as_iterable)


def _one_output(
    estimator: Estimator, key: str, x: Any, input_fn: Any, batch_size: int | None, as_iterable: bool
) -> Any:
    """Returns the values of one output: an iterator of examples, or an array."""
    predictions = Estimator.predict(estimator, x, input_fn, batch_size, [key], as_iterable)
    return values(predictions, key) if as_iterable else predictions[key]


def values(predictions: Iterator[dict[str, Any]], key: str) -> Iterator[Any]:
    """Yields one output of each example."""
    for prediction in predictions:
        yield prediction[key]
