"""What the old graph computes on made-up inputs: the figures that the written package is held against."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.decompile.emitted.test_model import weighted_sum
from tf2bridge.decompile.emitted.weights import transformed
from tf2bridge.decompile.idioms.layer import Weight
from tf2bridge.decompile.ir import Spec
from tf2bridge.graph.example_inputs import for_inference, made_up

_SEED = 7


def variables_of(module: Any) -> dict[str, Any]:
    """Returns the name of each variable of a module in the old graph -> the variable."""
    return {variable.name.rpartition(":")[0]: variable for variable in module.variables}


def inputs_of(inputs: Mapping[str, Spec], given: Mapping[str, Any]) -> dict[str, Any]:
    """Returns an array for each input of a model: the given one, or one that is made up."""
    return {
        name: np.asarray(given[name]) if name in given else _made_up(name, spec, place)
        for place, (name, spec) in enumerate(inputs.items())
    }


def _made_up(name: str, spec: Spec, place: int) -> Any:
    shape = None if spec.shape is None else list(spec.shape)
    value = for_inference(name, spec.dtype.name, shape)
    if value is not None:
        return np.asarray(value, spec.dtype.as_numpy_dtype)
    return made_up(spec.dtype.name, shape if shape is not None else [2], _SEED + place)


def recorded(module: Any, inputs: Mapping[str, Any], paths: Mapping[str, Weight]) -> dict[str, Any]:
    """Returns the arrays of `recorded.npz`, whose names `emitted/test_model.py` explains.

    An output that differs between two calls is random, and left out, as are its gradients.

    Args:
        module: The loaded module. Its variables have afterwards the values that they had before.
        inputs: An array for each input.
        paths: The attribute of the written model -> the old variables that it holds, or constants that were ones.
    """
    variables = variables_of(module)
    paths = {path: weight for path, weight in paths.items() if variables.keys() >= set(weight.variables)}
    first, second = (_run(module, inputs, variables, paths) for _ in range(2))
    same = {name for name, array in first.items() if _equal(array, second[name])}
    if "out 0" not in same:
        same = {name for name in same if not name.startswith("gradient ")}
    trains = {name for name, variable in variables.items() if variable.trainable}
    trainable = np.array(sorted(path for path, weight in paths.items() if trains >= set(weight.variables)), np.str_)
    given = {f"in {name}": array for name, array in inputs.items()}
    if variables:
        given["trainable"] = trainable
    return given | {name: array for name, array in first.items() if name in same}


def _run(
    module: Any, inputs: Mapping[str, Any], variables: Mapping[str, Any], paths: Mapping[str, Weight]
) -> dict[str, Any]:
    """Returns what one call computes, by the names in `recorded.npz`, and puts the variables back."""
    before = {name: variable.numpy() for name, variable in variables.items()}
    tensors = {name: tf.convert_to_tensor(array) for name, array in inputs.items()}
    floating = {name: tensor for name, tensor in tensors.items() if tensor.dtype.is_floating}
    held = {name for weight in paths.values() for name in weight.variables}
    sources = {f"variable {name}": variables[name] for name in held if variables[name].trainable}
    with tf.GradientTape() as tape:
        tape.watch(list(floating.values()))
        outputs = module.call(*tensors.values())
        total = weighted_sum(outputs[0]) if outputs[0].dtype.is_floating else None
    arrays = {f"out {number}": output.numpy() for number, output in enumerate(outputs)}
    for path, (names, transform) in paths.items():
        after = [variables[name].numpy() for name in names]
        if any(not _equal(before[name], array) for name, array in zip(names, after, strict=True)):
            arrays[f"after {path}"] = transformed(after, transform)
    if total is not None:
        asked = {**sources, **{f"in {name}": tensor for name, tensor in floating.items()}}
        gradients = _gradients(tape, total, asked)
        arrays |= {f"gradient {name}": gradient for name, gradient in gradients.items() if name.startswith("in ")}
        for path, (names, transform) in paths.items():
            parts = [gradients.get(f"variable {name}") for name in names]
            if all(part is not None for part in parts):
                arrays[f"gradient {path}"] = transformed(parts, transform, is_gradient=True)
    for name, variable in variables.items():
        variable.assign(before[name])
    return arrays


def _gradients(tape: Any, total: Any, sources: Mapping[str, Any]) -> dict[str, Any]:
    try:
        gradients = tape.gradient(total, dict(sources))
    except (LookupError, tf.errors.OpError):  # no gradient, or none here: CPUs have none of dilated convolutions
        return {}
    return {name: tf.convert_to_tensor(grad).numpy() for name, grad in gradients.items() if grad is not None}


def _equal(first: Any, second: Any) -> bool:
    return bool(np.array_equal(first, second, equal_nan=np.asarray(first).dtype.kind in "fc"))
