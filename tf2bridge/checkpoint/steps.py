"""The steps of a plan by name. Reads them from its file, writes them into it, and inverts them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, Field, fields
from itertools import accumulate
from typing import Any, cast

from tf2bridge.checkpoint.arithmetic import (
    AddToBlock,
    Cast,
    Constant,
    Scale,
    StepsFromPower,
    Sum,
    Total,
    steps_from_power,
)
from tf2bridge.checkpoint.cudnn_layout import CudnnCompatibleGru, CudnnGates, CudnnOpaque
from tf2bridge.checkpoint.moves import Move, Shape, Step
from tf2bridge.checkpoint.rearranging import Blocks, Join, Reshape, Rows, Stack, Transpose
from tf2bridge.checkpoint.refusals import StepError, UnknownStepError
from tf2bridge.formats.checkpoints.slices import ranges
from tf2bridge.formats.checkpoints.stored import Checkpoint

__all__ = [
    "STEPS",
    "AddToBlock",
    "Blocks",
    "Cast",
    "Constant",
    "CudnnCompatibleGru",
    "CudnnGates",
    "CudnnOpaque",
    "Join",
    "Reshape",
    "Rows",
    "Scale",
    "Stack",
    "StepsFromPower",
    "Sum",
    "Total",
    "Transpose",
    "from_table",
    "inverse",
    "steps_from_power",
    "to_table",
]

STEPS: dict[str, Any] = {
    step.kind: step
    for step in (
        *(Transpose, Reshape, Rows, Join, Stack, Blocks),
        *(AddToBlock, Sum, Total, Scale, Cast, Constant, StepsFromPower),
        *(CudnnOpaque, CudnnGates, CudnnCompatibleGru),
    )
}
"""Name of a step in a plan -> its class."""

_TYPES: dict[str, Any] = {"int": int, "float": (float, int), "str": str, "bool": bool}


def to_table(step: Step) -> dict[str, Any]:
    """Returns the table of a step for a plan's file: its "kind", and each field that has not its default."""
    table: dict[str, Any] = {"kind": step.kind}
    for field in fields(cast(Any, step)):
        value = getattr(step, field.name)
        if value != field.default:
            table[field.name] = list(value) if isinstance(value, tuple) else value
    return table


def from_table(table: Mapping[str, Any]) -> Step:
    """Returns the step of a table in a plan's file. Raises UnknownStepError, which lists the choices."""
    kind = table.get("kind")
    if not isinstance(kind, str) or kind not in STEPS:
        raise UnknownStepError(str(kind), f"there is no such step: use one of {', '.join(sorted(STEPS))}")
    known = {field.name: field for field in fields(STEPS[kind])}
    given = {name: value for name, value in table.items() if name != "kind"}
    if unknown := sorted(given.keys() - known.keys()):
        has = ", ".join(known) or "none"
        raise UnknownStepError(kind, f"it has no field {', '.join(map(repr, unknown))}; its fields: {has}")
    values = {name: _value(kind, known[name], value) for name, value in given.items()}
    if missing := [name for name, field in known.items() if name not in values and field.default is MISSING]:
        raise UnknownStepError(kind, f"it needs {', '.join(missing)}")
    return cast(Step, STEPS[kind](**values))


def _value(kind: str, field: Field[Any], value: Any) -> Any:
    """Returns a value of a file in the type of the field. Raises UnknownStepError for another type."""
    if field.type == "tuple[int, ...]":
        if isinstance(value, list | tuple) and all(_is(number, "int") for number in value):
            return tuple(int(number) for number in value)
        raise UnknownStepError(kind, f"{field.name} is a list of integers, not {value!r}")
    name = str(field.type)
    if not _is(value, name):
        raise UnknownStepError(kind, f"{field.name} is of type {name}, not {value!r}")
    return float(value) if name == "float" else value


def _is(value: Any, name: str) -> bool:
    return isinstance(value, _TYPES[name]) and (name == "bool" or not isinstance(value, bool))


def sliced(spec: str) -> tuple[Step, ...]:
    """Returns the steps that cut a slice, in a Saver's notation (see `slices.ranges`), from a full tensor."""
    return tuple(Rows(start, stop, axis) for axis, start, stop in ranges(spec))


def shape_after(move: Move, checkpoint: Checkpoint) -> Shape | None:
    """Returns the shape of a move's result for a checkpoint; None if its steps do not accept the stored tensors."""
    shapes = [checkpoint.tensors[name].shape for name in move.sources]
    try:
        for step in move.steps:
            shapes = [step.shape(*shapes)]
    except StepError:
        return None
    return shapes[0]


def inverse(step: Step, *shapes: Shape) -> tuple[tuple[Step, ...], ...]:
    """Returns, for each input of a step, the steps that compute this input from the step's result.

    `shapes` are the shapes of the inputs. Steps that add or scale are inverted up to rounding, all others exactly.

    Raises:
        StepError: The step has no inverse: a sum, a cast, or rows without the remaining rows.
    """
    step.shape(*shapes)
    if isinstance(step, Join | Stack):
        return _taken_apart(step, shapes)
    if isinstance(step, Rows) and step.shape(*shapes) == shapes[0]:
        return ((),)
    turned = _of_one(step, shapes[0]) if shapes else None
    if turned is None:
        raise StepError(step.kind, "it has no inverse: its result does not determine its input", *shapes)
    return ((turned,),)


def _of_one(step: Step, shape: Shape) -> Step | None:
    if isinstance(step, Transpose):
        return Transpose(tuple(step.axes.index(axis) for axis in range(len(step.axes))))
    if isinstance(step, Reshape):
        return Reshape(shape)
    if isinstance(step, Blocks):
        return Blocks(tuple(step.order.index(block) for block in range(len(step.order))), step.axis)
    if isinstance(step, AddToBlock):
        return AddToBlock(step.block, step.of, -step.value, step.axis)
    if isinstance(step, Scale) and step.factor:
        return Scale(1 / step.factor)
    return None


def _taken_apart(step: Join | Stack, shapes: tuple[Shape, ...]) -> tuple[tuple[Step, ...], ...]:
    axis = step.axis % (len(shapes[0]) + isinstance(step, Stack))
    lengths = [1 if isinstance(step, Stack) else shape[axis] for shape in shapes]
    ends = list(accumulate(lengths))
    cuts = [Rows(end - length, end, axis) for end, length in zip(ends, lengths, strict=True)]
    if isinstance(step, Stack):
        return tuple((cut, Reshape(shapes[0])) for cut in cuts)
    return tuple((cut,) for cut in cuts)
