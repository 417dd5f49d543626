"""The text of `train.py`, and what the file of its variables holds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tf2bridge.decompile.blocks import short_name
from tf2bridge.decompile.class_text import spaced
from tf2bridge.decompile.folding import folded
from tf2bridge.decompile.ir import Function, Kind, Node, Value, all_nodes, uses
from tf2bridge.decompile.lines import INDENT, as_line, docstring, indented, within_columns
from tf2bridge.decompile.model_attributes import Contents
from tf2bridge.decompile.model_text import Written, specs_text
from tf2bridge.decompile.names import Names
from tf2bridge.decompile.nesting import nestable
from tf2bridge.decompile.of_module import variables_of
from tf2bridge.decompile.simplify import assigned_variables, simplified
from tf2bridge.decompile.training.gradients import INDICES
from tf2bridge.decompile.training.lanes import EACH, Item, with_loops
from tf2bridge.decompile.training.lists import LIST, with_lists
from tf2bridge.decompile.training.parts import Parts
from tf2bridge.decompile.training.schedule import with_schedules
from tf2bridge.decompile.training.step_block import StepBlock
from tf2bridge.decompile.training.tidied import tidied
from tf2bridge.decompile.training.trainer_attributes import TrainerAttributes, list_name
from tf2bridge.formats.graphs.nodes import by_name, needed, node_of

_PARTIAL = ("Div", "RealDiv", "Log", "Log1p", "Sqrt", "Rsqrt", "Pow", "Inv", "Reciprocal", "Xdivy", "Xlogy", "Norm")
"""Types of operations whose gradient may be infinite."""
_WHY_TRACED = "# No tf.function: it gives outputs that are no loss the gradient 0, and 0 times infinity is no number."


@dataclass(frozen=True)
class TrainText:
    """A training step as source.

    Attributes:
        source: The text of `train.py`.
        contents: The variables that the trainer adds to those of the model.
        inputs: The names of the inputs of a step, which are those of the model and further ones.
    """

    source: str
    contents: Contents
    inputs: tuple[str, ...]


def train_text(parts: Parts, function: Function, model: Written, values: Mapping[str, Any], about: str) -> TrainText:
    """Returns the source of a training step.

    Args:
        parts: The step.
        function: The updates, whose parameters are the inputs of `parts.update`.
        model: The source of the forward pass.
        values: The name of each variable -> its value.
        about: What stands in the docstring of the file.
    """
    order = {name: place for place, name in enumerate(values)}
    trained = trained_variables(parts, order)
    assigned = assigned_variables(function)
    variables = {node.name: node for node in all_nodes(function) if node.op == Kind.VARIABLE}
    schedules = prepared(parts, function, order)
    with_loops(function, order)
    store = TrainerAttributes(values, model.contents.names, model.in_keras)
    lists = [store.variables([variables[name] for name in names], "trained") for names in trained]
    for node in function.nodes():
        for leaf in node.attributes["leaves"] if node.op == EACH else ():
            if isinstance(leaf.items[0], Node):
                store.variables(leaf.items, list_name(leaf.role, leaf.items))
    return _text(parts, function, model, store, lists, assigned, trained, about, schedules)


def prepared(parts: Parts, function: Function, order: Mapping[str, int]) -> dict[str, Function]:
    """Marks the gradients among the inputs of updates, and makes calls of what they compute of all gradients.

    Args:
        parts: The step.
        function: The updates, which are changed.
        order: The name of each variable -> its place.

    Returns:
        The name of each learning rate that is a function of the step -> the function.
    """
    _mark_gradients(parts, function, trained_variables(parts, order))
    return with_schedules(tidied(with_lists(folded(simplified(function, frozenset())))))


def trained_variables(parts: Parts, order: Mapping[str, int]) -> list[list[str]]:
    """Returns the variables that each loss has gradients for, in their order."""
    names: list[set[str]] = [set() for _ in parts.losses]
    for cut in parts.cuts.values():
        names[cut.loss].add(cut.variable)
    return [sorted(variables, key=order.__getitem__) for variables in names]


def not_trainable(parts: Parts, trained: Sequence[str]) -> list[str]:
    """Returns the trained variables that the graph does not count among the trainable ones: a tape ignores them."""
    variables = variables_of(parts.forward)
    return [name for name in trained if not variables[name].trainable]


def _mark_gradients(parts: Parts, function: Function, trained: Sequence[Sequence[str]]) -> None:
    for parameter in function.parameters:
        if (cut := parts.cuts.get(parameter.name)) is not None:
            parameter.attributes["item"] = Item(cut.loss, trained[cut.loss].index(cut.variable))
            parameter.attributes["part"] = cut.part


def _text(
    parts: Parts,
    function: Function,
    model: Written,
    store: TrainerAttributes,
    lists: Sequence[str],
    assigned: frozenset[str],
    trained: Sequence[Sequence[str]],
    about: str,
    schedules: Mapping[str, Function],
) -> TrainText:
    names = Names()
    for name in schedules:
        names.new(name)
    inputs = [*model.inputs, *parts.further]
    arguments = {name: names.new(name) for name in inputs}
    called = ", ".join(arguments[name] for name in model.inputs)
    outputs = {number: names.new("loss") for numbers in parts.losses for number in numbers}
    gradients = [names.new("gradients") for _ in parts.losses]
    texts = {
        parameter: arguments[parameter.name] for parameter in function.parameters if parameter.name in arguments
    } | {
        parameter: outputs[parts.taken[parameter.name]]
        for parameter in function.parameters
        if parameter.name in parts.taken
    }
    block = StepBlock(store, names, texts, assigned, nestable(function) | _norms(function))
    block.gradients, block.lengths = gradients, [len(variables) for variables in trained]
    block.write(function)
    several = len(parts.losses) > 1
    results = [outputs.get(number, "_") for number in range(len(model.outputs))]
    with_tape = f"with tf.GradientTape({'persistent=True' if several else ''}) as tape:"
    steps, call = [with_tape], "self.model"
    watched = [name for name, variables in zip(lists, trained, strict=True) if not_trainable(parts, variables)]
    steps += [f"{INDENT}tape.watch({name})  # some are not trainable" for name in watched]
    if _others_may_be_infinite(parts):
        call = f"self.model.{'call' if model.in_keras else '__call__'}.python_function"
        steps.append(f"{INDENT}{_WHY_TRACED}")
    steps.append(f"{INDENT}{', '.join(results)} = {call}({called})")
    for name, numbers, variables in zip(gradients, parts.losses, lists, strict=True):
        summed = [outputs[number] for number in numbers]
        target = summed[0] if len(summed) == 1 else f"[{', '.join(summed)}]"
        steps.append(f"{name} = tape.gradient({target}, {variables})")
    steps += _with_all_rows(parts, gradients, trained)
    returned = ", ".join(outputs.values())
    steps += [*block.lines, f"return {returned if len(outputs) == 1 else f'[{returned}]'}"]
    functions = "python_functions" if model.contents.python_functions else ""
    also = f", {functions}" if functions else ""
    lines = [
        docstring(about),
        "",
        "import tensorflow as tf",
        "",
        "from . import weights",
        "from .fitting import Fitted",
        "from .model import Model",
        "",
        "",
        *(line for name, schedule in schedules.items() for line in schedule_lines(name, schedule, store)),
        "class Trainer(tf.Module):",
        f"    legacy_inputs = {specs_text(function.parameters, inputs)}",
        "",
        "    def __init__(self, model):",
        "        super().__init__()",
        "        self.model = model",
        *(INDENT * 2 + line for line in store.made),
        "",
        "    @classmethod",
        f"    def load(cls{also}):",
        f"        trainer = cls(Model.load({functions}))",
        '        weights.fill_variables(trainer, "training.safetensors")',
        "        return trainer",
        "",
        "    @classmethod",
        f"    def from_checkpoint(cls, checkpoint{also}):",
        f"        trainer = cls(Model.from_checkpoint(checkpoint{also}))",
        '        weights.restore(trainer, checkpoint, "training.toml")',
        "        return trainer",
        "",
        "    def fitted(self):",
        f"        return Fitted(self{f', {len(outputs)}' if len(outputs) > 1 else ''})",
        "",
        "    @tf.function(autograph=False)",
        f"    def train_step(self{''.join(f', {name}' for name in arguments.values())}):",
        *indented(spaced([as_line(step) for step in steps]), 2),
    ]
    source = "\n".join(shorter for line in lines for shorter in within_columns(line)) + "\n"
    return TrainText(source, store.contents, tuple(inputs))


def _with_all_rows(parts: Parts, gradients: Sequence[str], trained: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yields a statement for each dense gradient whose update changes the rows that indices name."""
    for cut in parts.cuts.values():
        if cut.with_all_rows and cut.part == INDICES:
            gradient = f"{gradients[cut.loss]}[{trained[cut.loss].index(cut.variable)}]"
            yield f"{gradient} = tf.IndexedSlices({gradient}, tf.range(tf.shape({gradient})[0]), tf.shape({gradient}))"


def _others_may_be_infinite(parts: Parts) -> bool:
    """Returns True if outputs beside the losses divide, or the like, where no loss does."""
    forward = parts.forward
    nodes = by_name(forward.graph.graph_def.node)
    ends = [node_of(source) for source in forward.ends.outputs.values() if ":" in source]
    losses = [ends[number] for numbers in parts.losses for number in numbers]
    others = needed(nodes, [end for end in ends if end not in losses]) - needed(nodes, losses)
    return any(nodes[name].op in _PARTIAL for name in others)


def _norms(function: Function) -> frozenset[Node]:
    """Returns the global norms that one operation takes."""
    users = uses(function)
    norms = (node for node in function.nodes() if node.op == LIST and not node.attributes["several"])
    return frozenset(node for node in norms if len(users.get(Value(node, 0), ())) == 1)


def schedule_lines(name: str, schedule: Function, store: TrainerAttributes) -> list[str]:
    """Returns the lines of the function that computes a learning rate, with two empty ones after them."""
    names = Names()
    (parameter,) = schedule.parameters
    argument = names.new(short_name(parameter))
    block = StepBlock(store, names, {parameter: argument}, frozenset(), nestable(schedule))
    (result,) = block.write(schedule)
    return [f"def {name}({argument}):", *(INDENT + line for line in [*block.lines, f"return {result}"]), "", ""]
