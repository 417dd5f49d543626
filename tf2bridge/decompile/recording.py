"""What the old graph computes on made-up inputs: the figures that the written package is held against."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.decompile.emitted.test_model import weighted_sum
from tf2bridge.decompile.emitted.weights import transformed
from tf2bridge.decompile.idioms.layer import Weight
from tf2bridge.decompile.ir import Function, all_nodes
from tf2bridge.decompile.of_module import function_of_module, put_back, variables_of
from tf2bridge.decompile.old_calls import with_held_constants
from tf2bridge.decompile.simplify import assigned_variables
from tf2bridge.graph.exact_calls import as_written
from tf2bridge.proof.randomness.graphs import UNCONTROLLED

ROUNDED_RUNS = 1, 3, 6, 12, 18
"""How many runs are tried: more where fewer do not explain a difference."""
_BY_ONE_DIGIT = 12
"""How many of these take the next numbers. A model rounds more often: a gradient may jump where it does not by one."""
_DIGITS = 4
"""How far the numbers of the other runs are."""
_EXPECTED_RUNS = 3
"""How many runs on rounded numbers are made before a difference is known, if gradients may jump."""
_JUMPS = frozenset({"Relu", "Relu6", "LeakyRelu", "Abs", "Maximum", "Minimum", "MaxPool", "Max", "Min"})
"""Operations whose gradients jump."""
_RANDOM_RUNS = 6
"""Of graphs that draw random numbers: a few numbers that are dropped or not are now and then the same ones."""


@dataclass(frozen=True)
class _Run:
    """What one call computes: outputs, variables that it changed, gradients by `variable NAME` and `in NAME`."""

    outputs: list[Any]
    after: dict[str, Any]
    gradients: dict[str, Any]

    @property
    def arrays(self) -> dict[str, Any]:
        """All arrays: `out NUMBER`, `after VARIABLE`, `gradient VARIABLE` and `gradient in INPUT`."""
        arrays = {f"out {number}": output for number, output in enumerate(self.outputs)}
        arrays |= {f"after {name}": array for name, array in self.after.items()}
        return arrays | {f"gradient {name.removeprefix('variable ')}": part for name, part in self.gradients.items()}


def _changes(run: _Run, other: _Run) -> dict[str, float]:
    """Returns the name of each array of floating numbers -> the largest difference in two runs."""
    changes = {}
    others = other.arrays
    for name, array in run.arrays.items():
        if name in others and array.shape == others[name].shape and array.dtype.kind in "fc":
            with np.errstate(all="ignore"):
                change = np.abs(array - others[name])
            largest = float(np.max(change, initial=0.0))
            is_finite = np.isfinite(largest)
            changes[name] = largest if is_finite else float(np.max(change, initial=0.0, where=np.isfinite(change)))
    return changes


class Recording:
    """What a module computes on given inputs, and how much of that is rounding.

    Attributes:
        inputs: An array for each input.
        assigned: The name of each variable that the module changes -> the variable.
        is_random: The module draws random numbers.
        runs: How often the module was run: an array that differs is random.
        with_gradients: Gradients were computed, too.
    """

    def __init__(self, module: Any, inputs: Mapping[str, Any], with_gradients: bool = True) -> None:
        """Runs the module several times. Its variables have afterwards the values that they had before.

        Args:
            module: The loaded module.
            inputs: An array for each input.
            with_gradients: Compute gradients, too.
        """
        function = function_of_module(module)
        self._call = with_held_constants(module).call
        self.inputs = inputs
        self.with_gradients = with_gradients
        self._variables = variables_of(module)
        self.assigned = {name: self._variables[name] for name in assigned_variables(function)}
        draws = any(node.op in UNCONTROLLED for node in all_nodes(function))
        self._drawn = _drawn_outputs(function) if draws else []
        self._jumps = any(node.op in _JUMPS for node in all_nodes(function))
        self._rounded_runs: list[dict[str, float]] = []
        self._first = self._run(inputs, with_gradients)
        self.is_random = draws
        self.runs = _RANDOM_RUNS if draws else 2
        self._again = [self._run(inputs, with_gradients and draws) for _ in range(1, self.runs)]

    def arrays(self, paths: Mapping[str, Weight]) -> dict[str, Any]:
        """Returns the arrays of `recorded.npz`, whose names `emitted/test_model.py` explains.

        An output that differs between calls is random, and left out, as are its gradients. If one is random, so are all
        that depend on random numbers: an accuracy may be the same in each call by chance.

        Args:
            paths: The attribute of the written model -> the old variables that it holds, or constants that were ones.
        """
        paths = {path: weight for path, weight in paths.items() if self._variables.keys() >= set(weight.variables)}
        computed = self._named(self._first, paths)
        again = [self._named(run, paths) for run in self._again]
        same = {
            name
            for name, array in computed.items()
            if all(equal(array, run[name]) if name in run else name.startswith("gradient ") for run in again)
        }
        if not same.issuperset(self._drawn):
            same.difference_update(self._drawn)
        if "out 0" not in same:
            same = {name for name in same if not name.startswith("gradient ")}
        trains = {name for name, variable in self._variables.items() if variable.trainable}
        trainable = np.array(sorted(path for path, weight in paths.items() if trains >= set(weight.variables)), np.str_)
        given = {f"in {name}": array for name, array in self.inputs.items()}
        if self._variables:
            given["trainable"] = trainable
            if all(run.after.keys() == self._first.after.keys() for run in self._again):
                changed = [path for path, weight in paths.items() if self._first.after.keys() & set(weight.variables)]
                given["changed"] = np.array(sorted(changed), np.str_)
        return given | {name: array for name, array in computed.items() if name in same}

    def roundings(self, paths: Mapping[str, Weight], runs: int = ROUNDED_RUNS[0]) -> dict[str, Any]:
        """Returns `rounding NAME` for an array NAME -> the most that one rounding of inputs and variables changes it.

        A gradient behind a ReLU or a choice jumps if a value close to the border crosses it.

        Args:
            paths: As for `arrays`.
            runs: How often other numbers are rounded up or down.
        """
        largest: dict[str, float] = {}
        for changes in self._rounded(runs):
            largest = {name: max(size, largest.get(name, 0.0)) for name, size in changes.items()}
        ends = ("out ", "gradient in ")
        named = {f"rounding {name}": size for name, size in largest.items() if name.startswith(ends)}
        for path, (names, _) in paths.items():
            for kind in ("after", "gradient"):
                sizes = [largest[f"{kind} {name}"] for name in names if f"{kind} {name}" in largest]
                if sizes:
                    named[f"rounding {kind} {path}"] = max(sizes)
        return {name: np.float64(size) for name, size in named.items()}

    def expect_roundings(self, has_time: Callable[[], bool]) -> None:
        """Makes the runs on rounded numbers that are likely to be asked for, as long as there is time."""
        if self._jumps and self._first.gradients:
            self._rounded(_EXPECTED_RUNS, has_time)

    def _rounded(self, runs: int, has_time: Callable[[], bool] = lambda: True) -> list[dict[str, float]]:
        """Returns how far that many runs on rounded numbers are from the first run; fewer if there is no time."""
        if len(self._rounded_runs) >= runs:
            return self._rounded_runs[:runs]
        with put_back(self._variables) as before:
            for seed in range(len(self._rounded_runs), runs):
                if not has_time():
                    break
                random, digits = np.random.default_rng(seed), 1 if seed < _BY_ONE_DIGIT else _DIGITS
                for name, variable in self._variables.items():
                    variable.assign(rounded(before[name], random, digits))
                inputs = {name: rounded(array, random, digits) for name, array in self.inputs.items()}
                run = self._run(inputs, self.with_gradients)
                self._rounded_runs.append(_changes(self._first, run))
        return self._rounded_runs[:runs]

    def _run(self, inputs: Mapping[str, Any], with_gradients: bool) -> _Run:
        """Calls the module, and puts the variables back that it changes.

        TensorFlow does not rewrite the graph: that takes longer than a few runs, and rounds in other places.
        """
        tensors = {name: tf.convert_to_tensor(array) for name, array in inputs.items()}
        with put_back(self.assigned) as start, as_written():
            outputs, gradients = self._outputs_and_gradients(tensors, with_gradients)
            after = {name: variable.numpy() for name, variable in self.assigned.items()}
        changed = {name: array for name, array in after.items() if not equal(start[name], array)}
        return _Run([output.numpy() for output in outputs], changed, gradients)

    def _outputs_and_gradients(
        self, tensors: Mapping[str, Any], with_gradients: bool
    ) -> tuple[list[Any], dict[str, Any]]:
        """Returns the outputs as TensorFlow computes them for gradients, which rounds in other places than without."""
        floating = {f"in {name}": tensor for name, tensor in tensors.items() if tensor.dtype.is_floating}
        sources = {f"variable {name}": variable for name, variable in self._variables.items() if variable.trainable}
        try:
            with tf.GradientTape() as tape:
                tape.watch(list(floating.values()))
                outputs = self._tensors(tensors)
                total = weighted_sum(outputs[0]) if outputs[0].dtype.is_floating else None
        except LookupError:  # a gradient was a Python function, as that of tf.nn.swish of 1.15: it is in no file
            return self._tensors(tensors), {}
        if total is None or not with_gradients:
            return outputs, {}
        return outputs, _gradients(tape, total, {**sources, **floating})

    def _tensors(self, inputs: Mapping[str, Any]) -> list[Any]:
        """Returns the outputs that are tensors; operations have none."""
        return [output for output in self._call(*inputs.values()) if output is not None]

    def _named(self, run: _Run, paths: Mapping[str, Weight]) -> dict[str, Any]:
        """Returns what a run has computed by the names in `recorded.npz`."""
        arrays = {f"out {number}": output for number, output in enumerate(run.outputs)}
        for path, (names, transform) in paths.items():
            if any(name in run.after for name in names):
                after = [run.after[name] if name in run.after else self._variables[name].numpy() for name in names]
                arrays[f"after {path}"] = transformed(after, transform)
        arrays |= {f"gradient {name}": array for name, array in run.gradients.items() if name.startswith("in ")}
        for path, (names, transform) in paths.items():
            parts = [run.gradients.get(f"variable {name}") for name in names]
            if all(part is not None for part in parts):
                arrays[f"gradient {path}"] = transformed(parts, transform, is_gradient=True)
        return arrays


def _drawn_outputs(function: Function) -> list[str]:
    """Returns `out NUMBER` for each result that depends on random numbers. The function is used up."""
    drawn = []
    results, function.results, function.effects = function.results, [], []
    for number, result in enumerate(results):
        function.results = [result]
        if any(node.op in UNCONTROLLED for node in all_nodes(function)):
            drawn.append(f"out {number}")
    return drawn


def rounded(array: Any, random: Any, digits: int = 1) -> Any:
    """Returns an array whose numbers are higher or lower ones of their type, at random.

    Args:
        array: The array.
        random: A generator of random numbers.
        digits: Which number after its own one each number is; numbers beside 0 are the next ones.
    """
    if array.dtype.kind != "f" or array.dtype.itemsize not in (4, 8):
        return array
    is_up = np.unpackbits(np.frombuffer(random.bytes(array.size // 8 + 1), np.uint8), count=array.size)
    steps = digits * (2 * is_up.view(np.int8).reshape(array.shape) - 1)
    # The next number has the next bits, in a tenth of the time of np.nextafter: nets have millions of weights.
    bits = np.ascontiguousarray(array).reshape(array.shape).view(np.int32 if array.dtype.itemsize == 4 else np.int64)
    other = np.asarray(np.add(bits, steps, dtype=bits.dtype)).view(array.dtype)
    special = (array == 0) | ~np.isfinite(array)
    if special.any():
        ends = np.where(steps[special] > 0, array.dtype.type(np.inf), array.dtype.type(-np.inf))
        other[special] = np.nextafter(array[special], ends)
    return other


def _gradients(tape: Any, total: Any, sources: Mapping[str, Any]) -> dict[str, Any]:
    try:
        gradients = tape.gradient(total, dict(sources))
    except (LookupError, tf.errors.OpError):  # no gradient, or none here: CPUs have none of dilated convolutions
        return {}
    return {name: tf.convert_to_tensor(grad).numpy() for name, grad in gradients.items() if grad is not None}


def equal(first: Any, second: Any) -> bool:
    """Returns True if two arrays are the same; what is no number equals itself."""
    return bool(np.array_equal(first, second, equal_nan=np.asarray(first).dtype.kind in "fc"))
