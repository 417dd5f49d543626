"""`x[1:, 0, ::2]` for a StridedSlice or a Slice whose bounds are constants, or scalars that are packed."""

from __future__ import annotations

from collections.abc import Callable

from tf2bridge.decompile.expressions import filled
from tf2bridge.decompile.ir import Node, Value, array_of

Bound = int | Value
"""A number, or a scalar."""


def slice_text(node: Node, text: Callable[[Value], str], newaxis: str = "tf.newaxis") -> str | None:
    """Returns the subscript that a StridedSlice is, or None if its bounds are not known one by one.

    Args:
        node: The node.
        text: Gives the expression of a value.
        newaxis: The expression for a new axis.
    """
    begin, end, strides = map(_bounds, node.inputs[1:])
    if begin is None or end is None or strides is None:
        return None
    arguments = {"_0": text(node.inputs[0])}

    def written(bound: Bound) -> str:
        """Returns a number, or a name that stands for a scalar."""
        if isinstance(bound, int):
            return str(bound)
        name = f"_{len(arguments)}"
        arguments[name] = text(bound)
        return name

    parts = []
    for place, (first, last, step) in enumerate(zip(begin, end, strides, strict=True)):
        bit = 1 << place
        if node.attributes["ellipsis_mask"] & bit:
            parts.append("...")
        elif node.attributes["new_axis_mask"] & bit:
            parts.append(newaxis)
        elif node.attributes["shrink_axis_mask"] & bit:
            parts.append(written(first))
        else:
            low = "" if node.attributes["begin_mask"] & bit else written(first)
            high = "" if node.attributes["end_mask"] & bit else written(last)
            parts.append(f"{low}:{high}" + (f":{written(step)}" if step != 1 else ""))
    return filled(f"_0[{', '.join(_needed(parts, node.inputs[0]))}]", arguments)


def _needed(parts: list[str], x: Value) -> list[str]:
    """Returns the parts of a subscript without the last ones that take all, if the rank of `x` is known."""
    if x.spec.shape is not None and "..." not in parts:
        while len(parts) > 1 and parts[-1] == ":":
            parts = parts[:-1]
    return parts


def known_slice_text(node: Node, text: Callable[[Value], str]) -> str | None:
    """Returns the subscript that a Slice is, or None if it is not known to lie in the tensor, as `tf.slice` asks.

    Args:
        node: The node.
        text: Gives the expression of a value.
    """
    begin, sizes = (array_of(value) for value in node.inputs[1:])
    shape = node.inputs[0].spec.shape
    if begin is None or sizes is None or shape is None:
        return None
    parts = []
    for first, size, whole in zip(begin.tolist(), sizes.tolist(), shape, strict=True):
        last = first + size if size >= 0 or whole is None else whole
        if (first, size) != (0, -1) and (whole is None or not 0 <= first <= last <= whole):
            return None
        parts.append(f"{first or ''}:{'' if size < 0 or last == whole else last}")
    return filled(f"_0[{', '.join(_needed(parts, node.inputs[0]))}]", {"_0": text(node.inputs[0])})


def _bounds(value: Value) -> list[Bound] | None:
    """Returns the bounds that a vector holds, or None if it is computed in another way."""
    array = array_of(value)
    if array is not None:
        return [int(number) for number in array]
    if value.node.op != "Pack":
        return None
    numbers = [array_of(scalar) for scalar in value.node.inputs]
    return [
        scalar if number is None else int(number) for scalar, number in zip(value.node.inputs, numbers, strict=True)
    ]


def keras_slice_text(node: Node, text: Callable[[Value], str]) -> str | None:
    """Returns the subscript that a StridedSlice or Slice is on every backend of Keras, or None.

    PyTorch has no negative steps.

    Args:
        node: The node.
        text: Gives the expression of a value.
    """
    bounds = [array_of(value) for value in node.inputs[1:]]
    if any(bound is None for bound in bounds):
        return None
    if node.op == "StridedSlice":
        return slice_text(node, text, "None") if (bounds[2] > 0).all() else None
    pairs = zip(bounds[0].tolist(), bounds[1].tolist(), strict=True)
    parts = [f"{first or ''}:{'' if size < 0 else first + size}" for first, size in pairs]
    return filled(f"_0[{', '.join(_needed(parts, node.inputs[0]))}]", {"_0": text(node.inputs[0])})
