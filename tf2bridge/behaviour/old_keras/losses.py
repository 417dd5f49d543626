"""Losses and metrics of Keras whose numbers depend on the release, as genuine 1.4.1 to 1.15.5 compute them.

- `cosine_proximity` has the sign of a similarity since 1.14. Up to 1.4 it is a mean of products, not their sum.
- Up to 1.13 `hinge` and `squared_hinge` use labels unchanged. Later releases turn 0 into -1 if all are 0 or 1.
- Functions have their long names: `metrics=["kullback_leibler_divergence"]` has this name in `metrics_names`.
- `SensitivityAtSpecificity` and its counterpart use the threshold whose value is nearest to the requested one.
- The mean of a loss may be taken for outputs of layers and for a batch, where tf_keras gives two operations one name.
"""

from __future__ import annotations

import functools
import importlib
from typing import Any

import tensorflow as tf

from tf2bridge import internals
from tf2bridge.behaviour.release import Release
from tf2bridge.patching import put, rebind

_OLD_NAMES = ("cosine", "cosine_proximity")
_NAMED = {
    "kl_divergence": "kullback_leibler_divergence",
    "log_cosh": "logcosh",
    "huber": "huber_loss",
    "cosine_similarity": "cosine_proximity",
}
"""Function of tf_keras -> its name in 1.x. tf_keras still finds it by that name."""


def install(release: Release) -> None:
    """Changes losses and metrics in this process. A call for another release replaces the changes of the first."""
    losses, metrics, by_threshold = (
        importlib.import_module(f"tf_keras.src.{name}") for name in ("losses", "metrics", "metrics.confusion_metrics")
    )
    similarity = _similarity(losses.cosine_similarity, release)
    rebind({id(losses.cosine_similarity): (losses.cosine_similarity, similarity)})
    for module in (losses, metrics):
        for name in _OLD_NAMES:
            put(module, name, similarity)  # `loss="cosine_proximity"` looks this name up
    for name, former in _NAMED.items():
        _rename(getattr(losses, name), former)
    if release.before(1, 14):
        put(losses, "_maybe_convert_labels", _unchanged)
    utils: Any = importlib.import_module("tf_keras.src.utils.losses_utils")
    put(utils, "_num_elements", _without_fixed_name(utils._num_elements))
    put(by_threshold.SensitivityAtSpecificity, "result", _sensitivity)
    put(by_threshold.SpecificityAtSensitivity, "result", _specificity)


@functools.cache
def _similarity(original: Any, release: Release) -> Any:
    """Returns the function `cosine_similarity(y_true, y_pred, axis=-1)` of a release."""

    @functools.wraps(original)
    def cosine_proximity(y_true: Any, y_pred: Any, axis: int = -1) -> Any:
        if release.before(1, 14) and not release.before(1, 5):
            return original(y_true, y_pred, axis=axis)
        products = tf.nn.l2_normalize(y_true, axis=axis) * tf.nn.l2_normalize(y_pred, axis=axis)
        return -tf.reduce_mean(products, axis) if release.before(1, 5) else tf.reduce_sum(products, axis)

    return cosine_proximity


def _rename(function: Any, name: str) -> None:
    """Renames a function, and the function below its decorators, whose name is written into files."""
    unwrap: Any = internals.support.tf_decorator.unwrap
    for layer in (function, unwrap(function)[1]):
        put(layer, "__name__", name)


def _without_fixed_name(size_of: Any) -> Any:
    """Returns a function for the number of losses whose operation has no fixed name, so that names stay unique."""

    @functools.wraps(size_of)
    def changed(losses: Any) -> Any:
        symbolic = isinstance(losses, importlib.import_module("tf_keras.src.engine.keras_tensor").KerasTensor)
        return tf.cast(tf.size(losses), losses.dtype) if symbolic else size_of(losses)

    return changed


def _unchanged(labels: Any) -> Any:
    return labels


def _sensitivity(self: Any) -> Any:
    """Returns the sensitivity at the threshold whose specificity is nearest to the requested one."""
    return _at_nearest(self, self.specificity, self.true_negatives, self.false_positives, positive=True)


def _specificity(self: Any) -> Any:
    """Returns the specificity at the threshold whose sensitivity is nearest to the requested one."""
    return _at_nearest(self, self.sensitivity, self.true_positives, self.false_negatives, positive=False)


def _at_nearest(metric: Any, wanted: float, right: Any, wrong: Any, *, positive: bool) -> Any:
    shares = tf.math.divide_no_nan(right, right + wrong)
    place = tf.cast(tf.argmin(tf.abs(shares - wanted), axis=0), tf.int32)
    pair = ("true_positives", "false_negatives") if positive else ("true_negatives", "false_positives")
    matched, lost = (getattr(metric, name)[place] for name in pair)
    return tf.math.divide_no_nan(matched, matched + lost)
