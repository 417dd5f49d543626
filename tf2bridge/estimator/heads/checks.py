"""Checks the labels, logits, weights and losses of heads, and brings them into one form."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import tensorflow as tf

from tf2bridge.internals.columns import NumericColumn, _LazyBuilder, _NumericColumn
from tf2bridge.internals.support import fn_args

v1 = tf.compat.v1

NO_LABELS = (
    "You must provide a labels Tensor. Given: None. Suggested troubleshooting steps: Check that your data contains "
    "your label feature. Check that your input_fn properly parses and returns labels."
)


def dense_labels(labels: Any, logits: Any, size: int) -> Any:
    """Returns labels of shape [D0, ... DN, size], expanded by an axis if they lack one, checked against the logits.

    Raises:
        ValueError: The labels are None, a SparseTensor, or have another last axis.
    """
    if labels is None:
        raise ValueError(NO_LABELS)
    with v1.name_scope(None, "labels", (labels, logits)) as scope:
        labels = v1.convert_to_tensor_or_sparse_tensor(labels)
        if isinstance(labels, tf.SparseTensor):
            raise ValueError(
                f"SparseTensor labels are not supported. Labels must be a Tensor of shape [D0, D1, ..., DN, {size}], "
                f"e.g. [batch_size, {size}]. Use tf.sparse_tensor_to_dense() in your input_fn, or check which feature "
                "is the label."
            )
        if _lacks_axis(labels, logits):
            labels = tf.expand_dims(labels, -1)
        message = (
            f"labels shape must be [D0, D1, ... DN, {size}]. Suggested Fix: check your n_classes argument to the head "
            "and/or the shape of your label."
        )
        with tf.control_dependencies([v1.assert_rank_at_least(labels, 2, message=message)]):
            _check_last_axis(labels, size)
            expected = tf.concat([tf.shape(logits)[:-1], [size]], axis=0)
            actual = tf.shape(labels)
            shown = ["expected_labels_shape: ", expected, "labels_shape: ", actual]
            with tf.control_dependencies([v1.assert_equal(expected, actual, message=message, data=shown)]):
                return tf.identity(labels, name=scope)


def _lacks_axis(value: Any, logits: Any) -> bool:
    ranks = (value.shape.rank, logits.shape.rank)
    return None not in ranks and ranks[0] == ranks[1] - 1


def _check_last_axis(labels: Any, size: int) -> None:
    last = None if labels.shape.rank is None else tf.compat.dimension_value(labels.shape[-1])
    if last not in (None, size):
        raise ValueError(
            f"Mismatched label shape. Expected labels dimension={size}.  Received {last}. Suggested Fix: If your "
            "classifier expects one-hot encoding label, check your n_classes argument to the estimator and/or the "
            "shape of your label. Otherwise, check the shape of your label."
        )


def weights_of(features: Any, column: Any, logits: Any, per_logit: bool = False) -> Any:
    """Returns the weights of examples, [D0, ... DN, 1], or 1.0 without a column.

    With `per_logit` the column may have a weight for each logit.

    Raises TypeError for a column of another kind, ValueError for one that holds no numbers.
    """
    allowed = "weights shape must be [D0, D1, ... DN], [D0, D1, ... DN, 1] or [D0, D1, ... DN, logits_dimension]"
    message = allowed if per_logit else "weights shape must be [D0, D1, ... DN] or [D0, D1, ... DN, 1]"
    with v1.name_scope(None, "weights", (*(features or {}).values(), logits)) as scope:
        if column is None:
            return 1.0
        weights = _column_values(features, column)
        sizes, logit_sizes = tf.shape(weights, name="weights_shape"), tf.shape(logits, name="logits_shape")
        shown = ["logits_shape: ", logit_sizes, "weights_shape: ", sizes]
        if _lacks_axis(weights, logits):
            with tf.control_dependencies([v1.assert_equal(logit_sizes[:-1], sizes, message=message, data=shown)]):
                return tf.expand_dims(weights, -1, name=scope)
        expected = tf.concat([logit_sizes[:-1], [1]], axis=0)
        if per_logit:
            fits = [tf.reduce_all(tf.equal(logit_sizes, sizes)), tf.reduce_all(tf.equal(expected, sizes))]
            check = v1.Assert(tf.reduce_any(fits), [message, *shown])
        else:
            check = v1.assert_equal(expected, sizes, message=message, data=shown)
        with tf.control_dependencies([check]):
            return tf.identity(weights, name=scope)


def _column_values(features: Any, column: Any) -> Any:
    if isinstance(column, str):
        column = v1.feature_column.numeric_column(column, shape=(1,))
    if not isinstance(column, (NumericColumn, _NumericColumn)):
        raise TypeError(f"Weight column must be either a string or NumericColumn. Given type: {type(column)}.")
    weights = column._get_dense_tensor(_LazyBuilder(features))
    if not (weights.dtype.is_floating or weights.dtype.is_integer):
        raise ValueError(f"Weight column should be castable to float. Given dtype: {weights.dtype}")
    return tf.cast(weights, tf.float32, name="weights")


def float_logits(logits: Any, size: int) -> Any:
    """Logits as float32 of shape [D0, ... DN, size]. Raises ValueError for another last axis."""
    message = "logits shape must be [D0, D1, ... DN, logits_dimension]"
    with v1.name_scope(None, "logits", (logits,)) as scope:
        logits = tf.cast(logits, tf.float32)
        sizes = tf.shape(logits)
        with tf.control_dependencies([v1.assert_rank_at_least(logits, 2, data=[sizes], message=message)]):
            last = None if logits.shape.rank is None else tf.compat.dimension_value(logits.shape[-1])
            if last is not None:
                if isinstance(size, int) and last != size:
                    raise ValueError(f"{message}, got {logits.shape}.")
                return logits
            with tf.control_dependencies([v1.assert_equal(size, sizes[-1], data=[sizes], message=message)]):
                return tf.identity(logits, name=scope)


def checked_n_classes(n_classes: Any) -> Any:
    """Returns the number of classes, which may be a tensor. Raises ValueError for None or a number below 3."""
    if n_classes is None:
        raise ValueError("n_classes cannot be None")
    if isinstance(n_classes, int) and n_classes <= 2:
        raise ValueError(f"n_classes must be > 2: {n_classes}.")
    v1.assert_greater(tf.convert_to_tensor(n_classes), 2, message="n_classes must be greater than 2")
    return n_classes


def in_range(labels: Any, n_classes: Any, message: str | None = None, verb: str = "must be") -> Any:
    """Labels, with checks that they lie in [0, n_classes) when they are used; the first heads say only "must"."""
    with v1.name_scope(None, "assert_range", (labels,)):
        top = tf.convert_to_tensor(n_classes - 1, dtype=labels.dtype)
        less = v1.assert_less_equal(labels, top, message=message or f"Labels {verb} <= n_classes - 1")
        positive = v1.assert_non_negative(labels, message=message or f"Labels {verb} >= 0")
        with tf.control_dependencies((less, positive)):
            return tf.identity(labels)


def checked_loss_fn(loss_fn: Callable[..., Any] | None, more: tuple[str, ...] = ()) -> Callable[..., Any] | None:
    """Raises ValueError unless `loss_fn` takes labels and logits, and maybe features or `more`."""
    if loss_fn is None:
        return None
    names = fn_args(loss_fn)
    for required in ("labels", "logits"):
        if required not in names:
            raise ValueError(f"loss_fn must contain argument: {required}. Given arguments: {names}")
    if unknown := sorted(set(names) - {"labels", "logits", "features", *more}):
        raise ValueError(f"loss_fn has unexpected args: {unknown}")
    return loss_fn


def own_loss(loss_fn: Callable[..., Any], labels: Any, logits: Any, features: Any, size: int = 1) -> Any:
    """Returns the result of the user's loss_fn, with a check that its shape is [D0, ... DN, size]."""
    given = {"features": features} if "features" in fn_args(loss_fn) else {}
    with v1.name_scope(None, "call_loss_fn", [labels, logits, *(features or {}).values()]):
        loss = loss_fn(labels=labels, logits=logits, **given)
        logit_sizes = tf.shape(logits, name="logits_shape")
        expected = tf.concat([logit_sizes[:-1], [size]], axis=0, name="expected_loss_shape")
        actual = tf.shape(loss, name="loss_shape")
        message = f"loss_fn must return Tensor of shape [D0, D1, ... DN, {size}]. "
        check = v1.Assert(
            tf.reduce_all(tf.equal(actual, expected)),
            [message, "logits_shape: ", logit_sizes, "loss_shape: ", actual],
            name="check_loss_shape",
        )
        with tf.control_dependencies([check]):
            return tf.identity(loss)


def checked_thresholds(thresholds: Any) -> tuple[float, ...]:
    """Returns the thresholds as a tuple. Raises ValueError for a threshold outside (0, 1)."""
    checked = tuple(thresholds) if thresholds else ()
    if outside_unit(checked):
        raise ValueError(f"thresholds not in (0, 1): {checked}.")
    return checked


def outside_unit(thresholds: Iterable[float]) -> list[float]:
    """Returns the thresholds that do not lie in (0, 1)."""
    return [threshold for threshold in thresholds if not 0.0 < threshold < 1.0]


def checked_vocabulary(vocabulary: Any, size: int | None = None, kind: type[Exception] = ValueError) -> Any:
    """Returns the label vocabulary.

    Raises `kind` if it is not a list, and ValueError if the number of labels is not `size`.
    """
    if vocabulary is not None and not isinstance(vocabulary, (list, tuple)):
        raise kind(f"label_vocabulary should be a list or a tuple. Given type: {type(vocabulary)}")
    if vocabulary is not None and size is not None and len(vocabulary) != size:
        raise ValueError(
            f'"label_vocabulary" does not have "n_classes" items. len(label_vocabulary)={len(vocabulary)}, '
            f"n_classes={size}, label_vocabulary={vocabulary}"
        )
    return vocabulary


def checked_reduction(reduction: str, known: tuple[str, ...]) -> str:
    """Raises ValueError for a loss reduction that is not in `known`, or that returns a loss for each example."""
    if reduction not in known or reduction == "none":
        raise ValueError(f"Invalid loss_reduction: {reduction}. See `tf.losses.Reduction` for valid options.")
    return reduction
