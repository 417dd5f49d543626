"""Batch normalization over the whole batch: all towers use the moments of the whole batch.

Layers of TF 1.x compute moments by `tf.nn.moments` or `tf.nn.fused_batch_norm`. This module replaces these functions
while the replicas of a tower function are built, as SyncBatchNormalization of Keras does in its layers.
"""

from __future__ import annotations

import contextlib
import functools
import sys
import threading
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.arguments import signature_of_today
from tf2bridge.internals.ops import nn_impl
from tf2bridge.patching import PatchSet, put
from tf2bridge.train.tower.refusals import UnevenGradientsError

v1 = tf.compat.v1
_GRADIENT = "tf2bridge.MeanOverReplicas"
_NAME = "moments_of_all"


@contextlib.contextmanager
def synchronised(replaced: list[int]) -> Iterator[None]:
    """Makes moments over a batch those of all replicas within the block.

    Args:
        replaced: Gets the thread of each call that was replaced.
    """
    made: dict[Any, Any] = {nn_impl.moments: _moments, nn_impl.moments_v2: _moments, nn_impl.fused_batch_norm: _fused}
    kept = [
        (home, name, genuine)
        for home in _homes()
        for name in ("moments", "moments_v2", "fused_batch_norm")
        if (genuine := vars(home).get(name)) in made
    ]
    with PatchSet("moments of all replicas").for_a_while():
        for home, name, genuine in kept:
            put(home, name, made[genuine](genuine, replaced))
        yield


def _homes() -> list[ModuleType]:
    """Returns the modules that hold these functions. `tf.nn` is a different module in each spelling of tf.compat.v1."""
    public = [name for name in sys.modules if name.startswith("tensorflow.") and name.endswith(".nn")]
    return [nn_impl, *(sys.modules[name] for name in public)]


def _moments(genuine: Callable[..., Any], replaced: list[int]) -> Callable[..., Any]:
    signature = signature_of_today(genuine)

    def moments(*arguments: Any, **named: Any) -> Any:
        given = signature.bind(*arguments, **named).arguments
        x = tf.convert_to_tensor(given["x"])
        axes = [int(axis) % (x.shape.rank or 1) for axis in tf.nest.flatten(given["axes"])]
        if 0 not in axes:  # moments of single examples
            return genuine(*arguments, **named)
        mean, variance = _of_all(x, axes, replaced)
        if not (given.get("keepdims") or given.get("keep_dims")):
            mean, variance = tf.squeeze(mean, axes), tf.squeeze(variance, axes)
        return mean, variance

    return moments


def _fused(genuine: Callable[..., Any], replaced: list[int]) -> Callable[..., Any]:
    signature = signature_of_today(genuine)

    def fused_batch_norm(*arguments: Any, **named: Any) -> Any:
        bound = signature.bind(*arguments, **named)
        bound.apply_defaults()
        given = bound.arguments
        if not given["is_training"]:
            return genuine(*arguments, **named)
        x = tf.convert_to_tensor(given["x"])
        channel = 1 if str(given["data_format"]).startswith("NC") else x.shape.rank - 1
        axes = [axis for axis in range(x.shape.rank) if axis != channel]
        mean, variance = _of_all(x, axes, replaced)
        shape = tf.shape(mean)
        scale, offset = (tf.reshape(tf.cast(given[name], mean.dtype), shape) for name in ("scale", "offset"))
        normal = tf.nn.batch_normalization(
            tf.cast(x, mean.dtype), mean, variance, offset, scale, tf.cast(given["epsilon"], mean.dtype)
        )
        count = tf.cast(tf.size(x) // tf.size(mean), mean.dtype) * tf.distribute.get_strategy().num_replicas_in_sync
        unbiased = variance * count / tf.maximum(count - 1, 1)
        moments = tf.reshape(mean, [-1]), tf.reshape(unbiased, [-1])
        factor = given["exponential_avg_factor"]
        before = [value for value in (given["mean"], given["variance"]) if value is not None]
        if len(before) == len(moments) and not (factor is None or (isinstance(factor, float) and factor == 1.0)):
            moments = tuple(old * (1 - factor) + new * factor for old, new in zip(before, moments, strict=True))
        return tf.cast(normal, x.dtype), *moments

    return fused_batch_norm


def _of_all(x: Any, axes: list[int], replaced: list[int]) -> tuple[Any, Any]:
    """Returns mean and variance over some axes and over all replicas; the reduced axes stay, of length 1.

    All replicas have the same number of examples. The variance is about the common mean; its gradient through the mean
    is zero.
    """
    wide = tf.cast(x, tf.float32) if x.dtype in (tf.float16, tf.bfloat16) else x
    own_mean = v1.reduce_mean(wide, axes, keepdims=True)
    mean = tf.stop_gradient(_over_replicas([own_mean], "")[0])
    own_squares = v1.reduce_mean(tf.math.squared_difference(wide, mean), axes, keepdims=True)
    variance = tf.stop_gradient(_over_replicas([own_squares], "")[0])
    replaced.append(threading.get_ident())
    number = replaced.count(threading.get_ident())
    _register_gradient()
    with v1.get_default_graph().gradient_override_map({"IdentityN": _GRADIENT}):
        moments = tf.identity_n([own_mean, own_squares, mean, variance], name=f"{_NAME}_{number}")
    return moments[2], moments[3]


def _over_replicas(values: list[Any], place: str) -> list[Any]:
    """Returns the means of some values over replicas.

    `ReplicaContext.all_reduce` has a gradient of its own. For that gradient TensorFlow 2.21 looks for the variables of
    all replicas in a session's graph, and raises "Unsuccessful at finding variable ...replica_1". It also does not
    check that the replicas meet at the same place.

    Args:
        values: The values of this replica.
        place: The name of the place in the code, equal in all replicas.

    Raises:
        UnevenGradientsError: Replicas meet at different places.
    """

    def merged(strategy: tf.distribute.Strategy, values_of_all: list[Any], places: Any) -> Any:
        if len(set(strategy.experimental_local_results(places))) > 1:
            raise UnevenGradientsError(map(str, strategy.experimental_local_results(places)))
        return strategy.extended.batch_reduce_to(
            tf.distribute.ReduceOp.MEAN, [(value, value) for value in values_of_all]
        )

    means: list[Any] = tf.distribute.get_replica_context().merge_call(merged, args=(values, place))
    return means


@functools.cache
def _register_gradient() -> None:
    def mean_of_gradients(op: Any, *upstream: Any) -> Any:
        """Averages the gradients as the moments were averaged.

        The loss of each replica depends on the moments of all replicas.
        """
        return [*_over_replicas(list(upstream[2:]), op.name.rpartition("/")[2]), None, None]

    tf.RegisterGradient(_GRADIENT)(mean_of_gradients)
