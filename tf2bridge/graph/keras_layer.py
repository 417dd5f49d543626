"""A live module as a Keras 3 layer whose weights train."""

from __future__ import annotations

from typing import Any

import keras

from tf2bridge.graph.module_protocol import LiveModule


class GraphLayer(keras.layers.Layer):  # type: ignore[misc]  # Keras is untyped
    """Calls a GraphModule on its only input, or on a dict of its inputs. The weights are the module's variables.

    Keras's argument `training` has no effect: feed the graph's own switch (`is_training`) if it has one.
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
        """Returns the outputs of the module."""
        return self._module(inputs)

    def compute_output_spec(self, inputs: Any) -> Any:
        """Returns the shapes and dtypes of the outputs. An unknown batch size is that of the inputs."""
        specs = self._module.outputs
        batch = next(iter(inputs.values())).shape[0] if isinstance(inputs, dict) else inputs.shape[0]
        tensors = {name: keras.KerasTensor(_shape(spec, batch), spec.dtype.name) for name, spec in specs.items()}
        return next(iter(tensors.values())) if len(tensors) == 1 else tensors


def _shape(spec: Any, batch: int | None) -> tuple[int | None, ...]:
    sizes = spec.shape.as_list() if spec.shape.rank is not None else [None]
    return (batch, *sizes[1:]) if sizes and sizes[0] is None else tuple(sizes)
