"""`x[1:, 0, ::2]` for a StridedSlice whose bounds are constants, or scalars that are packed."""

from __future__ import annotations

from collections.abc import Callable

from tf2bridge.decompile.expressions import filled
from tf2bridge.decompile.ir import Node, Value, array_of

Bound = int | Value
"""A number, or a scalar."""


def slice_text(node: Node, text: Callable[[Value], str]) -> str | None:
    """Returns the subscript that a StridedSlice is, or None if its bounds are not known one by one.

    Args:
        node: The node.
        text: Gives the expression of a value.
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
            parts.append("tf.newaxis")
        elif node.attributes["shrink_axis_mask"] & bit:
            parts.append(written(first))
        else:
            low = "" if node.attributes["begin_mask"] & bit else written(first)
            high = "" if node.attributes["end_mask"] & bit else written(last)
            parts.append(f"{low}:{high}" + (f":{written(step)}" if step != 1 else ""))
    return filled(f"_0[{', '.join(parts)}]", arguments)


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
