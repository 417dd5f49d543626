"""`fit` of Keras with the training step of the old graph."""

from __future__ import annotations

from typing import Any

import keras


class Fitted(keras.Model):  # type: ignore[misc]  # Keras is untyped
    """A model whose `fit` takes a training step for each batch. A batch has what `train_step` takes, in its order:
    `fit(images, labels)`, or `fit([images, sizes], labels)`.

    The optimizer and the loss are those of the old graph: `fit` gives the same numbers as calls of `train_step`.
    """

    def __init__(self, trainer: Any, losses: int = 1) -> None:
        """Takes steps of a trainer, which has this number of losses."""
        super().__init__(autocast=False)
        self.trainer = trainer
        self.model = trainer.model
        self.means = [
            keras.metrics.Mean(name=f"loss_{place}" if place > 1 else "loss") for place in range(1, losses + 1)
        ]
        self.built = True
        self.compile(optimizer=None, jit_compile=False)

    @property
    def metrics(self) -> list[Any]:
        """The mean of each loss over the batches of an epoch."""
        return self.means

    def call(self, *inputs: Any) -> Any:
        """Returns what the model of the trainer returns."""
        return self.model(*inputs)

    def train_step(self, data: Any) -> dict[str, Any]:
        """Takes a step. Returns the means, which `fit` shows."""
        losses = self.trainer.train_step(*keras.tree.flatten(data))
        for mean, loss in zip(self.means, losses if isinstance(losses, list) else [losses], strict=True):
            mean.update_state(loss)
        return {mean.name: mean.result() for mean in self.means}
