"""Checks that the value of a `Const` fits its own shape and type, since a graph file has no checksum."""

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
"""The limit of a constant's shape: protobuf has no larger message. A single listed value fills any shape."""
_PAIRS = ("scomplex_val", "dcomplex_val")
"""The fields of a TensorProto that use two values for an element; the other `_val` fields use one."""


def misfit(node: Any) -> str:
    """Returns what is wrong with the value of a `Const`, or ""."""
    attributes = node.attr
    tensor = attributes["value"].tensor
    dtype = tensor.dtype
    name = type_name(dtype)
    if dtype != attributes["dtype"].type:
        return f"its value is {name} and not {type_name(attributes['dtype'].type)}"
    sizes = [dimension.size for dimension in tensor.tensor_shape.dim]
    if sizes and (min(sizes) < 0 or len(sizes) > MOST_DIMENSIONS):
        return f"its shape is {sizes[:MOST_DIMENSIONS]}"
    elements, item_size = prod(sizes), type_bytes(dtype)
    if elements * (item_size or 1) > _MOST_BYTES:
        return f"its shape {sizes} is larger than any constant, whatever it lists"
    listed, written = _LISTED.get(name), 0
    for descriptor, content in tensor.ListFields():
        field = descriptor.name
        if field == "tensor_content" and item_size is not None and len(content) != elements * item_size:
            return f"its value has {len(content)} bytes, and its shape {sizes} {elements * item_size}"
        if field.endswith("_val"):
            if listed is not None and field != listed:
                return f"its value is in {field}, and of type {name}"
            written += len(content) // (2 if field in _PAIRS else 1)
    if elements and written > elements:
        return f"its value has {written} elements, and its shape {sizes} {elements}"
    return ""
