"""The means that eagerly trained models report, as in 1.15.

- `train_on_batch` and `test_on_batch` reset metrics after the step, so that their first call continues the means of the
  last epoch of `fit`. Their loss is always that of the batch.
- If there are several outputs, the loss of each is the plain mean over batches. The total loss is weighted by samples.
"""

from __future__ import annotations

import functools
import importlib
import inspect
from collections.abc import Callable
from typing import Any

from tf2bridge.behaviour.release import Release
from tf2bridge.patching import put


def install(release: Release) -> None:
    """Installs the changes in this process."""
    model: Any = importlib.import_module("tf_keras.src.engine.training").Model
    losses: Any = importlib.import_module("tf_keras.src.engine.compile_utils").LossesContainer
    if not release.before(1, 15):
        put(model, "train_on_batch", _resetting_after(model.train_on_batch))
        put(model, "test_on_batch", _resetting_after(model.test_on_batch))
        put(losses, "_create_metrics", _by_batches(losses._create_metrics))


def _resetting_after(step: Callable[..., Any]) -> Callable[..., Any]:
    signature = inspect.signature(step)

    @functools.wraps(step)
    def changed(self: Any, *args: Any, **kwargs: Any) -> Any:
        given = signature.bind(self, *args, **kwargs)
        is_last = given.arguments.get("reset_metrics", True)
        given.arguments["reset_metrics"] = False
        if getattr(self, "compiled_loss", None) is not None:
            self.compiled_loss._total_loss_mean.reset_state()
        result = step(*given.args, **given.kwargs)
        if is_last:
            self.reset_metrics()
        return result

    return changed


def _by_batches(create: Callable[[Any], None]) -> Callable[[Any], None]:
    def created(self: Any) -> None:
        create(self)
        for metric in self._per_output_metrics:
            if metric is not None:
                metric.update_state = _without_sizes(metric.update_state)

    return created


def _without_sizes(update: Callable[..., Any]) -> Callable[..., Any]:
    def updated(values: Any, sample_weight: Any = None) -> Any:
        del sample_weight  # the number of samples
        return update(values)

    return updated
