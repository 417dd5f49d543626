"""Images of whole numbers as fractions of the largest one: `tf.image.convert_image_dtype`."""

from __future__ import annotations

import numpy as np

from tf2bridge.decompile.attributes import literal
from tf2bridge.decompile.idioms.layer import expression_node
from tf2bridge.decompile.idioms.matching import match, number
from tf2bridge.decompile.idioms.rule import Context, Example, Rule, shape_of
from tf2bridge.decompile.ir import Node, Value

_TYPES = ("uint8", "uint16", "int16")


def _apply(node: Node, _context: Context) -> Node | None:
    names = match(Value(node, 0), "Mul(Cast(image), scale)")
    scale = number(names["scale"]) if names else None
    if names is None or scale is None:
        return None
    image, dtype = names["image"], node.outputs[0].dtype
    if image.spec.dtype.name not in _TYPES or dtype.name != "float32" or not shape_of(image):
        return None
    if np.float32(scale) != np.float32(1.0 / image.spec.dtype.max) or shape_of(names["scale"]) != ():
        return None
    return expression_node(node, f"tf.image.convert_image_dtype(_0, {literal(dtype)})", [image], is_elementwise=True)


_BYTES = "bytes = tf.cast(tf.abs(10.0 * images), tf.uint8)\n"
RULE = Rule(
    ops=("Mul",),
    apply=_apply,
    examples=(
        Example(
            _BYTES + "y = tf.image.convert_image_dtype(bytes, tf.float32) - 0.5",
            "return convert_image - 0.5",
        ),
        Example(_BYTES + "y = tf.cast(bytes, tf.float32) * 0.004", ""),
    ),
)
