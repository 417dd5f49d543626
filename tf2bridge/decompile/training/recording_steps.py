"""What the old graph's variables are after training steps: the figures that a written trainer is held against."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.decompile.emitted.weights import transformed
from tf2bridge.decompile.idioms.layer import Weight
from tf2bridge.decompile.of_module import variables_of
from tf2bridge.decompile.recording import equal, rounded
from tf2bridge.decompile.training.parts import Parts
from tf2bridge.graph.graph_module import GraphModule

_SEED = 5
_ROUNDED_RUNS = 1, 3, 6
"""How many runs from rounded values are made: more where fewer do not explain a difference."""

State = Mapping[str, Any]
"""The old name of each variable -> its value."""


class StepRecording:
    """The variables of a module after some training steps, once for all packages that are tried."""

    def __init__(self, module: GraphModule, parts: Parts, inputs: Mapping[str, Any], numbers: Sequence[int]) -> None:
        """Takes the steps several times.

        Args:
            module: The loaded module. Its variables have afterwards the values that they had before.
            parts: Its training step.
            inputs: An array for each input of a step.
            numbers: After how many steps the variables are recorded.

        Raises:
            ValueError: Variables become numbers that are not finite: nothing could be compared.
        """
        self._numbers = numbers
        self._inputs = inputs
        variables = variables_of(module)
        self._start = {name: variable.numpy() for name, variable in variables.items()}
        sources = {**parts.forward.ends.inputs, **parts.update.ends.inputs}
        outputs = list(parts.forward.ends.outputs.values())
        ends = [outputs[number] for numbers_of_loss in parts.losses for number in numbers_of_loss]
        step = module.function([sources[name] for name in inputs], [*ends, parts.train_op])
        tensors = [tf.convert_to_tensor(array) for array in inputs.values()]

        def run(first: State) -> list[State]:
            states: list[State] = []
            for name, variable in variables.items():
                variable.assign(first[name])
            try:
                for _ in range(max(numbers)):
                    losses.append(_sum_of(step(*tensors), len(ends)))
                    states.append({name: variable.numpy() for name, variable in variables.items()})
            finally:
                for name, variable in variables.items():
                    variable.assign(self._start[name])
            return states

        losses: list[Any] = []
        self._run = run
        self._states = run(self._start)
        if name := next(
            (name for name in self._start if not _stays_finite(self._start[name], self._states[-1][name])), ""
        ):
            raise ValueError(f"the training step makes numbers of {name} that are not finite")
        again = run(self._start)
        self._rounded_runs = [run(_rounded(self._start, 0))]
        self.losses = {f"loss {number}": losses[number - 1] for number in numbers}
        self.is_random = not all(_are_equal(one, other) for one, other in zip(self._states, again, strict=True))

    def arrays(self, paths: Mapping[str, Weight]) -> dict[str, Any] | None:
        """Returns the arrays of `recorded_training.npz`, or None if steps are random.

        `emitted/test_train.py` explains them.

        Args:
            paths: The path from the written trainer of each variable -> the old variables that it holds.
        """
        if self.is_random:
            return None
        start, states = self._start, self._states
        arrays: dict[str, Any] = {f"in {name}": array for name, array in self._inputs.items()}
        for path, weight in paths.items():
            if not set(weight.variables) <= states[-1].keys() or not _is_number(start[weight.variables[0]]):
                continue
            arrays[f"start {path}"] = _held(start, weight)
            for number in self._numbers:
                array = _held(states[number - 1], weight)
                arrays[f"step {number} {path}"] = array
                others = (_held(run[number - 1], weight) for run in self._rounded_runs)
                arrays[f"rounding {number} {path}"] = max(_spread(array, other) for other in others)
        return arrays

    def round_more(self) -> bool:
        """Takes the steps from more rounded values. Returns False if it has done so often enough.

        Adam moves a weight of almost no gradient up or down, as rounding has it: one run may not show that.
        """
        runs = next((runs for runs in _ROUNDED_RUNS if runs > len(self._rounded_runs)), 0)
        for seed in range(len(self._rounded_runs), runs):
            self._rounded_runs.append(self._run(_rounded(self._start, seed)))
        return runs > 0


def _sum_of(results: Any, count: int) -> Any:
    """Returns the sum of the first results of a step, which are losses."""
    first = results[:count] if isinstance(results, list | tuple) else [results]
    return np.float64(sum(float(np.sum(loss)) for loss in first))


def _held(state: State, weight: Weight) -> Any:
    return transformed([state[name] for name in weight.variables], weight.transform)


def _are_equal(state: State, other: State) -> bool:
    return all(equal(array, other[name]) for name, array in state.items())


def _stays_finite(before: Any, after: Any) -> bool:
    return before.dtype.kind != "f" or bool((np.isfinite(after) | ~np.isfinite(before)).all())


def _is_number(array: Any) -> bool:
    return bool(array.dtype.kind in "iufb")


def _rounded(state: State, number: int) -> State:
    """Returns values that are one unit in the last place off, up or down: others for each number."""
    random = np.random.default_rng(_SEED + number)
    return {name: rounded(array, random) for name, array in state.items()}


def _spread(array: Any, other: Any) -> Any:
    """Returns the largest difference of two arrays, at least one unit in the last place of the largest number."""
    if array.dtype.kind != "f":
        return np.float64(0)
    finite = np.isfinite(array) & np.isfinite(other)
    difference = float(np.max(np.abs(array.astype(np.float64) - other)[finite], initial=0.0))
    return np.float64(max(difference, float(np.spacing(np.max(np.abs(array[finite]), initial=0)))))
