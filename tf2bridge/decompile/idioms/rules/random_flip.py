"""An image that is mirrored in half of the calls: `tf.image.random_flip_left_right` and `random_flip_up_down`."""

from __future__ import annotations

from tf2bridge.decompile.idioms.layer import expression_node
from tf2bridge.decompile.idioms.matching import match, number
from tf2bridge.decompile.idioms.rule import Context, Example, Rule, shape_of
from tf2bridge.decompile.ir import Kind, Node

_CHOICES = ("Less(RandomUniform(shape), 0.5)", "Less(Add(Mul(RandomUniform(shape), 1.0), 0.0), 0.5)")
_NAMES = {0: "tf.image.random_flip_up_down", 1: "tf.image.random_flip_left_right"}


def _apply(node: Node, _context: Context) -> Node | None:
    is_by_half = any(match(node.inputs[0], choice) for choice in _CHOICES)
    if not is_by_half or shape_of(node.inputs[0]) != () or len(node.outputs) != 1 or len(node.inputs) != 1:
        return None
    if any(body.effects for body in node.bodies):
        return None
    (flipped,), (image,) = (body.results for body in node.bodies)
    names = match(flipped, "ReverseV2(image, axis)", {"image": image})
    if names is None or len(shape_of(image) or ()) != 3 or image.node.owner is not node.owner:
        return None
    name = _NAMES.get(int(axis) if (axis := number(names["axis"])) is not None else -1)
    return None if name is None else expression_node(node, f"{name}(_0)", [image])


RULE = Rule(
    ops=(Kind.COND,),
    apply=_apply,
    is_first=True,
    examples=(
        Example("y = [rows, tf.image.random_flip_left_right(images[0])]", "tf.image.random_flip_left_right(images[0])"),
        Example("y = [rows, tf.image.random_flip_up_down(images[0])]", "tf.image.random_flip_up_down(images[0])"),
        Example(
            "image = images[0]\n"
            "y = [rows, tf.cond(tf.random_uniform([]) < 0.4, lambda: tf.reverse(image, [1]), lambda: image)]",
            "",
        ),
    ),
)
