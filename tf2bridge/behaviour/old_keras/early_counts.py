"""Layers of Keras add as many operations to the count for op seeds as in releases up to 1.8.

The numbers are those of 1.4.1, 1.5.0, 1.6.0, 1.7.0 and 1.8.0 less those of tf_keras 2.21, each layer called twice with
its defaults. For recurrent layers and `compile` the numbers depend on more than was measured, so op seeds after them
are reported as uncertain.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.old_keras.counts import Rule, watch
from tf2bridge.behaviour.release import Release
from tf2bridge.behaviour.seeds import counter
from tf2bridge.patching import put

_LAYERS = "tf_keras.src.layers"
_READS = "_reads"
"""The attribute of a layer for how many of the reads of its weights are counted."""

_NORMALIZED = {4: (13, 16, 6), 5: (16, 12, 6), 6: (14, 12, 4), 7: (14, 12, 4), 8: (12, 12, 4)}
"""Minor release -> operations less of a batch normalization by the learning phase, of images and of others, and of one
that trains.
"""


def install(release: Release) -> None:
    """Watches the layers for the whole process, for releases up to 1.8."""
    minor = next(minor for minor in _NORMALIZED if minor == max(_NORMALIZED) or release.before(1, minor + 1))
    watch(_rules(minor), "counts_early", _count)
    if minor < 6:
        backend: Any = importlib.import_module("tf_keras.src.backend")
        put(backend, "_default_learning_phase", _one_operation(backend._default_learning_phase))


def count_less(operations: int) -> None:
    """Lowers the count of the graph.

    Variables were not resources: each takes one operation less, and a read of it takes none.
    """
    counter.of(tf.compat.v1.get_default_graph()).correction -= operations


def count_reads(layer: Any) -> None:
    """Subtracts the reads of a layer's weights since the last call from the count."""
    for part in layer._flatten_layers():
        reads = sum(_reads(weight) for weight in part._trainable_weights + part._non_trainable_weights)
        count_less(reads - part.__dict__.get(_READS, 0))
        part.__dict__[_READS] = reads


def _reads(variable: Any) -> int:
    """Returns how often a variable was read, without the read at its creation."""
    if getattr(variable, "handle", None) is None or not tf.is_symbolic_tensor(variable.handle):
        return 0
    return len([op for op in variable.handle.consumers() if op.type == "ReadVariableOp"]) - 1


def _rules(minor: int) -> dict[str, Rule]:
    """Method -> its rule in 1.4 to 1.8."""

    def normalized(_: Any, inputs: Any, training: Any = None, **__: Any) -> int:
        of_images, of_others, training_always = _NORMALIZED[minor]
        if training is None or tf.is_tensor(training):
            return -(of_images if len(inputs.shape) == 4 else of_others)
        return -training_always if training else 0

    def reshaped(layer: Any, *_: Any, **__: Any) -> int:
        """1.4 gave the number of samples as -1."""
        return -5 - len(layer.target_shape) if minor == 4 else 0

    def fixed(number: int) -> Rule:
        return lambda *_, **__: number

    def unknown(method: str) -> Rule:
        def noted(layer: Any, *_: Any, **__: Any) -> int:
            unmeasured = counter.of(tf.compat.v1.get_default_graph()).unmeasured
            unmeasured.add(f"{type(layer).__name__}.{method}")
            return 0

        return noted

    return {
        f"{_LAYERS}.normalization.batch_normalization_v1:BatchNormalization.call": normalized,
        f"{_LAYERS}.reshaping.reshape:Reshape.call": reshaped,
        f"{_LAYERS}.core.embedding:Embedding.call": fixed(-2 if minor == 8 else -3),
        f"{_LAYERS}.rnn.time_distributed:TimeDistributed.call": fixed(-2),
        f"{_LAYERS}.activation.leaky_relu:LeakyReLU.call": fixed(3),
        f"{_LAYERS}.reshaping.up_sampling2d:UpSampling2D.call": fixed(4),
        f"{_LAYERS}.core.masking:Masking.call": fixed(3),
        f"{_LAYERS}.locally_connected.locally_connected1d:LocallyConnected1D.call": fixed(-2),
        f"{_LAYERS}.rnn.base_rnn:RNN.call": unknown("call"),
        "tf_keras.src.engine.training_v1:Model.compile": unknown("compile"),
    }


def _count(rule: Rule, layer: Any, *args: Any, **kwargs: Any) -> None:
    """Counts a call of a layer of Keras.

    Layers of tf.layers, some of which are subclasses, have their rows in `seeds/table.json`.
    """
    if not isinstance(layer, _of_tf_layers()):
        count_less(-rule(layer, *args, **kwargs))


@functools.cache
def _of_tf_layers() -> Any:
    return importlib.import_module("tf_keras.src.legacy_tf_layers.base").Layer


def _one_operation(original: Callable[[], Any]) -> Callable[[], Any]:
    """Up to 1.5 the learning phase was a placeholder without a default."""

    @functools.wraps(original)
    def changed() -> Any:
        if not tf.executing_eagerly():
            count_less(1)
        return original()

    return changed
