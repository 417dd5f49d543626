"""Runs written packages: a process that `gate.py` starts by the path of this file. It imports nothing of tf2bridge.

Each line of its input is a request, and each line of its output the answer to one: a result, or an error.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import sys
import traceback
from pathlib import Path
from typing import Any

import keras
import numpy as np

if keras.backend.backend() == "tensorflow":
    import tensorflow as tf


_WITHOUT_ANSWER = "load", "compute"


class _Package:
    """The package that requests are about: one at a time, as each may have the name of the one before."""

    def __init__(self) -> None:
        self._folder: Path | None = None
        self._model: Any = None
        self._early: dict[str, Any] = {}

    def load(self, folder: str) -> None:
        """Loads the model of a package: before a request that needs it, so that other work goes on meanwhile."""
        self._open(folder)
        with contextlib.suppress(Exception):  # a request that needs the model raises the same
            package: Any = importlib.import_module(Path(folder).name)
            self._model = package.load()

    def compute(self, folder: str, inputs: str) -> None:
        """Computes what `measure` will compare, before it is known what the old graph computes.

        Args:
            folder: As for `measure`.
            inputs: A file of arrays: `in NAME` holds an input.
        """
        self._open(folder)
        if self._model is None:
            return
        self._early = {}
        with contextlib.suppress(Exception):  # a request that needs the results raises the same
            own_test = self._own_test()
            with np.load(inputs) as arrays:
                given = dict(arrays)
            self._early = given | own_test.computed(given | self._likely(own_test, given), self._model)

    def _likely(self, own_test: Any, given: dict[str, Any]) -> dict[str, Any]:
        """Returns the names of the arrays that are likely to be recorded -> arrays of their shapes and types."""
        likely: dict[str, Any] = {f"out {number}": np.zeros(()) for number in range(len(self._model.legacy_outputs))}
        likely |= {"trainable": np.zeros(()), "changed": np.zeros(())}
        likely |= {f"gradient {name}": array for name, array in given.items()}
        trained = {id(variable) for variable in self._model.trainable_variables}
        for path in own_test.weights.names():
            variable = own_test.variable_at(self._model, path)
            zeros = np.broadcast_to(np.zeros((), variable.dtype.as_numpy_dtype), variable.shape)
            is_trained = id(own_test.weights.attribute(self._model, path)) in trained
            likely[f"{'gradient' if is_trained else 'after'} {path}"] = zeros
        return likely

    def measure(self, folder: str, with_steps: bool) -> tuple[dict[str, float], dict[str, float]]:
        """Returns the differences of a package as its tests measure them: of its model, and of training steps."""
        self._open(folder)
        own_test = self._own_test()
        if self._model is None:
            self._model = own_test.load()
        measured = own_test.differences(self._model, self._computed)
        steps = importlib.import_module(f"{Path(folder).name}.test_train").step_differences() if with_steps else {}
        return measured, steps

    def _computed(self, expected: dict[str, Any], model: Any) -> dict[str, Any]:
        """Returns what the model computes on an example, as `test_model.computed`: once, if that is known already."""
        early, self._early = self._early, {}
        wanted = [name for name in expected if not name.startswith(("in ", "rounding "))]
        inputs = {name: array for name, array in expected.items() if name.startswith("in ")}
        if early.keys() >= {*wanted, *inputs} and all(_is_same(array, early[name]) for name, array in inputs.items()):
            return {name: early[name] for name in wanted}
        computed: dict[str, Any] = self._own_test().computed(expected, model)
        return computed

    def _own_test(self) -> Any:
        """Returns the module of the package that compares its model."""
        assert self._folder is not None
        return importlib.import_module(f"{self._folder.name}.test_model")

    def run(self, inputs: str, results: str) -> None:
        """Runs the model on the arrays of one file and writes another: outputs, and gradients if weights are given.

        Args:
            inputs: `in NUMBER` holds an input, `weights NUMBER` what the gradient of an output is multiplied by.
            results: `out NUMBER` holds an output, `gradient NUMBER` that of the weighted outputs by an input.
        """
        with np.load(inputs) as arrays:
            given = {name: tf.convert_to_tensor(array) for name, array in arrays.items()}
        tensors = [given[f"in {number}"] for number in range(len(self._model.legacy_inputs))]
        floating = {number: tensor for number, tensor in enumerate(tensors) if tensor.dtype.is_floating}
        changed = {path: np.array(self._variable(path)) for path in self._changed()}
        weighted = [int(name.partition(" ")[2]) for name in given if name.startswith("weights ")]
        named = dict(zip(self._model.legacy_inputs, tensors, strict=True))
        forms = self._own_test().by_operation(self._model, named) if weighted else contextlib.nullcontext()
        with forms, tf.GradientTape(watch_accessed_variables=False) as tape:
            if weighted:
                tape.watch(list(floating.values()))
            outputs = self._model(*tensors)
        for path, array in changed.items():
            self._variable(path).assign(array)
        outputs = [outputs] if len(self._model.legacy_outputs) == 1 else list(outputs)
        arrays = {f"out {number}": output.numpy() for number, output in enumerate(outputs)}
        if weighted:
            weights = [given[f"weights {number}"] for number in weighted]
            gradients = tape.gradient([outputs[number] for number in weighted], floating, weights)
            arrays |= {
                f"gradient {number}": tf.convert_to_tensor(gradient).numpy()
                for number, gradient in gradients.items()
                if gradient is not None
            }
        np.savez(results, **arrays)

    def _changed(self) -> list[str]:
        """Returns the paths of the variables that a call of the model changes."""
        assert self._folder is not None
        with np.load(self._folder / "recorded.npz") as recorded:
            return recorded["changed"].tolist() if "changed" in recorded else []

    def _variable(self, path: str) -> Any:
        assert self._folder is not None
        weights: Any = importlib.import_module(f"{self._folder.name}.weights")
        return weights.attribute(self._model, path)

    def _open(self, folder: str) -> None:
        """Forgets the package before, unless it is this one."""
        path = Path(folder)
        if path == self._folder:
            return
        if self._folder is not None:
            sys.path.remove(str(self._folder.parent))
            for module in [name for name in sys.modules if name.partition(".")[0] == self._folder.name]:
                del sys.modules[module]
        self._folder, self._model, self._early = path, None, {}
        gc.collect()
        sys.path.insert(0, str(path.parent))
        importlib.invalidate_caches()


def _is_same(array: Any, other: Any) -> bool:
    return bool(array.dtype == other.dtype and array.shape == other.shape and array.tobytes() == other.tobytes())


def main() -> None:
    """Answers requests until there are no more."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what a package prints is no answer
    package = _Package()
    for line in sys.stdin:
        request, arguments = json.loads(line)
        try:
            answer = {"result": getattr(package, request)(**arguments)}
        except Exception as error:  # of whatever kind the code of a package raises
            answer = {"error": traceback.format_exception_only(error)[-1].strip()}
        if request not in _WITHOUT_ANSWER:
            print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
