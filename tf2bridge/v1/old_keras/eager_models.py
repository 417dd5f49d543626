"""What models that are trained eagerly took and had in 1.x, and tf_keras has only where they are trained in a graph.

- `class_weight` may have any whole numbers as classes, as {1: 0.5, 2: 2.0}, and weights of samples beside it: tf_keras
  fails where sizes of shapes are objects.
- `get_losses_for` and `get_updates_for` of layers: None asks for what does not depend on an input.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Mapping
from typing import Any

import tensorflow as tf

from tf2bridge.v1.seeds.rebind import put


def install() -> None:
    """Changes them for the whole process. The same call again changes nothing."""
    adapters: Any = importlib.import_module("tf_keras.src.engine.data_adapter")
    layer: Any = importlib.import_module("tf_keras.src.engine.base_layer").Layer
    if not hasattr(layer, "get_losses_for"):
        layer.get_losses_for, layer.get_updates_for = get_losses_for, get_updates_for
        put(adapters, "_make_class_weight_map_fn", _of_any_classes(adapters._make_class_weight_map_fn))


def get_losses_for(self: Any, inputs: Any) -> list[Any]:
    """Returns the penalties of a layer's weights for None, else those of what it computes from inputs."""
    callables = [made for layer in self._flatten_layers() for made in layer._callable_losses]
    unconditional = [loss for loss in (made() for made in callables) if loss is not None]
    if inputs is None:
        return unconditional
    of_inputs = [layer._eager_losses or layer._losses for layer in self._flatten_layers()]
    return [loss for losses in of_inputs for loss in losses]


def get_updates_for(self: Any, inputs: Any) -> list[Any]:
    """Returns no updates: an eager layer makes them as it computes."""
    del self, inputs
    return []


def _of_any_classes(made: Any) -> Any:
    """What makes of class weights a function that gives each sample its weight."""

    @functools.wraps(made)
    def changed(class_weight: Mapping[int, float]) -> Any:
        classes = sorted(class_weight)
        if not all(hasattr(label, "__index__") for label in classes):
            return made(class_weight)
        by_place = made({place: class_weight[label] for place, label in enumerate(classes)})
        in_order = classes == list(range(len(classes)))

        def weighted(*data: Any) -> Any:
            adapters: Any = importlib.import_module("tf_keras.src.engine.data_adapter")
            x, y, given = adapters.unpack_x_y_sample_weight(data)
            weights = by_place(x, y if in_order else _places(y, classes), None)[2]
            return x, y, weights if given is None else tf.cast(weights, given.dtype) * given

        return weighted

    return changed


def _places(y: Any, classes: list[int]) -> Any:
    """The place of the class of each sample among the classes. Other classes are an InvalidArgumentError as it runs."""
    if y.shape.rank is not None and y.shape.rank > 2:
        raise ValueError("`class_weight` not supported for 3+ dimensional targets.")
    if y.shape.rank == 2:
        y = tf.argmax(y, -1) if y.shape[-1] != 1 else y[:, 0]
    labels, known = tf.cast(tf.round(y), tf.int64), tf.constant(classes, tf.int64)
    places = tf.minimum(tf.searchsorted(known, labels), len(classes) - 1)
    text = "`class_weight` must contain all classes in the data."
    with tf.control_dependencies([tf.debugging.assert_equal(tf.gather(known, places), labels, text)]):
        return tf.identity(places)
