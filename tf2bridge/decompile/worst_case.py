"""Searches the inputs on which a package differs most from the old graph, which are one more example."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.decompile.gate import Gate
from tf2bridge.decompile.of_module import put_back
from tf2bridge.decompile.old_calls import with_held_constants
from tf2bridge.graph.exact_calls import as_written
from tf2bridge.graph.graph_module import GraphModule
from tf2bridge.proof.comparing.refusals import InputsError
from tf2bridge.proof.worst.finding import worst_inputs

SECONDS = 2.0
"""The search ends after so many seconds: on a large graph, after the first runs."""
_SEED = 13


@dataclass(frozen=True)
class WorstCase:
    """The inputs on which an output differs most.

    Attributes:
        inputs: An array for each input.
        figures: The largest difference of each output on any inputs, as a part of its largest number.
    """

    inputs: Mapping[str, Any]
    figures: Sequence[float]


def worst_case(
    module: GraphModule, assigned: Mapping[str, Any], inputs: Mapping[str, Any], process: Gate, seconds: float
) -> WorstCase | None:
    """Returns the worst inputs that a search finds, or None if it cannot search.

    The search begins at the given inputs, at larger numbers of both signs, and at these with other integers between the
    least and the largest given one; it keeps to the range of all. If the sides do not differ, the last of these that
    the graph takes are the worst inputs: they lead to both sides of a ReLU, and to other rows of a table.

    Args:
        module: The loaded module. Its variables have afterwards the values that they had before.
        assigned: The variables that it changes.
        inputs: An array for each input.
        process: It runs the package, which it has measured last.
        seconds: How long to search.
    """
    specs = {name: tf.TensorSpec([None] * array.ndim, tf.as_dtype(array.dtype)) for name, array in inputs.items()}
    if not specs or any(spec.dtype == tf.string for spec in specs.values()):
        return None

    call = with_held_constants(module).call

    def old(*tensors: Any) -> list[Any]:
        with put_back(assigned):
            return [output for output in call(*tensors) if output is not None]

    with tempfile.TemporaryDirectory() as folder, as_written():
        new = _Remote(process, Path(folder))
        try:
            starts = [dict(inputs), larger := _larger(inputs), _with_other_integers(larger)]
            search = worst_inputs(old, new, specs=specs, starts=starts, seconds=seconds, match="position")
        except InputsError:
            return None
    worst = max(search.outputs, key=lambda output: output.worst.figure)
    is_start = worst.worst.run <= search.starts
    chosen = starts[search.starts - 1] if is_start and search.starts > 1 else worst.worst.inputs
    return WorstCase(dict(chosen), [output.worst.figure for output in search.outputs])


def _larger(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the inputs with other numbers in arrays of floats, of both signs and up to three times as large."""
    random = np.random.default_rng(_SEED)

    def larger(array: Any) -> Any:
        if array.dtype.kind != "f" or not array.ndim:
            return array
        size = float(np.max(np.abs(array), initial=0.0, where=np.isfinite(array))) or 1.0
        return (size * random.uniform(-3.0, 3.0, array.shape)).astype(array.dtype)

    return {name: larger(array) for name, array in inputs.items()}


def _with_other_integers(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the inputs with other integers between the least and the largest one in each array of integers.

    Those that the array does not hold come first: a row of a table that no input asks for is compared with nothing.
    """
    random = np.random.default_rng(_SEED)

    def other(array: Any) -> Any:
        if array.dtype.kind not in "iu" or not array.ndim or not array.size:
            return array
        least, most = int(array.min()), int(array.max())
        few = most - least < 4 * array.size
        all_or_some = np.arange(least, most + 1) if few else random.integers(least, most, array.size, endpoint=True)
        new = all_or_some[~np.isin(all_or_some, array)]
        both = [random.permutation(new), random.permutation(array.reshape(-1))]
        return np.resize(np.concatenate(both), array.shape).astype(array.dtype)

    return {name: other(array) for name, array in inputs.items()}


class _Remote:
    """The package in another process as a function of tensors, with gradients."""

    def __init__(self, process: Gate, folder: Path) -> None:
        self._process, self._folder = process, folder
        self._first: tuple[Mapping[str, Any], Mapping[str, Any]] | None = None

    def __call__(self, *tensors: Any) -> list[Any]:
        """Returns the outputs."""
        arrays = {f"in {number}": tensor.numpy() for number, tensor in enumerate(tensors)}

        @tf.custom_gradient  # type: ignore[untyped-decorator]
        def outputs(*given: Any) -> tuple[Any, Any]:
            def gradient(*weights: Any) -> list[Any]:
                weighted = {f"weights {number}": weight.numpy() for number, weight in enumerate(weights)}
                results = self._ran({**arrays, **weighted})
                return [results.get(f"gradient {number}") for number in range(len(given))]

            results = self._outputs(arrays)
            return [tf.constant(results[f"out {number}"]) for number in range(len(results))], gradient

        return list(outputs(*tensors))

    def _outputs(self, arrays: Mapping[str, Any]) -> Mapping[str, Any]:
        """Returns what the package computes; the search asks for that of the first inputs four times."""
        if self._first is not None:
            inputs, results = self._first
            pairs = [(array, arrays[name]) for name, array in inputs.items()]
            if all(one.shape == other.shape and one.tobytes() == other.tobytes() for one, other in pairs):
                return results
        results = self._ran(arrays)
        self._first = self._first or (arrays, results)
        return results

    def _ran(self, arrays: Mapping[str, Any]) -> dict[str, Any]:
        inputs, results = self._folder / "inputs.npz", self._folder / "results.npz"
        np.savez(inputs, **arrays)
        self._process.run(inputs, results)
        with np.load(results) as computed:
            return dict(computed)
