"""Losses, metrics, clipping and initializers with other results up to 1.12 or 1.4.

Each function takes the original and returns its replacement, as in `rules`.
"""

from __future__ import annotations

import copy
import functools
import math
from collections.abc import Callable
from typing import Any

from tf2bridge import internals
from tf2bridge.behaviour.installed import tensorflow
from tf2bridge.behaviour.seeds import counter
from tf2bridge.behaviour.seeds.binding import binder
from tf2bridge.behaviour.seeds.other_names import with_members
from tf2bridge.patching import Function


def by_second_size(original: Function) -> Function:
    """`tf.losses.softmax_cross_entropy`: up to 1.12 labels of any rank are smoothed by the size of axis 1.

    For labels of rank 2 that is the number of classes.
    """
    bind = binder(original)

    @functools.wraps(original)
    def softmax_cross_entropy(*args: Any, **kwargs: Any) -> Any:
        given, tf = bind(args, kwargs), tensorflow()
        if given is None or given["onehot_labels"] is None or given["logits"] is None or given["label_smoothing"] <= 0:
            return original(*args, **kwargs)
        if _rank(given["onehot_labels"]) in (None, 2):
            return original(*args, **kwargs)
        logits = tf.convert_to_tensor(given["logits"])
        labels = tf.cast(given["onehot_labels"], logits.dtype)
        smoothing = given["label_smoothing"]
        labels = labels * (1.0 - smoothing) + smoothing / tf.cast(tf.shape(labels)[1], logits.dtype)
        return original(**{**given, "onehot_labels": labels, "logits": logits, "label_smoothing": 0})

    return softmax_cross_entropy


def _rank(value: Any) -> int | None:
    """Returns the rank of a tensor or of a value for one, without an operation; None if it is unknown."""
    if isinstance(value, list | tuple):
        return 1 + (_rank(value[0]) or 0) if value else 1
    shape = getattr(value, "shape", ())
    rank: int | None = shape.rank if hasattr(shape, "rank") else len(shape)
    return rank


def of_all_labels(original: Function) -> Function:
    """Returns the number of relevant labels for `average_precision_at_k`: up to 1.12 negative ones counted, too."""

    @functools.wraps(original)
    def num_relevant(labels: Any, k: int) -> Any:
        tf = tensorflow()
        if k < 1 or isinstance(labels, tf.SparseTensor):
            return original(labels, k)
        with tf.compat.v1.name_scope(None, "num_relevant", (labels,)) as scope:
            shape = tf.shape(labels)
            return tf.fill(shape[:-1], tf.minimum(shape[-1], k), name=scope)

    return num_relevant


def by_root_of_gain(original: Function) -> Function:
    """Orthogonal initializers of convolutions: up to 1.12 the kernel is multiplied by the root of the gain."""

    @functools.wraps(original)
    def initial(self: Any, *args: Any, **kwargs: Any) -> Any:
        changed = copy.copy(self)
        changed.gain = math.sqrt(self.gain)
        return original(changed, *args, **kwargs)

    return initial


def of_all_pairs(original: Function) -> Function:
    """`tf.losses.mean_pairwise_squared_error`: up to 1.4 the means are over n * n pairs, not n * (n - 1).

    The code of the function is not repeated: in a copy, the `maximum` that limits both divisors returns the old
    divisors.
    """

    def divisor(later: Any, _: Any) -> Any:
        number = later.op.inputs[0]
        return number if later.op.type == "Sub" else tensorflow().square(number)

    return with_members(original, "math_ops", maximum=divisor)


_NOT_FINITE = "Found Inf or NaN global norm."


class _Finite:
    """A norm that counts as finite. The check subtracts the norm from itself."""

    def __init__(self, norm: Any) -> None:
        self.norm, self.dtype = norm, norm.dtype

    def __rtruediv__(self, number: float) -> Any:
        return number / self.norm

    def __sub__(self, _: Any) -> Any:
        return tensorflow().constant(0, self.dtype)


def of_any_norm(checked: bool) -> Callable[[Function], Function]:
    """`tf.clip_by_global_norm` with an infinite norm: finite gradients become 0 up to 1.4, an error in 1.12, NaN later.

    With `checked` it is the error.
    """

    def replace(original: Function) -> Function:
        bind = binder(original)

        @functools.wraps(original)
        def clip_by_global_norm(*args: Any, **kwargs: Any) -> Any:
            given, tf = bind(args, kwargs), tensorflow()
            if given is None or not isinstance(given["t_list"], list | tuple) or tf.executing_eagerly():
                return original(*args, **kwargs)
            tensors, norm, name = list(given["t_list"]), given["use_norm"], given["name"]
            if norm is None:
                norm = internals.ops.clip_ops.global_norm(tensors, name)
            norm = tf.convert_to_tensor(norm)
            if checked:
                with counter.uncounted(tf.compat.v1.get_default_graph()):
                    finite = tf.debugging.check_numerics(norm, _NOT_FINITE)
                    with tf.control_dependencies([finite]):
                        norm = tf.identity(norm)
            clipped, _ = original(tensors, given["clip_norm"], norm if checked else _Finite(norm), name)
            return clipped, norm

        return clip_by_global_norm

    return replace
