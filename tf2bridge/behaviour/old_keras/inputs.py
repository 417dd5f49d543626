"""Layers that need a rank refuse a tensor of unknown rank, as in 1.x; tf_keras lets it pass unchecked."""

from __future__ import annotations

import functools
import importlib
from typing import Any

import tensorflow as tf

from tf2bridge.patching import put


def install() -> None:
    """Changes the check of inputs, for the whole process."""
    module: Any = importlib.import_module("tf_keras.src.engine.input_spec")
    put(module, "assert_input_compatibility", _with_rank(module.assert_input_compatibility))


def _with_rank(original: Any) -> Any:
    @functools.wraps(original)
    def check(input_spec: Any, inputs: Any, layer_name: str) -> None:
        """Raises ValueError for a tensor of unknown rank where the layer names a rank, then checks as tf_keras does."""
        tensors = tf.nest.flatten(inputs)
        for place, (tensor, spec) in enumerate(zip(tensors, tf.nest.flatten(input_spec), strict=False)):
            if _names_a_rank(spec) and hasattr(tensor, "shape") and tf.TensorShape(tensor.shape).rank is None:
                raise ValueError(
                    f"Input {place} of layer {layer_name} is incompatible with the layer: its rank is undefined, "
                    "but the layer requires a defined rank."
                )
        original(input_spec, inputs, layer_name)

    return check


def _names_a_rank(spec: Any) -> bool:
    ranks = (getattr(spec, name, None) for name in ("ndim", "min_ndim", "max_ndim"))
    return any(rank is not None for rank in ranks)
