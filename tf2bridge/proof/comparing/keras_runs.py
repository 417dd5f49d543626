"""Runs a Keras model as a side of a comparison."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tf2bridge.checkpoint.planning.verifying import inputs_of
from tf2bridge.proof.comparing.sides import Port
from tf2bridge.proof.numbers.pieces import Array


class KerasRunner:
    """Runs a functional or sequential model of Keras as in inference."""

    def __init__(self, model: Any) -> None:
        self._model = model
        self._layers: dict[str, Any] = {}
        self._parts: dict[tuple[str, ...], Any] = {}

    @property
    def inputs(self) -> list[Port]:
        """In the model's order, whole numbers below the sizes of its embeddings."""
        return [Port(target.name, target.dtype, target.shape, limit=target.limit) for target in inputs_of(self._model)]

    @property
    def outputs(self) -> list[Port]:
        """By the names of the layers that give them."""
        functional = getattr(self._model, "_functional", None) or self._model  # a Sequential has no `output_names`
        names = _numbered([str(name) for name in functional.output_names])
        return [_port(name, output) for name, output in zip(names, self._model.outputs, strict=True)]

    def every(self, fed: Sequence[str]) -> list[Port]:  # noqa: ARG002 (all inputs are fed)
        """Returns the result of each layer that has one, in the model's order."""
        by_layer = {}
        for layer in self._model.layers:
            results = layer.output if _called_once(layer) else None
            if results is not None and not isinstance(results, (list, tuple, dict)):
                by_layer[layer.name] = results
        self._layers = by_layer
        return [_port(name, result) for name, result in by_layer.items()]

    def find(self, name: str) -> str | None:
        """Returns None: a model does not know the names of a graph."""
        known = [port.name for port in (*self.inputs, *self.outputs)]
        plain = name.removesuffix(":0")
        return plain if plain in known else None

    def run(self, feeds: Mapping[str, Array], names: Sequence[str]) -> dict[str, Array]:
        """Returns name -> value, of outputs or layers."""
        return {name: np.asarray(tensor) for name, tensor in self.tensors(feeds, names).items()}

    def tensors(self, feeds: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
        """Returns name -> tensor, of outputs or layers."""
        given = [feeds[port.name] for port in self.inputs]
        results = self._part(tuple(names))(given, training=False)
        results = results if isinstance(results, (list, tuple)) else [results]
        return dict(zip(names, results, strict=True))

    def _part(self, names: tuple[str, ...]) -> Any:
        """Returns the part of the model that computes these outputs or layers."""
        import keras

        if names not in self._parts:
            tensors = {
                **self._layers,
                **{port.name: output for port, output in zip(self.outputs, self._model.outputs, strict=True)},
            }
            self._parts[names] = keras.Model(self._model.inputs, [tensors[name] for name in names])
        return self._parts[names]


def _port(name: str, tensor: Any) -> Port:
    return Port(name, str(getattr(tensor.dtype, "name", tensor.dtype)), tuple(tensor.shape))


def _called_once(layer: Any) -> bool:
    return len(getattr(layer, "_inbound_nodes", ())) == 1


def _numbered(names: Sequence[str]) -> list[str]:
    """Returns the names; repeated names get #2, #3."""
    return [
        name if names[:at].count(name) == 0 else f"{name}#{names[:at].count(name) + 1}" for at, name in enumerate(names)
    ]
