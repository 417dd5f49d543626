"""The middle part of images of open sizes: `tf.image.central_crop`."""

from __future__ import annotations

from tf2bridge.decompile.attributes import literal
from tf2bridge.decompile.idioms.layer import expression_node
from tf2bridge.decompile.idioms.matching import is_size, match, number
from tf2bridge.decompile.idioms.rule import Context, Example, Rule, shape_of
from tf2bridge.decompile.ir import Node, Value

_SIZES = "Sub(height, Mul(top, 2)), Sub(width, Mul(left, 2)), -1"
_SLICES = {
    3: f"Slice(x, Pack(top, left, 0), Pack({_SIZES}))",
    4: f"Slice(x, Pack(0, top, left, 0), Pack(-1, {_SIZES}))",
}
"""The rank of images -> how they are cut."""
_START = "Cast(RealDiv(Sub(Cast(size), Mul(Cast(size), fraction)), 2))"


def _apply(node: Node, _context: Context) -> Node | None:
    rank = len(shape_of(node.inputs[0]) or ())
    names = match(Value(node, 0), _SLICES[rank]) if rank in _SLICES else None
    if names is None:
        return None
    fractions = set()
    for axis, start, size in ((rank - 3, "top", "height"), (rank - 2, "left", "width")):
        parts = match(names[start], _START, {"size": names[size]})
        if (
            parts is None
            or not is_size(names[size], names["x"], axis)
            or parts["fraction"].spec.dtype.name != "float64"
        ):
            return None
        fractions.add(number(parts["fraction"]))
    fraction = fractions.pop()
    if fractions or fraction is None or not 0 < fraction <= 1:
        return None
    return expression_node(node, f"tf.image.central_crop(_0, {literal(fraction)})", [names["x"]])


_CROP = (
    "sizes = [tf.shape(x)[axis] for axis in (0, 1)]\n"
    "floats = [tf.cast(size, tf.float64) for size in sizes]\n"
    "starts = [tf.cast((size - size * {}) / 2, tf.int32) for size in floats]\n"
    "ends = [size - start * 2 for size, start in zip(sizes, starts)]\n"
    "y = tf.slice(x, tf.stack([*starts, 0]), tf.stack([*ends, -1]))"
)
_OPEN = "x = tf.placeholder_with_default(images, [None] * 4)"
RULE = Rule(
    ops=("Slice",),
    apply=_apply,
    examples=(
        Example(f"{_OPEN}\ny = tf.image.central_crop(x, 0.5)", "tf.image.central_crop(placeholderwithdefault, 0.5)"),
        Example(f"{_OPEN}[0]\n{_CROP.format(0.75)}", "tf.image.central_crop(placeholderwithdefault[0], 0.75)"),
        Example(f"{_OPEN}[0]\n{_CROP.replace('start * 2', 'start * 3').format(0.75)}", ""),
    ),
    is_first=True,
)
