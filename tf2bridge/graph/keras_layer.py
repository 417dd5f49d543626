"""A live module as a Keras 3 layer whose weights train."""

from __future__ import annotations

from typing import Any

import keras

from tf2bridge.graph.module_protocol import LiveModule


class GraphLayer(keras.layers.Layer):  # type: ignore[misc]  # Keras is untyped
    """Calls a GraphModule on its one input, or on a dict of its inputs; its weights are the module's own variables.

    The legacy graph decides what training changes: feed its own switch (`is_training`) where it has one.
    """

    def __init__(self, module: LiveModule, **options: Any) -> None:
        super().__init__(**options)
        self._module = module
        for variable in module.variables:
            self._track_variable(
                keras.Variable(
                    initializer=variable,
                    trainable=variable.trainable,
                    dtype=variable.dtype.name,
                    name=variable.name.partition(":")[0].replace("/", "_"),
                )
            )
        self.built = True

    def call(self, inputs: Any) -> Any:
        """Returns what the module does."""
        return self._module(inputs)

    def compute_output_spec(self, inputs: Any) -> Any:
        """Shapes and dtypes of the outputs, with the batch size of the inputs where the graph leaves it open."""
        specs = self._module.outputs
        batch = next(iter(inputs.values())).shape[0] if isinstance(inputs, dict) else inputs.shape[0]
        found = {name: keras.KerasTensor(_shape(spec, batch), spec.dtype.name) for name, spec in specs.items()}
        return next(iter(found.values())) if len(found) == 1 else found


def _shape(spec: Any, batch: int | None) -> tuple[int | None, ...]:
    sizes = spec.shape.as_list() if spec.shape.rank is not None else [None]
    return (batch, *sizes[1:]) if sizes and sizes[0] is None else tuple(sizes)
