"""Refuses inputs of Keras layers that 1.15 refused and tf_keras takes, in the words of 1.15.

A convolution of 1.15 took inputs of one rank; tf_keras accepts further batch dimensions. Layers that merge took at
least two inputs. The inputs of a model have one batch size. A layer that trains eagerly adds a value as a metric only
with `aggregation="mean"`, unless a metric object made it; tf_keras takes its mean.
"""

from __future__ import annotations

import functools
import importlib
import re
from typing import Any

from tf2bridge.patching import put

_CONVOLUTIONS = ("base_conv", "base_depthwise_conv")
_MERGE = "A merge layer should be called on a list of at least 2 inputs. Got 1 inputs."
_CONCATENATE = "A `Concatenate` layer should be called on a list of at least 2 inputs"

_AGGREGATED = (
    "We do not support adding an aggregated metric result tensor that is not the output of a `tf.keras.metrics.Metric` "
    "metric instance. Without having access to the metric instance we cannot reset the state of a metric after every "
    "epoch during training. You can create a `tf.keras.metrics.Metric` instance and pass the result here or pass an "
    "un-aggregated result with `aggregation` parameter set as `mean`. For example: "
    "`self.add_metric(tf.reduce_sum(inputs), name='mean_activation', aggregation='mean')`"
)
_VALIDATE = "_validate_graph_inputs_and_outputs"


def install() -> None:
    """Installs the changes in this process."""
    spec: Any = importlib.import_module("tf_keras.src.engine.input_spec")
    for name in _CONVOLUTIONS:
        module: Any = importlib.import_module(f"tf_keras.src.layers.convolutional.{name}")
        put(module, "InputSpec", _of_one_rank)
    put(spec, "assert_input_compatibility", _with_plain_sizes(spec.assert_input_compatibility))
    layer_class: Any = importlib.import_module("tf_keras.src.engine.base_layer").Layer
    put(layer_class, "add_metric", _of_values(layer_class.add_metric))
    functional: Any = importlib.import_module("tf_keras.src.engine.functional").Functional
    put(functional, _VALIDATE, _of_one_batch_size(getattr(functional, _VALIDATE)))
    for file, name, text in (("base_merge", "_Merge", _MERGE), ("concatenate", "Concatenate", _CONCATENATE)):
        layer: Any = getattr(importlib.import_module(f"tf_keras.src.layers.merging.{file}"), name)
        put(layer, "build", _of_two(layer.build, text))


def _of_one_rank(min_ndim: int | None = None, axes: dict[int, int] | None = None) -> Any:
    """Returns the InputSpec of a convolution for one rank. tf_keras makes it for all ranks from `min_ndim` on."""
    spec: Any = importlib.import_module("tf_keras.src.engine.input_spec")
    return spec.InputSpec(ndim=min_ndim, axes=axes)


def _with_plain_sizes(check: Any) -> Any:
    """Returns the check of inputs with errors that show a shape as numbers. In 1.x its dimensions are objects."""

    @functools.wraps(check)
    def changed(*arguments: Any, **keywords: Any) -> None:
        try:
            check(*arguments, **keywords)
        except ValueError as error:
            error.args = (re.sub(r"Dimension\((\w+)\)", r"\1", str(error)),)
            raise

    return changed


def _of_two(build: Any, text: str) -> Any:
    @functools.wraps(build)
    def changed(self: Any, input_shape: Any) -> None:
        if isinstance(input_shape, list) and len(input_shape) == 1:
            raise ValueError(text)
        build(self, input_shape)

    return changed


def _of_values(add: Any) -> Any:
    """Returns `Layer.add_metric`, which refuses a value that no metric object made and that is not to be averaged."""

    @functools.wraps(add)
    def add_metric(self: Any, value: Any, aggregation: Any = None, name: str | None = None, **kwargs: Any) -> None:
        if isinstance(aggregation, str) and aggregation != "mean":  # tf_keras has the name in this place
            aggregation, name = None, name or aggregation
        given = {} if aggregation is None else {"aggregation": aggregation}
        known = hasattr(value, "_metric_obj") or self._get_existing_metric(name) is not None
        if not given and not known and name is not None:
            raise ValueError(_AGGREGATED)
        add(self, value, name=name, **given, **kwargs)

    return add_metric


def _of_one_batch_size(validate: Any) -> Any:
    """Returns the check of a functional model, which also compares the batch sizes of its inputs."""

    @functools.wraps(validate)
    def changed(self: Any) -> None:
        validate(self)
        shapes = [getattr(tensor, "shape", None) for tensor in self.inputs]
        sizes = [shape.as_list()[0] if shape is not None and shape.rank else None for shape in shapes]
        if len({size for size in sizes if size is not None}) > 1:
            found = f"Found batch sizes: {sizes}"
            raise ValueError(f"The specified batch sizes of the Input Layers are incompatible. {found}")

    return changed
