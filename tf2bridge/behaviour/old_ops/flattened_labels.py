"""`tf.nn.sparse_softmax_cross_entropy_with_logits` up to 1.4, which compares numbers of labels, not shapes.

Labels and logits of more than two dimensions are flattened. 1.4.1 checks only the ranks when the graph is built: labels
[16, 4] with logits [4, 16, 100] are computed, if their shapes are not known before the step. 1.12.3 has an operation
that fails then.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tf2bridge import internals
from tf2bridge.patching import rebind


def install() -> None:
    """Makes the function leave out the check of shapes during a step, in this process."""
    functions: Any = internals.ops.nn_ops
    original = functions.sparse_softmax_cross_entropy_with_logits
    rebind({id(original): (original, _of_any_shapes(original))})


def _of_any_shapes(original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def sparse_softmax_cross_entropy_with_logits(labels: Any = None, logits: Any = None, name: Any = None) -> Any:
        compute = functools.partial(original, name=name)
        if labels is None or logits is None or tf.executing_eagerly():
            return compute(labels=labels, logits=logits)
        labels, logits = tf.convert_to_tensor(labels), tf.convert_to_tensor(logits)
        rank = logits.shape.rank
        if rank == 2 or rank != (labels.shape.rank or 0) + 1 or _are_known(labels, logits):
            return compute(labels=labels, logits=logits)
        with tf.compat.v1.name_scope(name, "SparseSoftmaxCrossEntropyWithLogits", [labels, logits]):
            return _flattened(labels, logits)

    return sparse_softmax_cross_entropy_with_logits


def _are_known(labels: Any, logits: Any) -> bool:
    return bool(labels.shape.is_fully_defined() and logits.shape[:-1].is_fully_defined())


def _flattened(labels: Any, logits: Any) -> Any:
    """Returns the cross entropy in the shape of the labels: the operations of 1.4.1, in their order."""
    precise = tf.cast(logits, tf.float32) if logits.dtype == tf.float16 else logits
    shape = tf.shape(labels)
    classes = tf.shape(logits)[tf.rank(logits) - 1]
    features = tf.reshape(precise, [-1, classes])
    cost, _ = tf.raw_ops.SparseSoftmaxCrossEntropyWithLogits(features=features, labels=tf.reshape(labels, [-1]))
    cost = tf.reshape(cost, shape)
    cost.set_shape(labels.shape)
    return tf.cast(cost, tf.float16) if logits.dtype == tf.float16 else cost
