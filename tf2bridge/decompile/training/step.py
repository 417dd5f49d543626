"""The training step of a module: its source, and what it computes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from codemods.native.choices import Choice
from tf2bridge.decompile.emitted.test_train import LARGEST_OF_MOVE
from tf2bridge.decompile.examples import inputs_of
from tf2bridge.decompile.ir import Kind, all_nodes
from tf2bridge.decompile.model_text import Written
from tf2bridge.decompile.of_module import function_of_module, variables_of
from tf2bridge.decompile.package import Training
from tf2bridge.decompile.training.parts import Parts, parts_of
from tf2bridge.decompile.training.recording_steps import StepRecording
from tf2bridge.decompile.training.train_text import TrainText, train_text
from tf2bridge.graph.graph_module import GraphModule


@dataclass(frozen=True)
class Step:
    """A training step.

    Attributes:
        module: The graph.
        parts: Its forward pass and its updates.
        choices: What Keras has for its parts, if that was asked for.
        steps: After how many steps variables are compared.
        with_moves: Differences are parts of what variables move alone, as for a step of Keras.
    """

    module: GraphModule
    parts: Parts
    choices: tuple[Choice, ...] = ()
    steps: tuple[int, ...] = (1, 2, 3)
    with_moves: bool = False
    _recordings: list[StepRecording] = field(default_factory=list)

    @classmethod
    def of(cls, module: GraphModule, train_op: str | None) -> Step:
        """Returns the step of a train op. Raises as `parts_of`."""
        return cls(module, parts_of(module, train_op))

    @property
    def further(self) -> Mapping[str, Any]:
        """The inputs of a step that the model does not have, such as a learning rate -> the `tf.TensorSpec` of each."""
        return {name: self.parts.update.inputs[name] for name in self.parts.further}

    @cached_property
    def updated(self) -> frozenset[str]:
        """The old names of the variables that the step updates: no layer of the model may hold a part of one."""
        nodes = all_nodes(function_of_module(self.parts.update))
        return frozenset(node.attributes["variable"] for node in nodes if node.op == Kind.VARIABLE)

    @property
    def recorded_parts(self) -> Parts:
        """The step whose results are recorded."""
        return self.parts

    def record(self, arrays: Mapping[str, Any], feeds: Mapping[str, Any]) -> None:
        """Lets the old graph take the steps, once for all packages that are tried.

        Args:
            arrays: As for `training`.
            feeds: As for `training`.

        Raises:
            tf.errors.OpError, ValueError: These inputs do not suit the step.
        """
        if not self._recordings:
            given = {**arrays, **inputs_of(self.further, feeds)}
            self._recordings.append(StepRecording(self.module, self.recorded_parts, given, self.steps))

    def training(self, model: Written, arrays: Mapping[str, Any], feeds: Mapping[str, Any]) -> Training:
        """Returns the files of the package that belong to the step.

        Args:
            model: The source of the forward pass.
            arrays: An array for each input of the model.
            feeds: The arrays that were given, by the names of inputs.
        """
        text = self._text(model)
        paths = {f"model.{path}": weight for path, weight in model.contents.names.items()}
        self.record(arrays, feeds)
        recorded = self._recordings[0].arrays({**paths, **text.contents.names})
        if recorded is not None and self.with_moves:
            recorded |= {"of moves": True, **self._recordings[0].losses}
        return Training(text.source, text.contents, recorded)

    def rounded_more(self, model: Written, training: Training) -> Mapping[str, Any] | None:
        """Returns what is recorded of a package with the effects of more roundings, or None after enough of them."""
        if training.recorded is None or not self._recordings[0].round_more():
            return None
        paths = {f"model.{path}": weight for path, weight in model.contents.names.items()}
        arrays = self._recordings[0].arrays({**paths, **training.contents.names}) or {}
        return {**training.recorded, **{name: arrays[name] for name in arrays.keys() & training.recorded.keys()}}

    def limits(self, differences: Mapping[str, float]) -> dict[str, float]:
        """Returns the largest difference that is allowed of each array after steps."""
        return dict.fromkeys(differences, LARGEST_OF_MOVE)

    def measured(self, _differences: Mapping[str, float]) -> tuple[Choice, ...]:
        """Returns the choices, with what they change."""
        return self.choices

    def _text(self, model: Written) -> TrainText:
        values = {name: variable.numpy() for name, variable in variables_of(self.module).items()}
        about = f"The training step of {self.parts.train_op} as TensorFlow 2 code."
        return train_text(self.parts, function_of_module(self.parts.update), model, values, about)
