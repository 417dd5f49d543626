"""Functions of tensors as sides that can be run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.graph.example_inputs import made_up
from tf2bridge.proof.comparing.runs import cannot_run
from tf2bridge.proof.comparing.sides import Port, Side
from tf2bridge.proof.numbers.pieces import Array


class FunctionOfTensors:
    """Runs a function as it is written, without a graph.

    Args:
        function: takes tensors, and returns a tensor or a structure of tensors.
        specs: name -> shape and type of its arguments, in their order.
        sample: inputs on which it is run to learn the names of its outputs; made up, if there are none.
    """

    def __init__(
        self, function: Callable[..., Any], specs: Mapping[str, tf.TensorSpec], sample: Mapping[str, Any]
    ) -> None:
        self._function, self._specs, self._sample = function, specs, sample

    @property
    def inputs(self) -> list[Port]:
        """The inputs in the order of the arguments."""
        return [Port(name, spec.dtype.name, _sizes(spec.shape)) for name, spec in self._specs.items()]

    @cached_property
    def outputs(self) -> list[Port]:
        """The outputs for the sample, by the keys of their structure. Raises InputsError if the function fails."""
        feeds = {port.name: made_up(port.dtype, port.shape or (), 0) for port in self.inputs} | dict(self._sample)
        try:
            results = self._results(feeds)
        except Exception as error:  # of whatever kind a user's function raises
            raise cannot_run(_name(self._function), error) from error
        return [Port(name, result.dtype.name, (None,) * len(result.shape)) for name, result in results.items()]

    def every(self, fed: Sequence[str]) -> list[Port]:  # noqa: ARG002 (all inputs are fed)
        """Returns the outputs."""
        return self.outputs

    def find(self, name: str) -> str | None:  # noqa: ARG002 (a function has no tensors within)
        """Returns None, because inner tensors have no names."""
        return None

    def run(self, feeds: Mapping[str, Array], names: Sequence[str]) -> dict[str, Array]:
        """Returns name -> value for outputs."""
        return {name: np.asarray(tensor) for name, tensor in self.tensors(feeds, names).items()}

    def tensors(self, feeds: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
        """Returns name -> tensor for outputs."""
        results = self._results(feeds)
        return {name: results[name] for name in names if name in results}

    def _results(self, feeds: Mapping[str, Any]) -> dict[str, Any]:
        tensors = [tf.convert_to_tensor(feeds[name], spec.dtype) for name, spec in self._specs.items()]
        results = self._function(*tensors)
        if isinstance(results, Mapping):
            return {str(name): tf.convert_to_tensor(result) for name, result in results.items()}
        flat = tf.nest.flatten(results)
        names = [f"output_{place}" for place in range(len(flat))] if isinstance(results, list | tuple) else ["output"]
        return {name: tf.convert_to_tensor(result) for name, result in zip(names, flat, strict=True)}


def side_of_function(
    function: Callable[..., Any], specs: Mapping[str, tf.TensorSpec], sample: Mapping[str, Any]
) -> Side:
    """Returns the side of a function, under its name; the arguments are those of `FunctionOfTensors`."""
    return Side(_name(function), "function", runner=lambda: FunctionOfTensors(function, specs, sample))


def _name(function: Callable[..., Any]) -> str:
    return str(getattr(function, "__name__", type(function).__name__))


def _sizes(shape: Any) -> tuple[int | None, ...] | None:
    return None if shape.rank is None else tuple(shape.as_list())
