"""Metrics of all values so far, which a growing variable stores."""

from __future__ import annotations

import statistics
from typing import Any, NamedTuple

import tensorflow as tf

from tf2bridge.contrib.metrics.metric_ops.collecting import collected
from tf2bridge.internals.ops import array_ops, metrics_impl

v1 = tf.compat.v1

_EPSILON = 1e-7


def streaming_concat(
    values: Any,
    axis: int = 0,
    max_size: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """Returns (all values so far, concatenated along `axis`; update op). At most `max_size` values are stored.

    Raises:
        ValueError: the rank, or a dimension other than `axis`, is unknown.
    """
    with v1.variable_scope(name, "streaming_concat", (values,)):
        axis, fixed = _fixed_dimensions(values, axis)
        rank = len(fixed) + 1
        start = [0 if max_size is None else max_size, *fixed]
        array = metrics_impl.metric_variable(start, values.dtype, validate_shape=False, name="array")
        size = metrics_impl.metric_variable([], tf.int32, name="size")
        back = [0 if n == axis else n + 1 if n < axis else n for n in range(rank)]
        valid = array[:size]
        valid.set_shape([None, *fixed])
        value = v1.transpose(valid, back, name="concat")
        count = v1.shape(values)[axis]
        if max_size is not None:
            count = v1.minimum(count, max_size - size)
        batch = v1.transpose(values, [axis, *(n for n in range(rank) if n != axis)])[:count]
        new_size = size + count
        room = array_ops.shape_internal(array, optimize=False)[0]
        grown = v1.cond(new_size > room, lambda: _grow(array, size, new_size, fixed), v1.no_op)
        with tf.control_dependencies([grown]):
            appended = array[size:new_size].assign(batch)
        with tf.control_dependencies([appended]):
            update = size.assign(new_size)
        return collected(value, update, metrics_collections, updates_collections)


def _fixed_dimensions(values: Any, axis: int) -> tuple[int, list[int]]:
    shape = values.get_shape()
    if shape.rank is None:
        raise ValueError("streaming_concat: the rank of values must be known; call set_shape")
    place = axis + shape.rank if axis < 0 else axis
    if not 0 <= place < shape.rank:
        raise ValueError(f"axis = {axis} is not in [0, {shape.rank})")
    fixed = [size for n, size in enumerate(shape.as_list()) if n != place]
    if None in fixed:
        raise ValueError(f"streaming_concat: all dimensions but axis {axis} must be known, not {shape}")
    return place, fixed


def _grow(array: Any, size: Any, needed: Any, fixed: list[int]) -> Any:
    room = v1.stack([next_size(needed), *fixed])
    empty = v1.zeros(room, dtype=array.dtype.base_dtype)
    old = array.value()
    with tf.control_dependencies([old]):
        assigned = v1.assign(array, empty, validate_shape=False)
    with tf.control_dependencies([assigned]):
        copied = array[:size].assign(old[:size])
    with tf.control_dependencies([copied]):
        return v1.no_op()


def next_size(required_size: Any, growth_factor: Any = 1.5) -> Any:
    """Returns the smallest power of `growth_factor` that is at least `required_size`."""
    logs = v1.log(v1.cast(required_size, tf.float32)) / v1.log(v1.cast(growth_factor, tf.float32))
    return v1.cast(v1.ceil(growth_factor ** v1.ceil(logs)), tf.int32)


def _checks(labels: Any) -> list[Any]:
    return [
        v1.assert_greater_equal(
            labels, v1.zeros_like(labels, tf.int64), message="labels must be 0 or 1, at least one is <0"
        ),
        v1.assert_less_equal(
            labels, v1.ones_like(labels, tf.int64), message="labels must be 0 or 1, at least one is >1"
        ),
    ]


def streaming_dynamic_auc(
    labels: Any,
    predictions: Any,
    curve: str = "ROC",
    metrics_collections: Any = (),
    updates_collections: Any = (),
    name: str | None = None,
    weights: Any = None,
) -> tuple[Any, Any]:
    """Returns (the exact area under the curve of all predictions so far, float64; update op).

    Raises:
        ValueError: the curve is neither "ROC" nor "PR".
    """
    if curve not in ("PR", "ROC"):
        raise ValueError(f"curve must be either ROC or PR, {curve} unknown")
    with v1.variable_scope(name, default_name="dynamic_auc"):
        labels.get_shape().assert_is_compatible_with(predictions.get_shape())
        predictions = v1.reshape(v1.cast(predictions, tf.float64), [-1])
        labels = v1.reshape(v1.cast(labels, tf.int64), [-1])
        with tf.control_dependencies(_checks(labels)):
            all_predictions, add_predictions = streaming_concat(predictions, name="concat_preds")
            all_labels, add_labels = streaming_concat(labels, name="concat_labels")
            all_weights, updates = None, [add_labels, add_predictions]
            if weights is not None:
                weights = v1.reshape(v1.cast(weights, tf.float64), [-1])
                all_weights, add_weights = streaming_concat(weights, name="concat_weights")
                updates.append(add_weights)
            update = v1.group(*updates)
            auc = _exact_auc(all_labels, all_predictions, curve, all_weights)
            return collected(auc, update, metrics_collections, updates_collections)


def _exact_auc(labels: Any, predictions: Any, curve: str, weights: Any) -> Any:
    size = v1.size(predictions)
    if weights is None:
        weights = v1.ones_like(labels, dtype=tf.float64)
    labels, predictions, weights = metrics_impl._remove_squeezable_dimensions(labels, predictions, weights)
    total = v1.reduce_sum(weights)
    positive = v1.reduce_sum(v1.where(v1.greater(labels, 0), weights, v1.zeros_like(labels, dtype=tf.float64)))

    def area() -> Any:
        scores, order = v1.nn.top_k(predictions, k=size)
        sorted_labels = v1.gather(labels, order)
        sorted_weights = v1.gather(weights, order)
        zeros = v1.zeros_like(sorted_labels, dtype=tf.float64)
        splits = v1.cast(_from_zero(v1.unique_with_counts(scores)[2]), tf.int32)
        true = v1.gather(_from_zero(v1.where(v1.greater(sorted_labels, 0), sorted_weights, zeros)), splits)
        if curve == "ROC":
            false = v1.gather(_from_zero(v1.where(v1.less(sorted_labels, 1), sorted_weights, zeros)), splits)
            x, y = v1.truediv(false, total - positive), v1.truediv(true, positive)
        else:
            x = v1.truediv(true, positive)
            chosen = v1.gather(_from_zero(sorted_weights), splits)
            y = v1.where(v1.greater(splits, 0), v1.truediv(true, chosen), v1.ones_like(true, dtype=tf.float64))
        heights = v1.add(y[1:], y[:-1]) / 2.0
        widths = v1.abs(v1.subtract(x[1:], x[:-1]))
        return v1.reduce_sum(v1.multiply(heights, widths))

    undefined = v1.logical_or(v1.equal(positive, 0), v1.equal(positive, total))
    return v1.cond(undefined, true_fn=lambda: tf.constant(0, tf.float64), false_fn=area)


def _from_zero(values: Any) -> Any:
    return v1.pad(v1.cumsum(values), paddings=[[1, 0]])


class AucData(NamedTuple):
    """An area under the ROC curve and the bounds of its confidence interval."""

    auc: Any
    lower: Any
    upper: Any


def auc_with_confidence_intervals(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    alpha: float = 0.95,
    logit_transformation: bool = True,
    metrics_collections: Any = (),
    updates_collections: Any = (),
    name: str | None = None,
) -> tuple[AucData, Any]:
    """Returns (area under the ROC curve with its interval of confidence `alpha`, update op), by placements.

    With `logit_transformation` the interval is computed from the logit. All values are 0 until both labels have a
    total weight of at least 1.

    Raises:
        ValueError: alpha is not between 0 and 1.
    """
    if not 0 < alpha < 1:
        raise ValueError(f"alpha must be between 0 and 1, not {alpha}")
    if weights is None:
        weights = v1.ones_like(predictions)
    scope = "auc_with_confidence_intervals"
    with v1.variable_scope(name, default_name=scope, values=[labels, predictions, weights]):
        predictions, labels, weights = metrics_impl._remove_squeezable_dimensions(
            predictions=predictions, labels=labels, weights=weights
        )
        total = v1.reduce_sum(weights)
        weights = v1.reshape(weights, [-1])
        predictions = v1.reshape(v1.cast(predictions, tf.float64), [-1])
        labels = v1.reshape(v1.cast(labels, tf.int64), [-1])
        with tf.control_dependencies(_checks(labels)):
            all_predictions, add_predictions = streaming_concat(predictions, name="concat_preds")
            all_labels, add_labels = streaming_concat(labels, name="concat_labels")
            all_weights, add_weights = streaming_concat(weights, name="concat_weights")
            add = v1.group(add_labels, add_predictions, add_weights)
            both = v1.logical_and(v1.equal(v1.reduce_min(labels), 0), v1.equal(v1.reduce_max(labels), 1))
            heavy = v1.greater_equal(total, 1.0)
            valid = v1.logical_and(both, heavy)
            update = v1.cond(heavy, lambda: add, v1.no_op)
            auc = _placement_auc(all_labels, all_predictions, all_weights, alpha, logit_transformation, valid)
            return collected(auc, update, metrics_collections, updates_collections)


def _placement_auc(labels: Any, predictions: Any, weights: Any, alpha: float, logit: bool, valid: Any) -> AucData:
    """Returns the area and its interval, from the mean placement and its error (DeLong et al., Biometrics 1988)."""
    totals = [v1.reduce_sum(v1.cast(flags, weights.dtype) * weights) for flags in (1 - labels, labels)]
    placements, sorted_labels, sorted_weights = _placements(labels, predictions, weights)
    of_class = [v1.cast(flags, weights.dtype) for flags in (1 - sorted_labels, sorted_labels)]
    shares = [sorted_weights * flags for flags in of_class]
    values = [placements * flags for flags in of_class]
    auc_0 = v1.reduce_sum(shares[0] * (1.0 - values[0])) / (totals[0] + _EPSILON)
    auc_1 = v1.reduce_sum(shares[1] * values[1]) / (totals[1] + _EPSILON)
    auc = v1.where(v1.less(totals[0], totals[1]), auc_1, auc_0)
    var_0 = v1.reduce_sum(shares[0] * v1.square(1.0 - values[0] - auc_0)) / (totals[0] - 1.0 + _EPSILON)
    var_1 = v1.reduce_sum(shares[1] * v1.squared_difference(values[1], auc_1)) / (totals[1] - 1.0 + _EPSILON)
    error = v1.sqrt(var_0 / (totals[0] + _EPSILON) + var_1 / (totals[1] + _EPSILON))
    lower, upper = _interval(auc, error, statistics.NormalDist().inv_cdf((1.0 - alpha) / 2.0), logit)
    certain = v1.logical_or(v1.equal(auc, v1.ones_like(auc)), v1.equal(auc, v1.zeros_like(auc)))
    bounds = [v1.where(certain, auc, bound) for bound in (lower, upper)]
    zero = tf.constant(0.0)
    return AucData(*v1.cond(valid, lambda: [auc, *bounds], lambda: [zero] * 3))


def _placements(labels: Any, predictions: Any, weights: Any) -> tuple[Any, Any, Any]:
    """Returns (placements, labels, weights), sorted by rising prediction.

    The placement of an example is the fraction of the other class with lower predictions.
    """
    scores, order = v1.nn.top_k(predictions, k=v1.size(predictions, out_type=tf.int32), sorted=True)
    scores, order = (v1.reverse(tensor, axis=v1.zeros(1, tf.int32)) for tensor in (scores, order))
    sorted_labels = v1.gather(labels, order)
    sorted_weights = v1.gather(weights, order)
    segments = v1.unique(scores)[1]
    is_true = v1.cast(sorted_labels, tf.float32)
    is_false = 1.0 - is_true
    placements = []
    for own_flags, other_flags in ((is_true, is_false), (is_false, is_true)):
        sums = v1.segment_sum(sorted_weights * other_flags, segments)
        below = v1.cumsum(sums, exclusive=True)
        share = (below + sums / 2.0) / (v1.reduce_sum(sums) + _EPSILON)
        placements.append(v1.gather(share, segments) * own_flags)
    return placements[0] + placements[1], sorted_labels, sorted_weights


def _interval(auc: Any, error: Any, quantile: float, logit: bool) -> tuple[Any, Any]:
    if not logit:
        return auc + quantile * error, auc - quantile * error
    estimate = v1.log(auc / (1.0 - auc + _EPSILON))
    error = error / (auc * (1.0 - auc + _EPSILON))
    lower, upper = (
        1.0 / (1.0 + v1.exp(v1.negative(logit_bound)) + _EPSILON)
        for logit_bound in (estimate + quantile * error, estimate - quantile * error)
    )
    return lower, upper
