"""What `fit`, `evaluate` and `predict` hand to a model that is trained eagerly, as in 1.x.

- A dictionary by the names of inputs ("input_1") becomes the list or the tensor with which a subclassed model was
  called first, or that `_set_inputs` declared. tf_keras hands on the dictionary.
- Sparse and ragged tensors have to be declared, and ragged ones have the declared rank.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Mapping
from typing import Any

import tensorflow as tf

from tf2bridge.patching import put


def install() -> None:
    """Changes the steps of models in this process."""
    model: Any = importlib.import_module("tf_keras.src.engine.training").Model
    for name in ("train_step", "test_step", "predict_step"):
        put(model, name, _fed(getattr(model, name)))


def _fed(step: Callable[..., Any]) -> Callable[..., Any]:
    adapters: Any = importlib.import_module("tf_keras.src.engine.data_adapter")

    @functools.wraps(step)
    def changed(self: Any, data: Any) -> Any:
        x, y, weights = adapters.unpack_x_y_sample_weight(data)
        spec = self.save_spec(dynamic_batch=False)
        if spec is None:
            _refuse_undeclared(x)
            return step(self, data)
        declared = spec[0][0]
        inputs = _as_declared(self, x, declared)
        _check_ranks(inputs, declared)
        return step(self, data if inputs is x else (inputs, y, weights))

    return changed


def _refuse_undeclared(x: Any) -> None:
    """Raises ValueError for sparse and ragged tensors, whose form cannot be told from one batch."""
    for tensor in tf.nest.flatten(x):
        if isinstance(tensor, tf.SparseTensor | tf.RaggedTensor):
            raise ValueError(
                "All SparseTensor and RaggedTensor inputs must be explicitly declared using a keras.Input() with "
                f"sparse=True or ragged=True. We found an undeclared input {tensor}. For Sequential models, please "
                "add a keras.Input() as your first Layer. For subclassed models, please call self._set_inputs() on "
                "your input set, which you can create using keras.Input() for each input to your model."
            )


def _as_declared(model: Any, x: Any, declared: Any) -> Any:
    """Returns the inputs in a list or alone if they come by the names that a list or a tensor got."""
    if not isinstance(x, Mapping) or isinstance(declared, Mapping) or getattr(model, "_is_graph_network", False):
        return x
    names = importlib.import_module("tf_keras.src.engine.compile_utils").create_pseudo_input_names(declared)
    if x.keys() != set(names):
        return x
    inputs = [x[name] for name in names]
    return inputs if isinstance(declared, list | tuple) else inputs[0]


def _check_ranks(inputs: Any, declared: Any) -> None:
    """Raises ValueError if a ragged tensor has another ragged rank than declared."""
    values, specs = tf.nest.flatten(inputs), tf.nest.flatten(declared)
    if isinstance(inputs, Mapping) and not isinstance(declared, Mapping):
        by_name = {getattr(spec, "name", None) for spec in specs}
        if len(values) != len(specs) or (len(values) > 1 and by_name != inputs.keys()):
            return
        values = values if len(values) == 1 else [inputs[spec.name] for spec in specs]
    for value, spec in zip(values, specs, strict=False):
        if not isinstance(spec, tf.RaggedTensorSpec):
            continue
        rank = value.ragged_rank if isinstance(value, tf.RaggedTensor) else 0
        if rank != spec.ragged_rank:
            raise ValueError(
                f"The input and what was declared don't have the same nested structure: its ragged rank is {rank}, "
                f"and {spec} was declared"
            )
