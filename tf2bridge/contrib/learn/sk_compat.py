"""Estimators of contrib.learn with the methods of scikit-learn."""

from __future__ import annotations

from typing import Any

from tf2bridge.contrib.learn.estimators.estimator import Estimator


class SKCompat:
    """An estimator with the methods of scikit-learn: fit(x, y), score(x, y) and predict(x)."""

    def __init__(self, estimator: Estimator) -> None:
        self._estimator = estimator

    def fit(
        self,
        x: Any,
        y: Any,
        batch_size: int = 128,
        steps: int | None = None,
        max_steps: int | None = None,
        monitors: Any = None,
    ) -> SKCompat:
        """Trains on arrays; returns itself."""
        self._estimator.fit(x, y, None, steps, batch_size, monitors, max_steps)
        return self

    def score(
        self,
        x: Any,
        y: Any,
        batch_size: int = 128,
        steps: int | None = None,
        metrics: Any = None,
        name: str | None = None,
    ) -> dict[str, Any]:
        """Returns the metrics over arrays."""
        return self._estimator.evaluate(x, y, batch_size=batch_size, steps=steps, metrics=metrics, name=name)

    def predict(self, x: Any, batch_size: int = 128, outputs: Any = None) -> Any:
        """Returns the predictions for all of an array."""
        return self._estimator.predict(x, None, batch_size, outputs, as_iterable=False)
