"""`x[1:, 0, ::2]` for a StridedSlice with constant bounds."""

from __future__ import annotations

from collections.abc import Callable

from tf2bridge.decompile.expressions import filled
from tf2bridge.decompile.ir import Node, Value


def slice_text(node: Node, text: Callable[[Value], str]) -> str | None:
    """Returns the subscript that a StridedSlice is, or None if its bounds are not constants.

    Args:
        node: The node.
        text: Gives the expression of a value.
    """
    bounds = [value.node for value in node.inputs[1:]]
    if any(bound.op != "Const" for bound in bounds):
        return None
    begin, end, strides = (bound.attributes["value"].tolist() for bound in bounds)
    parts = []
    for place, (first, last, step) in enumerate(zip(begin, end, strides, strict=True)):
        bit = 1 << place
        if node.attributes["ellipsis_mask"] & bit:
            parts.append("...")
        elif node.attributes["new_axis_mask"] & bit:
            parts.append("tf.newaxis")
        elif node.attributes["shrink_axis_mask"] & bit:
            parts.append(str(first))
        else:
            low = "" if node.attributes["begin_mask"] & bit else str(first)
            high = "" if node.attributes["end_mask"] & bit else str(last)
            parts.append(f"{low}:{high}" + (f":{step}" if step != 1 else ""))
    return filled(f"_0[{', '.join(parts)}]", {"_0": text(node.inputs[0])})
