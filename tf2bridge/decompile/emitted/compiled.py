"""A model that `compile` and `fit` of Keras train."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import keras


class Compiled(keras.Model):  # type: ignore[misc]  # Keras is untyped
    """The model of the package, with one output for the loss of `compile`, and further losses that it adds itself."""

    def __init__(self, model: Any, trained: Sequence[Any], predictions: int, losses: Sequence[int] = ()) -> None:
        """Takes the model.

        Args:
            model: The model of the package.
            trained: The variables that training changes.
            predictions: The number of the output that the loss of `compile` takes.
            losses: The numbers of the outputs that are losses, such as penalties on weights.
        """
        super().__init__(autocast=False)
        self.model = model
        # No tf.function: it gives outputs that are no loss the gradient 0, and 0 times infinity is no number.
        self.traced = getattr(model.call, "python_function", model.call)
        self.predictions = predictions
        self.added = list(losses)
        for variable in model.trainable_variables:
            variable.trainable = any(variable is other for other in trained)
        self.built = True

    def call(self, inputs: Any) -> Any:
        """Returns the output that the loss takes."""
        outputs = self.traced(*keras.tree.flatten(inputs))
        outputs = outputs if isinstance(outputs, list | tuple) else [outputs]
        for number in self.added:
            self.add_loss(outputs[number])
        return outputs[self.predictions]


def slots(optimizer: Any, name: str) -> list[Any]:
    """Returns the slots of an optimizer of one kind, such as "momentum", in the order of its trained variables."""
    return [variable for variable in optimizer.variables if variable.name.endswith(f"_{name}")]
