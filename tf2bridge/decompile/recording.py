"""What the old graph computes on made-up inputs: the figures that the written package is held against."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.decompile.emitted.test_model import weighted_sum
from tf2bridge.decompile.emitted.weights import transformed
from tf2bridge.decompile.idioms.layer import Weight
from tf2bridge.proof.randomness.graphs import UNCONTROLLED

_ROUNDED_RUNS = 3
_RANDOM_RUNS = 6
"""Of graphs that draw random numbers: a few numbers that are dropped or not are now and then the same ones."""


def variables_of(module: Any) -> dict[str, Any]:
    """Returns the name of each variable of a module in the old graph -> the variable."""
    return {variable.name.rpartition(":")[0]: variable for variable in module.variables}


@dataclass(frozen=True)
class _Run:
    """What one call computes: outputs, variables that it changed, gradients by `variable NAME` and `in NAME`."""

    outputs: list[Any]
    after: dict[str, Any]
    gradients: dict[str, Any]


class Recording:
    """What a module computes on given inputs, and how much of that is rounding.

    Attributes:
        inputs: An array for each input.
    """

    def __init__(self, module: Any, inputs: Mapping[str, Any]) -> None:
        """Runs the module several times. Its variables have afterwards the values that they had before.

        Args:
            module: The loaded module.
            inputs: An array for each input.
        """
        self._module = module
        self.inputs = inputs
        self._variables = variables_of(module)
        self._before = {name: variable.numpy() for name, variable in self._variables.items()}
        self._first, *self._again = (self._run(inputs) for _ in range(_RANDOM_RUNS if _draws(module) else 2))

    def arrays(self, paths: Mapping[str, Weight]) -> dict[str, Any]:
        """Returns the arrays of `recorded.npz`, whose names `emitted/test_model.py` explains.

        An output that differs between calls is random, and left out, as are its gradients.

        Args:
            paths: The attribute of the written model -> the old variables that it holds, or constants that were ones.
        """
        paths = {path: weight for path, weight in paths.items() if self._variables.keys() >= set(weight.variables)}
        computed = self._named(self._first, paths)
        again = [self._named(run, paths) for run in self._again]
        same = {
            name for name, array in computed.items() if all(name in run and equal(array, run[name]) for run in again)
        }
        if "out 0" not in same:
            same = {name for name in same if not name.startswith("gradient ")}
        trains = {name for name, variable in self._variables.items() if variable.trainable}
        trainable = np.array(sorted(path for path, weight in paths.items() if trains >= set(weight.variables)), np.str_)
        given = {f"in {name}": array for name, array in self.inputs.items()}
        if self._variables:
            given["trainable"] = trainable
        return given | {name: array for name, array in computed.items() if name in same}

    def roundings(self, paths: Mapping[str, Weight]) -> dict[str, Any]:
        """Returns `rounding NAME` for an array NAME -> the most that one rounding of inputs and variables changes it.

        A gradient behind a ReLU or a choice jumps if a value close to the border crosses it.

        Args:
            paths: As for `arrays`.
        """
        paths = {path: weight for path, weight in paths.items() if self._variables.keys() >= set(weight.variables)}
        exact = self._named(self._first, paths)
        largest: dict[str, Any] = {}
        for run in self._rounded_runs:
            for name, array in self._named(run, paths).items():
                if name in exact and array.shape == exact[name].shape and array.dtype.kind in "fc":
                    change = np.abs(array.astype(np.complex128) - exact[name])
                    size = np.max(change[np.isfinite(change)], initial=0.0)
                    largest[f"rounding {name}"] = np.maximum(size, largest.get(f"rounding {name}", 0.0))
        return largest

    @functools.cached_property
    def _rounded_runs(self) -> list[_Run]:
        runs = []
        for seed in range(_ROUNDED_RUNS):
            random = np.random.default_rng(seed)
            for name, variable in self._variables.items():
                variable.assign(rounded(self._before[name], random))
            runs.append(self._run({name: rounded(array, random) for name, array in self.inputs.items()}))
        return runs

    def _run(self, inputs: Mapping[str, Any]) -> _Run:
        """Calls the module, and puts its variables back."""
        start = {name: variable.numpy() for name, variable in self._variables.items()}
        tensors = {name: tf.convert_to_tensor(array) for name, array in inputs.items()}
        floating = {f"in {name}": tensor for name, tensor in tensors.items() if tensor.dtype.is_floating}
        sources = {f"variable {name}": variable for name, variable in self._variables.items() if variable.trainable}
        try:
            with tf.GradientTape() as tape:
                tape.watch(list(floating.values()))
                outputs = self._tensors(tensors)
                total = weighted_sum(outputs[0]) if outputs[0].dtype.is_floating else None
        except LookupError:  # a gradient was a Python function, as that of tf.nn.swish of 1.15: it is in no file
            outputs, total = self._tensors(tensors), None
        after = {name: variable.numpy() for name, variable in self._variables.items()}
        changed = {name for name, array in after.items() if not equal(start[name], array)}
        gradients = {} if total is None else _gradients(tape, total, {**sources, **floating})
        for name, variable in self._variables.items():
            variable.assign(self._before[name])
        return _Run([output.numpy() for output in outputs], {name: after[name] for name in changed}, gradients)

    def _tensors(self, inputs: Mapping[str, Any]) -> list[Any]:
        """Returns the outputs that are tensors; operations have none."""
        return [output for output in self._module.call(*inputs.values()) if output is not None]

    def _named(self, run: _Run, paths: Mapping[str, Weight]) -> dict[str, Any]:
        """Returns what a run has computed by the names in `recorded.npz`."""
        arrays = {f"out {number}": output for number, output in enumerate(run.outputs)}
        after = {**self._before, **run.after}
        for path, (names, transform) in paths.items():
            if any(name in run.after for name in names):
                arrays[f"after {path}"] = transformed([after[name] for name in names], transform)
        arrays |= {f"gradient {name}": array for name, array in run.gradients.items() if name.startswith("in ")}
        for path, (names, transform) in paths.items():
            parts = [run.gradients.get(f"variable {name}") for name in names]
            if all(part is not None for part in parts):
                arrays[f"gradient {path}"] = transformed(parts, transform, is_gradient=True)
        return arrays


def _draws(module: Any) -> bool:
    """Returns True if the graph of a module draws random numbers."""
    graph = module.graph.graph_def
    inner = (node for function in graph.library.function for node in function.node_def)
    return any(node.op in UNCONTROLLED for node in (*graph.node, *inner))


def rounded(array: Any, random: Any) -> Any:
    """Returns an array whose numbers are the next higher or lower ones of their type, at random."""
    if array.dtype.kind != "f" or array.dtype.itemsize < 4:
        return array
    return np.nextafter(array, random.choice([-np.inf, np.inf], array.shape).astype(array.dtype))


def _gradients(tape: Any, total: Any, sources: Mapping[str, Any]) -> dict[str, Any]:
    try:
        gradients = tape.gradient(total, dict(sources))
    except (LookupError, tf.errors.OpError):  # no gradient, or none here: CPUs have none of dilated convolutions
        return {}
    return {name: tf.convert_to_tensor(grad).numpy() for name, grad in gradients.items() if grad is not None}


def equal(first: Any, second: Any) -> bool:
    """Returns True if two arrays are the same; what is no number equals itself."""
    return bool(np.array_equal(first, second, equal_nan=np.asarray(first).dtype.kind in "fc"))
