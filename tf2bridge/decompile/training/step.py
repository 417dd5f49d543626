"""The training step of a module: its source, and what it computes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tf2bridge.decompile.examples import inputs_of
from tf2bridge.decompile.idioms.raising import Place
from tf2bridge.decompile.ir import Kind, all_nodes
from tf2bridge.decompile.model_text import Written
from tf2bridge.decompile.of_module import function_of_module, variables_of
from tf2bridge.decompile.package import Training
from tf2bridge.decompile.training.parts import Parts, parts_of
from tf2bridge.decompile.training.recording_steps import StepRecording
from tf2bridge.decompile.training.train_text import TrainText, train_text
from tf2bridge.graph.graph_module import GraphModule

MakeText = Callable[[frozenset[Place] | None], Written]
"""Writes the model, with rules applied at the given places alone; None for all."""


@dataclass(frozen=True)
class Step:
    """A training step.

    Attributes:
        module: The graph.
        parts: Its forward pass and its updates.
    """

    module: GraphModule
    parts: Parts
    _recordings: list[StepRecording] = field(default_factory=list)

    @classmethod
    def of(cls, module: GraphModule, train_op: str | None) -> Step:
        """Returns the step of a train op. Raises as `parts_of`."""
        return cls(module, parts_of(module, train_op))

    @property
    def further(self) -> Mapping[str, Any]:
        """The inputs of a step that the model does not have, such as a learning rate -> the `tf.TensorSpec` of each."""
        return {name: self.parts.update.inputs[name] for name in self.parts.further}

    def model(self, make: MakeText, only: frozenset[Place] | None) -> Written:
        """Returns the text of a model whose layers hold the variables that the step updates, and none in parts."""
        function = function_of_module(self.parts.update)
        updated = {node.attributes["variable"] for node in all_nodes(function) if node.op == Kind.VARIABLE}
        text = make(only)
        while split := _in_parts(text, updated):
            only = frozenset(place for place in text.places if place not in split)
            text = make(only)
        return text

    def training(self, model: Written, arrays: Mapping[str, Any], feeds: Mapping[str, Any]) -> Training:
        """Returns the files of the package that belong to the step.

        Args:
            model: The source of the forward pass.
            arrays: An array for each input of the model.
            feeds: The arrays that were given, by the names of inputs.
        """
        text = self._text(model)
        further = inputs_of(self.further, feeds)
        paths = {f"model.{path}": weight for path, weight in model.contents.names.items()}
        if not self._recordings:
            self._recordings.append(StepRecording(self.module, self.parts, {**arrays, **further}))
        recorded = self._recordings[0].arrays({**paths, **text.contents.names})
        return Training(text.source, text.contents, recorded)

    def _text(self, model: Written) -> TrainText:
        values = {name: variable.numpy() for name, variable in variables_of(self.module).items()}
        about = f"The training step of {self.parts.train_op} as TensorFlow 2 code."
        return train_text(self.parts, function_of_module(self.parts.update), model, values, about)


def _in_parts(text: Written, updated: set[str]) -> set[Place]:
    """Returns the places whose layers hold updated variables in parts, or made of several."""
    split: set[Place] = set()
    for weight in text.contents.names.values():
        if not weight.is_a_variable:
            split |= {text.owners[name] for name in updated & set(weight.variables)}
    return split
