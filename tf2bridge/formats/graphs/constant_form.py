"""Whether the value of a `Const` fits its own shape and type: a file has no checksum that would tell."""

from __future__ import annotations

from math import prod
from typing import Any

from tf2bridge.formats.messages import type_bytes, type_name
from tf2bridge.formats.sizes import MOST_DIMENSIONS

_LISTED = {
    "float32": "float_val",
    "float64": "double_val",
    "string": "string_val",
    "complex64": "scomplex_val",
    "complex128": "dcomplex_val",
    "int64": "int64_val",
    "bool": "bool_val",
    "float16": "half_val",
    "uint32": "uint32_val",
    "uint64": "uint64_val",
    **dict.fromkeys(("int32", "int16", "int8", "uint16", "uint8"), "int_val"),
    **dict.fromkeys(("qint8", "quint8", "qint16", "quint16", "qint32"), "int_val"),
}
"""Type -> the field of a TensorProto that lists its values (framework/tensor.proto). TensorFlow reads no other one, and
takes zeros where that is empty."""
_MOST_BYTES = 2 << 30
"""Of a constant: protobuf, in which TensorFlow stores it, has no larger message. A single value fills any shape."""
_PAIRS = ("scomplex_val", "dcomplex_val")
"""The fields of a TensorProto that hold half a complex number each; others that end so hold an element each."""


def misfit(node: Any) -> str:
    """Returns what is wrong with the value of a `Const`, "" where nothing is."""
    attributes = node.attr
    tensor = attributes["value"].tensor
    dtype = tensor.dtype
    name = type_name(dtype)
    if dtype != attributes["dtype"].type:
        return f"its value is {name} and not {type_name(attributes['dtype'].type)}"
    sizes = [each.size for each in tensor.tensor_shape.dim]
    if sizes and (min(sizes) < 0 or len(sizes) > MOST_DIMENSIONS):
        return f"its shape is {sizes[:MOST_DIMENSIONS]}"
    elements, each = prod(sizes), type_bytes(dtype)
    if elements * (each or 1) > _MOST_BYTES:
        return f"its shape {sizes} is larger than any constant, whatever it lists"
    listed, written = _LISTED.get(name), 0
    for said, held in tensor.ListFields():
        field = said.name
        if field == "tensor_content" and each is not None and len(held) != elements * each:
            return f"its value has {len(held)} bytes, and its shape {sizes} {elements * each}"
        if field.endswith("_val"):
            if listed is not None and field != listed:
                return f"its value is in {field}, and of type {name}"
            written += len(held) // (2 if field in _PAIRS else 1)
    if elements and written > elements:
        return f"its value has {written} elements, and its shape {sizes} {elements}"
    return ""
