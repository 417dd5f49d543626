"""Runs a function of TensorFlow 2 with a known signature, of a SavedModel or a module, as a side of a comparison."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.proof.comparing.sides import Port
from tf2bridge.proof.numbers.pieces import Array


class FunctionRunner:
    """Runs a ConcreteFunction."""

    def __init__(self, concrete: Any) -> None:
        self._concrete = concrete
        positional, named = concrete.structured_input_signature
        given = [spec for spec in tf.nest.flatten(positional) if isinstance(spec, tf.TensorSpec)]
        self._positional = [spec.name or f"input_{place}" for place, spec in enumerate(given)]
        self._specs = dict(zip(self._positional, given, strict=True)) | dict(named)

    @property
    def inputs(self) -> list[Port]:
        """In the order of its arguments."""
        return [_port(name, spec) for name, spec in self._specs.items()]

    @property
    def outputs(self) -> list[Port]:
        """By the keys of its result, or output_0 and so on."""
        return [_port(name, spec) for name, spec in _named(self._concrete.structured_outputs).items()]

    def every(self, fed: Sequence[str]) -> list[Port]:  # noqa: ARG002 (all inputs are fed)
        """Its outputs: what lies between has no names that were given."""
        return self.outputs

    def find(self, name: str) -> str | None:
        """Returns an input or output of this name."""
        plain = name.removesuffix(":0")
        return plain if plain in {port.name for port in (*self.inputs, *self.outputs)} else None

    def run(self, feeds: Mapping[str, Array], names: Sequence[str]) -> dict[str, Array]:
        """Returns name -> value, of outputs."""
        return {name: np.asarray(tensor) for name, tensor in self.tensors(feeds, names).items()}

    def tensors(self, feeds: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
        """Returns name -> tensor, of outputs."""
        tensors = {name: tf.convert_to_tensor(feeds[name], spec.dtype) for name, spec in self._specs.items()}
        positional = [tensors.pop(name) for name in self._positional]
        results = _named(self._concrete(*positional, **tensors))
        return {name: results[name] for name in names}


def _named(results: Any) -> dict[str, Any]:
    if isinstance(results, Mapping):
        return {str(name): result for name, result in results.items()}
    return {f"output_{place}": result for place, result in enumerate(tf.nest.flatten(results))}


def _port(name: str, spec: Any) -> Port:
    return Port(name, spec.dtype.name, None if spec.shape.rank is None else tuple(spec.shape.as_list()))
