"""The steps of a plan by their names: read from its file, written into it, and turned round."""

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
    each.kind: each
    for each in (
        *(Transpose, Reshape, Rows, Join, Stack, Blocks),
        *(AddToBlock, Sum, Total, Scale, Cast, Constant, StepsFromPower),
        *(CudnnOpaque, CudnnGates, CudnnCompatibleGru),
    )
}
"""What a plan calls a step -> its class."""

_TYPES: dict[str, Any] = {"int": int, "float": (float, int), "str": str, "bool": bool}


def to_table(step: Step) -> dict[str, Any]:
    """What a plan's file says of a step: its "kind", and each field that is not as it is by itself."""
    table: dict[str, Any] = {"kind": step.kind}
    for field in fields(cast(Any, step)):
        value = getattr(step, field.name)
        if value != field.default:
            table[field.name] = list(value) if isinstance(value, tuple) else value
    return table


def from_table(table: Mapping[str, Any]) -> Step:
    """The step that a table of a plan's file says. Raises UnknownStepError, with what there is."""
    kind = table.get("kind")
    if not isinstance(kind, str) or kind not in STEPS:
        raise UnknownStepError(str(kind), f"there is none of this kind: use one of {', '.join(sorted(STEPS))}")
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
    """A value of a file in the type of the field. Raises UnknownStepError for another type."""
    if field.type == "tuple[int, ...]":
        if isinstance(value, list | tuple) and all(_is(each, "int") for each in value):
            return tuple(int(each) for each in value)
        raise UnknownStepError(kind, f"{field.name} is a list of whole numbers, not {value!r}")
    name = str(field.type)
    if not _is(value, name):
        raise UnknownStepError(kind, f"{field.name} is of type {name}, not {value!r}")
    return float(value) if name == "float" else value


def _is(value: Any, name: str) -> bool:
    return isinstance(value, _TYPES[name]) and (name == "bool" or not isinstance(value, bool))


def sliced(spec: str) -> tuple[Step, ...]:
    """The steps that cut a slice, written as a Saver writes it (see `slices.ranges`), from a whole tensor."""
    return tuple(Rows(start, stop, axis) for axis, start, stop in ranges(spec))


def shape_after(move: Move, checkpoint: Checkpoint) -> Shape | None:
    """The shape that a move gives for a checkpoint, None where its steps cannot take what is there."""
    shapes = [checkpoint.tensors[name].shape for name in move.sources]
    try:
        for step in move.steps:
            shapes = [step.shape(*shapes)]
    except StepError:
        return None
    return shapes[0]


def inverse(step: Step, *shapes: Shape) -> tuple[tuple[Step, ...], ...]:
    """For each array of `shapes` that the step took, the steps that make it again from what the step gave.

    What was added or scaled comes back to the rounding of its dtype, all else bit for bit. Raises StepError where
    nothing makes it: of a sum, of rows whose others are elsewhere, of a cast.
    """
    step.shape(*shapes)
    if isinstance(step, Join | Stack):
        return _taken_apart(step, shapes)
    if isinstance(step, Rows) and step.shape(*shapes) == shapes[0]:
        return ((),)
    turned = _of_one(step, shapes[0]) if shapes else None
    if turned is None:
        raise StepError(step.kind, "it cannot be turned round: what it gives does not tell what it took", *shapes)
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
