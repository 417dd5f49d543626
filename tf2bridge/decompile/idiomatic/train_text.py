"""The text of `train.py` with an optimizer of Keras, and what the file of its slots holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tf2bridge.decompile.emitted.weights import transformed
from tf2bridge.decompile.idiomatic.clipping import NoCounterpartError
from tf2bridge.decompile.idiomatic.loss import Loss
from tf2bridge.decompile.idiomatic.optimizer import Optimizer
from tf2bridge.decompile.idioms.layer import Weight
from tf2bridge.decompile.ir import Function
from tf2bridge.decompile.lines import INDENT, as_line, docstring, indented, within_columns
from tf2bridge.decompile.model_attributes import Contents, as_code
from tf2bridge.decompile.model_text import Written
from tf2bridge.decompile.names import Names
from tf2bridge.decompile.training.train_text import TrainText, schedule_lines
from tf2bridge.decompile.training.trainer_attributes import TrainerAttributes

_SCHEDULE = """
class LearningRate(keras.optimizers.schedules.LearningRateSchedule):
    def __call__(self, step):
        return {name}(step)

    def get_config(self):
        return {{}}

"""
_NEGATED = '''
    def _negate(self):
        """Turns the momentum of TensorFlow 1.x into that of Keras: minus the learning rate times it."""
        for momentum in self.momentum:
            momentum.assign(-self.optimizer.learning_rate * momentum)
'''


@dataclass(frozen=True)
class Ends:
    """The inputs and outputs of a training step.

    Attributes:
        inputs: The inputs of the step -> the text of the type and shape of each: those of the model, labels, a rate.
        losses: The numbers of the outputs of the model that are losses.
        predictions: The number of the output that the loss of Keras takes.
    """

    inputs: Mapping[str, str]
    losses: Sequence[int]
    predictions: int


def train_text(
    model: Written,
    optimizer: Optimizer,
    loss: Loss | None,
    schedules: Mapping[str, Function],
    ends: Ends,
    values: Mapping[str, Any],
    about: str,
) -> TrainText:
    """Returns the source of a training step.

    Args:
        model: The source of the model.
        optimizer: The optimizer.
        loss: The loss of Keras; None if the model gives the loss.
        schedules: The learning rates that are functions of the step.
        ends: The inputs and outputs of the step.
        values: The old name of each variable -> its value.
        about: What stands in the docstring of the file.

    Raises:
        NoCounterpartError: The model holds the trained variables in a form that Keras does not train.
    """
    attributes = {weight.variables[0]: path for path, weight in model.contents.names.items() if weight.is_a_variable}
    if not model.in_keras or (missing := [name for name in optimizer.trained if name not in attributes]):
        why = "it has no layers" if not model.in_keras else f"{missing[0]} is no variable of its own"
        raise NoCounterpartError(f"the variables of the model are not those of Keras: {why}")
    names = Names()
    for name in schedules:
        names.new(name)
    arguments = {name: names.new(name) for name in ends.inputs}
    called = ", ".join(arguments[name] for name in model.inputs)
    labels = arguments[loss.labels] if loss else None
    has_rate = optimizer.rate in ends.inputs
    contents = _contents(optimizer, values)
    kind = optimizer.counterpart.kind
    rate = "LearningRate()" if optimizer.rate in schedules else ""
    made = ", ".join(filter(None, [rate, optimizer.expression]))
    compiled = ["self.optimizer", *([loss.expression] if loss else [])]
    further = [str(ends.predictions), *([f"losses={list(ends.losses)}"] if ends.losses else [])]
    body = [
        "self.model = model",
        f"self.trained = [{', '.join('self.model' + as_code(attributes[name]) for name in optimizer.trained)}]",
        f"self.optimizer = keras.optimizers.{kind}({made})",
        "self.optimizer.build(self.trained)",
        *(f'self.{ending} = slots(self.optimizer, "{ending}")' for ending in optimizer.slots),
        f"self.compiled = Compiled(model, self.trained, {', '.join(further)})",
        f"self.compiled.compile({', '.join(compiled)}, jit_compile=False)",
    ]
    step = [
        *([f"self.optimizer.learning_rate.assign({arguments[str(optimizer.rate)]})"] if has_rate else []),
        "self.compiled.reset_metrics()",
        f"return self.compiled.train_on_batch([{called}]{f', {labels}' if labels else ''})",
    ]
    negate = ["trainer._negate()"] if optimizer.counterpart.negated and optimizer.slots else []
    negate = [] if "momentum" not in optimizer.arguments else negate
    store = TrainerAttributes(values, model.contents.names, model.in_keras)
    lines = [
        docstring(about),
        "",
        "import keras",
        "import tensorflow as tf",
        "",
        "from . import weights",
        "from .compiled import Compiled, slots" if optimizer.slots else "from .compiled import Compiled",
        "from .model import Model",
        "",
        "",
        *(line for name, schedule in schedules.items() for line in schedule_lines(name, schedule, store)),
        *([*_SCHEDULE.format(name=optimizer.rate).splitlines()[1:], ""] if rate else []),
        "class Trainer:",
        f"    legacy_inputs = {{{', '.join(f'{name!r}: {spec}' for name, spec in ends.inputs.items())}}}",
        "",
        "    def __init__(self, model):",
        *(INDENT * 2 + line for line in body),
        "",
        "    @classmethod",
        "    def load(cls):",
        "        trainer = cls(Model.load())",
        '        weights.fill_variables(trainer, "training.safetensors")',
        *indented(negate, 2),
        "        return trainer",
        "",
        "    @classmethod",
        "    def from_checkpoint(cls, checkpoint):",
        "        trainer = cls(Model.from_checkpoint(checkpoint))",
        '        weights.restore(trainer, checkpoint, "training.toml")',
        *indented(negate, 2),
        "        return trainer",
        "",
        "    def fitted(self):",
        "        return self.compiled",
        "",
        f"    def train_step(self{''.join(f', {name}' for name in arguments.values())}):",
        *indented([as_line(line) for line in step], 2),
        *(_NEGATED.splitlines() if negate else []),
    ]
    source = "\n".join(shorter for line in lines for shorter in within_columns(line)) + "\n"
    return TrainText(source, contents, tuple(ends.inputs))


def _contents(optimizer: Optimizer, values: Mapping[str, Any]) -> Contents:
    """Returns the slots, and the number of steps taken."""
    contents = Contents()
    for ending, slots in optimizer.slots.items():
        for place, old in enumerate(slots):
            _hold(contents, f"{ending}.{place}", Weight((old,)), values)
    if optimizer.counter is not None:
        _hold(contents, "optimizer.iterations", Weight((optimizer.counter,)), values)
    elif optimizer.power is not None:
        old, base = optimizer.power
        _hold(contents, "optimizer.iterations", Weight((old,), f"steps {base}"), values)
    return contents


def _hold(contents: Contents, path: str, weight: Weight, values: Mapping[str, Any]) -> None:
    contents.weights[path] = np.asarray(transformed([values[name] for name in weight.variables], weight.transform))
    contents.names[path] = weight
