"""`auc_using_histogram`: the area under a ROC curve, computed from histograms of the scores."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.internals.ops import confusion_matrix as confusion

v1 = tf.compat.v1


def auc_using_histogram(
    boolean_labels: Any,
    scores: Any,
    score_range: Any,
    nbins: int = 100,
    collections: Any = None,
    check_shape: bool = True,
    name: str | None = None,
) -> tuple[Any, Any]:
    """Returns (area under the ROC curve, update op). Scores [batch] are counted in `nbins` bins of `score_range`.

    Raises:
        ValueError: the labels are not booleans.
    """
    collections = [v1.GraphKeys.LOCAL_VARIABLES] if collections is None else collections
    with v1.variable_scope(name, "auc_using_histogram", [boolean_labels, scores, score_range]):
        boolean_labels, scores = confusion.remove_squeezable_dimensions(boolean_labels, scores)
        score_range = tf.convert_to_tensor(score_range, name="score_range")
        labels, scores = _checked(boolean_labels, scores, check_shape)
        with v1.variable_scope(None, "make_auc_histograms", [labels, scores, nbins]):
            true = v1.histogram_fixed_width(
                v1.boolean_mask(scores, labels), score_range, nbins=nbins, dtype=tf.int64, name="hist_true"
            )
            false_scores = v1.boolean_mask(scores, v1.logical_not(labels))
            false = v1.histogram_fixed_width(false_scores, score_range, nbins=nbins, dtype=tf.int64, name="hist_false")
        with v1.variable_scope(None, "hist_accumulate", [true, false]):
            all_true, all_false = (_histogram(part, nbins, collections) for part in ("hist_true_acc", "hist_false_acc"))
            update = v1.group(all_true.assign_add(true), all_false.assign_add(false), name="update_op")
        return _area(all_true, all_false, nbins), update


def _checked(labels: Any, scores: Any, check_shape: bool) -> tuple[Any, Any]:
    with v1.name_scope("_check_labels_and_scores", values=[labels, scores]):
        labels = tf.convert_to_tensor(labels, name="boolean_labels")
        scores = tf.convert_to_tensor(scores, name="scores")
        if labels.dtype != tf.bool:
            raise ValueError(f"boolean_labels must be of type bool, not {labels.dtype}")
        if not check_shape:
            return labels, scores
        checks = []
        for role, tensor in (("boolean_labels", labels), ("scores", scores)):
            message = f"Argument {role} should have rank 1.  Found: "
            checks.append(v1.Assert(v1.equal(1, v1.rank(tensor)), [message, tensor.name, v1.shape(tensor)]))
        with tf.control_dependencies(checks):
            return labels, scores


def _histogram(name: str, bins: int, collections: Any) -> Any:
    zeros = v1.zeros_initializer()
    return v1.get_variable(
        name, shape=[bins], dtype=tf.int64, initializer=zeros, collections=collections, trainable=False
    )


def _area(true: Any, false: Any, bins: int) -> Any:
    """Returns the sum of the trapezoids under the curve, from the highest score to the lowest."""
    share_true = v1.truediv(true, v1.reduce_sum(true))
    share_false = v1.truediv(false, v1.reduce_sum(false))
    rise = v1.cast(v1.reverse(share_true, [0], name="delta_y_t"), tf.float32)
    run = v1.cast(v1.reverse(share_false, [0], name="delta_x_t"), tf.float32)
    height = v1.cumsum(rise)
    first = run[0] * height[0] / 2.0
    trapezoids = run[1:] * (height[1:] + height[: bins - 1]) / 2.0
    return v1.add(first, v1.reduce_sum(trapezoids), name="auc")


def strict_1d_cumsum(tensor: Any, len_tensor: int) -> Any:
    """Returns the running sums of the first `len_tensor` values of a vector."""
    return v1.cumsum(tensor)[:len_tensor]
