"""Images of open sizes that are cut or filled up to given sides: `tf.image.resize_with_crop_or_pad`."""

from __future__ import annotations

from tf2bridge.decompile.idioms.layer import expression_node
from tf2bridge.decompile.idioms.matching import match, number
from tf2bridge.decompile.idioms.rule import Context, Example, Rule, shape_of
from tf2bridge.decompile.ir import Node, Value, array_of

_PADDED = (
    "Pad(cut, Reshape(Pack(0, 0, above, Sub(Sub(height, above), cut_height), "
    "before, Sub(Sub(width, before), cut_width), 0, 0), shape))"
)
_CUT = (
    "Slice(x, Pack(0, Maximum(FloorDiv(Neg(Sub({height}, h)), 2), 0), "
    "Maximum(FloorDiv(Neg(Sub({width}, w)), 2), 0), 0), Pack(-1, Minimum({height}, h), Minimum({width}, w), -1))"
)
_PARTS = {
    "cut": _CUT,
    "h": "Unpack(Shape(x))[1]",
    "w": "Unpack(Shape(x))[2]",
    "cut_height": "Unpack(Shape(cut))[1]",
    "cut_width": "Unpack(Shape(cut))[2]",
    "above": "Maximum(FloorDiv(Sub({height}, h), 2), 0)",
    "before": "Maximum(FloorDiv(Sub({width}, w), 2), 0)",
}


def _apply(node: Node, context: Context) -> Node | dict[Value, Value] | None:
    names = match(Value(node, 0), _PADDED)
    height, width = (number(names["height"]), number(names["width"])) if names else (None, None)
    if height is None or width is None:
        return None
    for name, pattern in _PARTS.items():
        names = match(names[name], pattern.format(height=int(height), width=int(width)), names) if names else None
    shape = array_of(names["shape"]) if names else None
    if names is None or shape is None or shape.tolist() != [4, 2] or len(shape_of(names["x"]) or ()) != 4:
        return None
    call = f"tf.image.resize_with_crop_or_pad(_0, {int(height)}, {int(width)})"
    image = match(names["x"], "ExpandDims(image, 0)")
    users = [user for user in context.users(Value(node, 0)) if user is not None and user.op == "Squeeze"]
    is_one = all(list(user.attributes["squeeze_dims"]) == [0] for user in users)
    if image and users and is_one and len(users) == len(context.users(Value(node, 0))):
        return {Value(user, 0): Value(expression_node(user, call, [image["image"]]), 0) for user in users}
    return expression_node(node, call, [names["x"]])


_OF_1_12 = (
    "x = tf.placeholder_with_default(images, [None] * 4)\n"
    "_, h, w, _ = tf.unstack(tf.shape(x), 4)\n"
    "starts = [tf.maximum(-(6 - h) // 2, 0), tf.maximum(-(9 - w) // {}, 0)]\n"
    "cut = tf.slice(x, tf.stack([0, *starts, 0]), tf.stack([-1, tf.minimum(6, h), tf.minimum(9, w), -1]))\n"
    "_, cut_h, cut_w, _ = tf.unstack(tf.shape(cut), 4)\n"
    "above, before = tf.maximum((6 - h) // 2, 0), tf.maximum((9 - w) // 2, 0)\n"
    "sizes = tf.stack([0, 0, above, 6 - above - cut_h, before, 9 - before - cut_w, 0, 0])\n"
    "y = tf.pad(cut, tf.reshape(sizes, [4, 2]))"
)
RULE = Rule(
    ops=("Pad",),
    apply=_apply,
    examples=(
        Example(_OF_1_12.format(2), "tf.image.resize_with_crop_or_pad(placeholderwithdefault, 6, 9)"),
        Example(_OF_1_12.format(1), ""),
    ),
    is_first=True,
)
