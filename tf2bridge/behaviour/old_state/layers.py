"""Layers of tf_keras, which `tf.layers` and `tf.keras` of 1.x are here: `layer.apply`, `model._layers`."""

from __future__ import annotations

import functools
import importlib
from typing import Any

from tf2bridge.behaviour.old_state import Derived, method, renamed
from tf2bridge.patching import put

_LAYER = "tf_keras.src.engine.base_layer"


def _apply(layer: Any, inputs: Any, *args: Any, **kwargs: Any) -> Any:
    return layer(inputs, *args, **kwargs)


def _sublayers(layer: Any) -> list[Any]:
    kind: Any = importlib.import_module(_LAYER).Layer
    return [child for child in layer._self_tracked_trackables if isinstance(child, kind)]


def _check(layer: Any, inputs: Any) -> None:
    specs: Any = importlib.import_module("tf_keras.src.engine.input_spec")
    specs.assert_input_compatibility(layer.input_spec, inputs, layer.name)


def _parameters(layer: Any) -> list[str]:
    return list(layer._call_spec.arg_names)


def _uses_learning_phase(model: Any) -> bool:
    """Returns whether the outputs in a graph depend on the placeholder that tells training from use."""
    phase: Any = importlib.import_module("tf_keras.src.backend").learning_phase()
    waiting = [output.op for output in model.outputs or ()] if hasattr(phase, "op") else []
    seen = set(waiting)
    while waiting:
        operation = waiting.pop()
        if operation is phase.op:
            return True
        new = {tensor.op for tensor in operation.inputs} - seen
        seen |= new
        waiting += new
    return False


def install_in_keras() -> None:
    """Lets `layer.add_update` take `inputs`, which 1.15 took and read no longer."""
    for module in (_LAYER, f"{_LAYER}_v1"):
        layer: Any = importlib.import_module(module).Layer
        put(layer, "add_update", _taking_inputs(layer.add_update))


def _taking_inputs(original: Any) -> Any:
    @functools.wraps(original)
    def add_update(self: Any, updates: Any, inputs: Any = None) -> None:
        del inputs
        original(self, updates)

    return add_update


KERAS = {
    f"{_LAYER}:Layer": {
        "apply": method(_apply),
        "_layers": Derived(_sublayers),
        "_call_fn_args": Derived(_parameters),
        "_assert_input_compatibility": method(_check),
        "_compute_output_shape": renamed("compute_output_shape"),
    },
    "tf_keras.src.engine.training:Model": {
        "_reuse": None,
        "_scope": None,
        "uses_learning_phase": Derived(_uses_learning_phase),
    },
    "tf_keras.src.layers.rnn.legacy_cell_wrappers:_RNNCellWrapperV1": {"_cell": renamed("cell")},
}
