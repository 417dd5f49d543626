"""A part of an image that is cut out at a random place: `tf.image.random_crop`."""

from __future__ import annotations

from tf2bridge.decompile.attributes import literal
from tf2bridge.decompile.idioms.layer import expression_node
from tf2bridge.decompile.idioms.matching import match, number
from tf2bridge.decompile.idioms.rule import Context, Example, Rule, known_shape, shape_of
from tf2bridge.decompile.ir import Node, Value, array_of

_PATTERN = "Slice(image, FloorMod(RandomUniformInt(shape, 0, most), limit), size)"
_LIMIT = "Add(Sub(Shape(image), size), one)"


def _apply(node: Node, _context: Context) -> Node | None:
    names = match(Value(node, 0), _PATTERN)
    rank = shape_of(names["image"]) if names else None
    if names is None or rank is None or not _are_all_places(names):
        return None
    drawn, most, size = array_of(names["shape"]), number(names["most"]), array_of(names["size"])
    if drawn is None or drawn.tolist() != [len(rank)] or most != names["most"].spec.dtype.max or size is None:
        return None
    return expression_node(node, f"tf.image.random_crop(_0, {literal(size)})", [names["image"]])


def _are_all_places(names: dict[str, Value]) -> bool:
    """Returns True if the limit of the random numbers is the number of places at which the part fits."""
    shape, limit, size = known_shape(names["image"]), array_of(names["limit"]), array_of(names["size"])
    if limit is None or shape is None or size is None:
        further = match(names["limit"], _LIMIT, names)
        ones = array_of(further["one"]) if further else None
        return ones is not None and bool((ones == 1).all())
    places: list[int] = limit.tolist()
    return [own - part + 1 for own, part in zip(shape, size.tolist(), strict=True)] == places


RULE = Rule(
    ops=("Slice",),
    apply=_apply,
    is_first=True,
    examples=(
        Example("y = [rows, tf.random_crop(images[0], [6, 5, 3])]", "tf.image.random_crop(images[0], [6, 5, 3])"),
        Example("y = [rows, tf.random_crop(images, [1, 5, 5, 3])]", "tf.image.random_crop(images, [1, 5, 5, 3])"),
        Example(
            "most = tf.int32.max\n"
            "at = tf.random_uniform([3], 0, most, tf.int32) % [2, 2, 1]\n"
            "y = [rows, tf.slice(images[0], at, [6, 5, 3])]",
            "",
        ),
    ),
)
