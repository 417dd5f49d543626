"""What a shape that a graph computes consists of: numbers, and sizes of other values."""

from __future__ import annotations

from collections.abc import Sequence

from tf2bridge.decompile.ir import Node, Value

SHAPE_INPUTS = {"Reshape": 1, "Tile": 1, "BroadcastTo": 1, "Fill": 0}
"""Type of an operation -> the number of its input that is a shape."""
Size = int | tuple[Value, int] | None
"""A number, or the size of a value along an axis; None if it is neither."""


def sizes_of(value: Value) -> list[Size]:
    """Returns the sizes that a vector consists of, or the one that a scalar is.

    A part whose length is unknown counts as one.
    """
    node = value.node
    if node.op == "Const":
        return [int(size) for size in node.attributes["value"].reshape(-1)]
    if node.op in ("Pack", "ConcatV2"):
        parts = node.inputs if node.op == "Pack" else node.inputs[:-1]
        return [size for part in parts for size in sizes_of(part)]
    if node.op == "ExpandDims":
        return sizes_of(node.inputs[0])
    shape, axes = _taken_from_shape(node)
    count = (value.spec.shape or (1,))[0] if value.spec.shape != () else 1
    return [None] * (count or 1) if axes is None or shape is None else [(shape.inputs[0], axis) for axis in axes]


def known_sizes(value: Value) -> list[int] | None:
    """Returns the numbers that a shape consists of, or None if a size is open."""
    numbers = [_number(size) for size in sizes_of(value)]
    known = [number for number in numbers if number is not None]
    return known if len(known) == len(numbers) else None


def are_sizes_of(sizes: Sequence[Size], x: Value) -> bool:
    """Returns True if sizes are those of the first axes of `x`. One of them may be -1."""
    shape = x.spec.shape or ()
    if len(sizes) > len(shape) or sizes.count(-1) > 1:
        return False
    return all(
        size in (-1, (x, axis)) or (size is not None and size == known)
        for axis, (size, known) in enumerate(zip(sizes, shape, strict=False))
    )


def _number(size: Size) -> int | None:
    if isinstance(size, tuple):
        value, axis = size
        shape = value.spec.shape
        return None if shape is None or not -len(shape) <= axis < len(shape) else shape[axis]
    return size


def _taken_from_shape(node: Node) -> tuple[Node | None, list[int] | None]:
    """Returns the Shape that a node takes sizes from, and the axes of these sizes."""
    if node.op == "Shape":
        shape = node.inputs[0].spec.shape
        return node, None if shape is None else list(range(len(shape)))
    if node.op in ("Gather", "GatherV2", "StridedSlice", "Slice") and node.inputs[0].node.op == "Shape":
        return node.inputs[0].node, _axes(node)
    return None, None


def _axes(node: Node) -> list[int] | None:
    """Returns the places in a shape that a node takes, or None."""
    if any(value.node.op != "Const" for value in node.inputs[1:]):
        return None
    start, *more = (value.node.attributes["value"].reshape(-1).tolist() for value in node.inputs[1:])
    if node.op == "Slice":
        return None if more[0][0] < 0 else list(range(start[0], start[0] + more[0][0]))
    if node.op != "StridedSlice":
        return list(start)
    masks = [node.attributes[f"{name}_mask"] for name in ("begin", "end", "ellipsis", "new_axis", "shrink_axis")]
    if masks == [0, 0, 0, 0, 1]:
        return list(start) if start[0] >= 0 else None
    simple = masks[1:] == [0, 0, 0, 0] and more[1] == [1] and start[0] >= 0 and more[0][0] > 0
    return list(range(0 if masks[0] else start[0], more[0][0])) if simple else None
