"""Whether the value of a `Const` fits its own shape and type: a file has no checksum that would tell."""

from __future__ import annotations

from math import prod
from typing import Any

from tf2bridge.graph.messages import type_bytes, type_name

_VALUES = (
    "half_val", "float_val", "double_val", "int_val", "string_val", "int64_val", "bool_val", "uint32_val", "uint64_val",
)  # fmt: skip
"""The fields of a TensorProto that hold an element each."""
_PAIRS = ("scomplex_val", "dcomplex_val")
"""Those that hold half a complex number each."""


def misfit(node: Any) -> str:
    """Returns what is wrong with the value of a `Const`, "" where nothing is."""
    tensor = node.attr["value"].tensor
    if tensor.dtype != node.attr["dtype"].type:
        return f"its value is {type_name(tensor.dtype)} and not {type_name(node.attr['dtype'].type)}"
    sizes = [each.size for each in tensor.tensor_shape.dim]
    if min(sizes, default=0) < 0:
        return f"its shape is {sizes}"
    elements, each = prod(sizes), type_bytes(tensor.dtype)
    if tensor.tensor_content and each is not None and len(tensor.tensor_content) != elements * each:
        return f"its value has {len(tensor.tensor_content)} bytes, and its shape {sizes} {elements * each}"
    written = sum(len(getattr(tensor, name)) for name in _VALUES)
    written += sum(len(getattr(tensor, name)) for name in _PAIRS) // 2
    if elements and written > elements:
        return f"its value has {written} elements, and its shape {sizes} {elements}"
    return ""
