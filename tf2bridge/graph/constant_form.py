"""Whether the value of a `Const` fits its own shape and type: a file has no checksum that would tell."""

from __future__ import annotations

from math import prod
from typing import Any

from tf2bridge.graph.messages import type_bytes, type_name

_PAIRS = ("scomplex_val", "dcomplex_val")
"""The fields of a TensorProto that hold half a complex number each; others that end so hold an element each."""


def misfit(node: Any) -> str:
    """Returns what is wrong with the value of a `Const`, "" where nothing is."""
    tensor = node.attr["value"].tensor
    if tensor.dtype != node.attr["dtype"].type:
        return f"its value is {type_name(tensor.dtype)} and not {type_name(node.attr['dtype'].type)}"
    sizes = [each.size for each in tensor.tensor_shape.dim]
    if min(sizes, default=0) < 0:
        return f"its shape is {sizes}"
    elements, each = prod(sizes), type_bytes(tensor.dtype)
    written = 0
    for said, held in tensor.ListFields():
        if said.name == "tensor_content" and each is not None and len(held) != elements * each:
            return f"its value has {len(held)} bytes, and its shape {sizes} {elements * each}"
        if said.name.endswith("_val"):
            written += len(held) // (2 if said.name in _PAIRS else 1)
    if elements and written > elements:
        return f"its value has {written} elements, and its shape {sizes} {elements}"
    return ""
