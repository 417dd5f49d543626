"""Images enlarged by repeating pixels: `keras.layers.UpSampling2D`.

Factors are powers of 2: by others, rounding may repeat a neighbour in TensorFlow 1.x.
"""

from __future__ import annotations

from tf2bridge.decompile.idioms.layer import Layer, alike, keywords, layer_node, scope_of
from tf2bridge.decompile.idioms.matching import match
from tf2bridge.decompile.idioms.rule import Context, Example, Rule, shape_of
from tf2bridge.decompile.ir import Node, Value, array_of
from tf2bridge.decompile.sizes import sizes_of


def _apply(node: Node, _context: Context) -> Node | None:
    x, sizes = node.inputs
    if any(node.attributes.get(name) for name in ("align_corners", "half_pixel_centers")):
        return None
    factors = _factors(x, sizes)
    if factors is None or any(factor < 1 or factor & (factor - 1) for factor in factors):
        return None
    if node.outputs[0].dtype.name != "float32" or (shape_of(x) or (None,))[-1] is None:
        return None
    layer = Layer("keras.layers.UpSampling2D", (), (), keywords({"size": 2}, size=alike(factors)), scope_of(node.name))
    return layer_node(node, layer, [x])


def _factors(x: Value, sizes: Value) -> list[int] | None:
    """Returns how often rows and columns are repeated, or None if sizes are no multiples in any case."""
    wanted, shape = array_of(sizes), (shape_of(x) or ())[1:3]
    if wanted is not None:
        fits = all(size and not new % size for new, size in zip(wanted.tolist(), shape, strict=False))
        known = [size for size in shape if size]
        return [new // size for new, size in zip(wanted.tolist(), known, strict=True)] if shape and fits else None
    names = match(sizes, "Mul(sizes, factors)")
    factors = array_of(names["factors"]) if names else None
    if names is None or factors is None or factors.shape != (2,) or sizes_of(names["sizes"]) != [(x, 1), (x, 2)]:
        return None
    return [int(factor) for factor in factors]


_NEAREST = "tf.image.resize_nearest_neighbor"
RULE = Rule(
    ops=("ResizeNearestNeighbor",),
    apply=_apply,
    examples=(
        Example(f"y = {_NEAREST}(images, [16, 16])", "keras.layers.UpSampling2D()"),
        Example(f"y = {_NEAREST}(images, [8, 32])", "keras.layers.UpSampling2D(size=(1, 4))"),
        Example(
            "x = tf.layers.conv2d(tf.placeholder_with_default(images, [None, None, None, 3]), 2, 3)\n"
            f"y = {_NEAREST}(x, tf.shape(x)[1:3] * [2, 2])",
            "keras.layers.UpSampling2D()",
        ),
        Example(f"y = {_NEAREST}(images, [24, 24])", ""),
        Example(f"y = {_NEAREST}(images, [16, 16], align_corners=True)", ""),
    ),
)
