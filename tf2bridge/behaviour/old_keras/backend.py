"""Functions of tf.keras.backend whose results have other shapes in tf_keras, as genuine 1.4.1 to 1.15.5 compute them.

- `batch_dot` of tensors of four and more dimensions multiplies matrices, and takes all dimensions before as the batch.
- `switch` with a condition for each row.
- `ctc_decode` gives texts as wide as the longest one; tf_keras makes them as wide as the input is long.
"""

from __future__ import annotations

import importlib
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.release import Release
from tf2bridge.patching import rebind

_OLD_EPSILON = 1e-8
"""Up to 1.4 in place of `epsilon()`, before the logarithm of what `ctc_decode` is given."""


def install(release: Release) -> None:
    """Changes the backend in this process. A call for another release replaces the changes of the first."""
    backend: Any = importlib.import_module("tf_keras.src.backend")
    epsilon = (lambda: _OLD_EPSILON) if release.before(1, 5) else backend.epsilon
    new = {"batch_dot": _batch_dot, "switch": _switch(backend.switch), "ctc_decode": _ctc_decode(epsilon)}
    of_inputs = tf.__internal__.dispatch.add_dispatch_support  # also of the inputs of a functional model
    now = {name: getattr(backend, name) for name in new}
    rebind({id(now[name]): (now[name], of_inputs(new[name])) for name in new})


def _batch_dot(x: Any, y: Any, axes: Any = None) -> Any:
    """Returns the products of the matrices, or vectors, of two batches, summed over `axes`.

    The tensor with fewer dimensions gets dimensions of size 1 at its end. The result does not have them.
    """
    ranks = len(x.shape), len(y.shape)
    first, second = (axes, axes) if isinstance(axes, int) else axes or (ranks[0] - 1, ranks[1] - 2)
    rank, added = max(ranks), abs(ranks[0] - ranks[1])
    x, y = (_with_dimensions(operand, rank - own) for operand, own in zip((x, y), ranks, strict=True))
    if rank == 2:
        out = tf.reduce_sum((x if first == second else tf.transpose(x, [1, 0])) * y, second)
    else:
        out = tf.matmul(x, y, adjoint_a=first != rank - 1, adjoint_b=second == rank - 1)
    if added:
        place = sum(ranks) - 3 if ranks[0] > ranks[1] else ranks[0] - 1
        out = tf.squeeze(out, list(range(place, place + added)))
    return tf.expand_dims(out, 1) if len(out.shape) == 1 else out


def _with_dimensions(tensor: Any, count: int) -> Any:
    return tf.reshape(tensor, tf.concat([tf.shape(tensor), [1] * count], axis=0)) if count else tensor


def _switch(original: Any) -> Any:
    def switch(condition: Any, then_expression: Any, else_expression: Any) -> Any:
        """Returns one of the two expressions. If the condition is a vector, the choice is made for each row."""
        if len(condition.shape) != 1:
            return original(condition, then_expression, else_expression)
        chosen = condition if condition.dtype == tf.bool else tf.cast(condition, tf.bool)
        either = (
            expression() if callable(expression) else expression for expression in (then_expression, else_expression)
        )
        return tf.compat.v1.where(chosen, *either)

    return switch


def _ctc_decode(epsilon: Any) -> Any:
    def ctc_decode(
        y_pred: Any, input_length: Any, greedy: bool = True, beam_width: int = 100, top_paths: int = 1
    ) -> tuple[list[Any], Any]:
        """Returns (for each path its labels [samples, longest], -1 where a text ended; the logarithms of their odds).

        y_pred: [samples, steps, labels and the blank], probabilities. input_length: [samples].
        """
        logits = tf.math.log(tf.transpose(y_pred, perm=[1, 0, 2]) + epsilon())
        lengths = tf.cast(input_length, tf.int32)
        if greedy:
            decoded, odds = tf.compat.v1.nn.ctc_greedy_decoder(inputs=logits, sequence_length=lengths)
        else:
            decoded, odds = tf.compat.v1.nn.ctc_beam_search_decoder(
                inputs=logits, sequence_length=lengths, beam_width=beam_width, top_paths=top_paths
            )
        to_dense = tf.compat.v1.sparse_to_dense
        return [
            to_dense(labels.indices, labels.dense_shape, labels.values, default_value=-1) for labels in decoded
        ], odds

    return ctc_decode
