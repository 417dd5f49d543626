"""A training step with the optimizer and the loss of Keras, in place of those that a graph spells out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from codemods.native.choices import Choice
from tf2bridge.decompile.idiomatic.clipping import NoCounterpartError
from tf2bridge.decompile.idiomatic.loss import Loss, loss_of
from tf2bridge.decompile.idiomatic.optimizer import Optimizer, optimizer_of
from tf2bridge.decompile.idiomatic.train_text import Ends, train_text
from tf2bridge.decompile.ir import Function, Spec
from tf2bridge.decompile.model_text import Written, spec_text
from tf2bridge.decompile.of_module import function_of_module, variables_of
from tf2bridge.decompile.package import Training
from tf2bridge.decompile.training.parts import Parts
from tf2bridge.decompile.training.step import Step
from tf2bridge.decompile.training.train_text import not_trainable, prepared, trained_variables
from tf2bridge.formats.graphs.interface import Interface
from tf2bridge.formats.graphs.nodes import by_name, data_inputs, endpoint, needed, node_of
from tf2bridge.graph.graph_module import GraphModule

STEPS = (1, 10)
"""After how many steps variables are compared."""
LARGEST_AFTER_ONE_STEP = 1e-2
"""The largest difference after the first step, as a part of the move, with which a choice is taken.

What Keras does in another way acts later. A larger difference would be an error.
"""
NOT_MEASURED = "not measured: the step is random"


@dataclass(frozen=True)
class KerasStep(Step):
    """A training step of Keras. Its model has no labels among its inputs if Keras has the loss.

    Attributes:
        exact: The step that it stands for.
        optimizer: The optimizer.
        schedules: The learning rates that are functions of the step.
        loss: The loss of Keras; None if the model gives the loss.
        exact_differences: Variable after a training step -> its largest difference with the exact step.
    """

    exact: Step = field(kw_only=True)
    optimizer: Optimizer = field(kw_only=True)
    schedules: Mapping[str, Function] = field(kw_only=True)
    loss: Loss | None = field(kw_only=True)
    exact_differences: Mapping[str, float] = field(default_factory=dict, kw_only=True)

    @property
    def further(self) -> Mapping[str, Any]:
        """As of `Step`; and the labels."""
        labels = {} if self.loss is None else {self.loss.labels: self.exact.parts.forward.inputs[self.loss.labels]}
        return {**labels, **super().further}

    @property
    def recorded_parts(self) -> Parts:
        """The exact step."""
        return self.exact.parts

    def training(self, model: Written, arrays: Mapping[str, Any], feeds: Mapping[str, Any]) -> Training:
        """As of `Step`. Raises NoCounterpartError if the model cannot be trained by Keras."""
        if model.contents.python_functions:
            raise NoCounterpartError("the model calls Python functions")
        specs = {name: Spec(spec.dtype, _shape(spec)) for name, spec in self.further.items()}
        inputs = {name: spec_text(spec) for name, spec in {**model.inputs, **specs}.items()}
        text = train_text(
            model,
            self.optimizer,
            self.loss,
            self.schedules,
            Ends(inputs, self._losses(), self._predictions()),
            {name: variable.numpy() for name, variable in variables_of(self.module).items()},
            f"The training of {self.parts.train_op} with the optimizer of Keras.",
        )
        self.record(arrays, feeds)
        paths = {f"model.{path}": weight for path, weight in model.contents.names.items()}
        recorded = self._recordings[0].arrays(paths)
        if recorded is not None:
            recorded |= {"of moves": True, **self._recordings[0].losses}
        return Training(text.source, text.contents, recorded, ("compiled.py",))

    def limits(self, differences: Mapping[str, float]) -> dict[str, float]:
        """Returns the largest difference that is allowed of each array."""
        return {name: LARGEST_AFTER_ONE_STEP if name.split(" ")[1] == "1" else float("inf") for name in differences}

    def measured(self, differences: Mapping[str, float]) -> tuple[Choice, ...]:
        """Returns the choices with what they change, beside what the exact step changes."""
        return tuple(
            replace(choice, figures=self._figures(choice.part, differences)) if choice.keras else choice
            for choice in self.choices
        )

    def _figures(self, part: str, differences: Mapping[str, float]) -> dict[str, tuple[float, float]]:
        figures = {}
        for number in STEPS:
            kind, start = ("loss", "loss") if part == "loss" else ("variables", "step")
            own, exact = (_largest(side, f"{start} {number}") for side in (differences, self.exact_differences))
            if differences:
                figures[f"{kind}, step {number}"] = (own, exact)
        return figures

    def _losses(self) -> list[int]:
        names = list(self.parts.forward.ends.outputs.values())
        if self.loss is None:
            return list(self.parts.losses[0])
        return [names.index(source) for source in self.loss.penalties]

    def _predictions(self) -> int:
        names = list(self.parts.forward.ends.outputs.values())
        return 0 if self.loss is None else names.index(self.loss.predictions)


def keras_step(step: Step) -> tuple[KerasStep | None, tuple[Choice, ...]]:
    """Returns the step with what Keras has for it, or None; and the choices with the reasons."""
    try:
        if len(step.parts.losses) != 1:
            raise NoCounterpartError("it has several losses, and compile takes one optimizer")
        order = {name: place for place, name in enumerate(variables_of(step.module))}
        (trained,) = trained_variables(step.parts, order)
        if names := not_trainable(step.parts, trained):
            why = f"{names[0]} is trained, though the graph does not count it among the trainable variables"
            raise NoCounterpartError(why)
        function = function_of_module(step.parts.update)
        schedules = prepared(step.parts, function, order)
        optimizer = optimizer_of(function, schedules, trained)
    except NoCounterpartError as error:
        return None, (Choice("optimizer", "", str(error)), Choice("loss", "", "the training step stays as it is"))
    counterpart = optimizer.counterpart
    differs = counterpart.first and f"{counterpart.first}; here they go on from those of the graph"
    of_optimizer = Choice("optimizer", f"keras.optimizers.{counterpart.kind}", counterpart.differs or differs)
    forward, loss = step.parts.forward, None
    try:
        (place, *others) = step.parts.losses[0]
        if others:
            raise NoCounterpartError("it is a sum of several outputs")
        loss = loss_of(forward, place, step.updated)
        forward, dropped = _without_labels(forward, loss)
        differs = f"outputs that need labels are not in the package: {', '.join(dropped)}" if dropped else ""
        of_loss = Choice("loss", loss.expression.partition("(")[0], differs)
    except NoCounterpartError as error:
        of_loss = Choice("loss", "", str(error))
    parts = replace(step.parts, forward=forward)
    choices = (of_optimizer, of_loss)
    made = KerasStep(
        step.module, parts, choices, STEPS, exact=step, optimizer=optimizer, schedules=schedules, loss=loss
    )
    return made, choices


def stays(choices: tuple[Choice, ...], why: str) -> tuple[Choice, ...]:
    """Returns choices of which nothing is taken, for a reason."""
    return tuple(Choice(choice.part, "", why if choice.keras else choice.why) for choice in choices)


def _without_labels(forward: GraphModule, loss: Loss) -> tuple[GraphModule, list[str]]:
    """Returns the module that computes predictions and penalties without labels, and the outputs that it lacks."""
    nodes = by_name(forward.graph.graph_def.node)
    labels = endpoint(forward.ends.inputs[loss.labels])
    fed = set(map(node_of, forward.ends.inputs.values()))
    outputs, dropped = {}, []
    for name, source in forward.ends.outputs.items():
        behind = (nodes[part] for part in needed(nodes, [node_of(source)], fed))
        if any(labels in map(endpoint, data_inputs(node)) for node in behind):
            if ":" not in source:
                raise NoCounterpartError("an update of the model needs the labels")
            dropped.append(name)
        else:
            outputs[name] = source
    added = [source for source in (loss.predictions, *loss.penalties) if source not in outputs.values()]
    tensors = {name: source for name, source in outputs.items() if ":" in source}
    tensors |= {source.removesuffix(":0"): source for source in added}
    inputs = {name: source for name, source in forward.ends.inputs.items() if name != loss.labels}
    others = {name: source for name, source in outputs.items() if ":" not in source}
    ends = Interface(inputs, {**tensors, **others}, "training", forward.ends.names)
    return forward.with_graph(forward.graph, ends), dropped


def _largest(differences: Mapping[str, float], start: str) -> float:
    return max((size for name, size in differences.items() if f"{name} ".startswith(f"{start} ")), default=0.0)


def _shape(spec: Any) -> tuple[int | None, ...] | None:
    return None if spec.shape.rank is None else tuple(spec.shape)
