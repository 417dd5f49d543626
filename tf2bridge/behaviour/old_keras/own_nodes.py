"""The inputs and outputs of a functional model are its node 0, as in all of 1.x: `model.get_output_at(0)`.

tf_keras counts the calls of a model alone, so that the same index is another tensor.
"""

from __future__ import annotations

import functools
import importlib
from typing import Any

import tensorflow as tf

from tf2bridge.patching import put

_FINDING = "_get_node_attribute_at_index"
"""The method behind `get_input_at`, `get_output_shape_at` and the others."""


def install() -> None:
    """Changes functional and sequential models in this process."""
    functional: Any = importlib.import_module("tf_keras.src.engine.functional").Functional
    put(functional, _FINDING, _with_own_node(functional))


def _with_own_node(functional: Any) -> Any:
    @functools.wraps(getattr(functional, _FINDING))
    def attribute_at(model: Any, node_index: int, attr: str, attr_name: str) -> Any:
        original = getattr(super(functional, model), _FINDING)  # graph mode gives the class other bases
        if not _has_own_node(model):
            return original(node_index, attr, attr_name)
        count = len(model._inbound_nodes) + 1
        if node_index >= count:
            # The words of 1.15 (`base_layer.py`).
            raise ValueError(
                f"Asked to get {attr_name} at node {node_index}, but the layer has only {count} inbound nodes."
            )
        if node_index % count:
            return original(node_index % count - 1, attr, attr_name)
        return _of_own_node(model, attr)

    return attribute_at


def _has_own_node(model: Any) -> bool:
    """Returns whether a model was made of tensors. A sequential model without an input shape was not."""
    return bool(model._is_graph_network) and getattr(model, "_has_explicit_input_shape", True)


def _of_own_node(model: Any, attr: str) -> Any:
    """Returns the input or output tensors of a model, their shapes or their masks: one alone not as a list."""
    tensors = model._nested_inputs if attr.startswith("input_") else model._nested_outputs
    if attr.endswith("_shapes"):
        tensors = tf.nest.map_structure(lambda tensor: tuple(tensor.shape.as_list()), tensors)
    elif attr.endswith("_masks"):
        tensors = tf.nest.map_structure(lambda tensor: getattr(tensor, "_keras_mask", None), tensors)
    return tensors[0] if isinstance(tensors, list) and len(tensors) == 1 else tensors
