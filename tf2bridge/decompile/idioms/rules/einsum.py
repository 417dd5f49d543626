"""A product over some axes, which `tf.einsum` of TensorFlow 1.x makes of transposes, reshapes and one `tf.matmul`.

The name scope tells that the operations were a call of `tf.einsum`; what they compute tells which axes are multiplied.
"""

from __future__ import annotations

import itertools
import re
import string
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tf2bridge.decompile.idioms.layer import expression_node, scope_of
from tf2bridge.decompile.idioms.rule import Context, Example, Rule, shape_of
from tf2bridge.decompile.ir import Node, Value, array_of

_SCOPE = re.compile(r"(.*/)?einsum(_\d+)?")
_PRODUCTS = ("MatMul", "BatchMatMul", "BatchMatMulV2")
_SWAPPED = ("transpose_a", "adj_x"), ("transpose_b", "adj_y")


class _Axis(NamedTuple):
    """An axis of a factor: a number that no other axis has, and its size if that is known."""

    number: int
    size: int | None


Groups = list[list[_Axis]]
"""The axes of a tensor, each with the axes of a factor that it stands for."""


def _apply(node: Node, context: Context) -> Node | None:
    scope = scope_of(node.name)
    users = context.users(Value(node, 0))
    if not _SCOPE.fullmatch(scope) or any(user is not None and scope_of(user.name) == scope for user in users):
        return None
    result, steps = _without_steps(Value(node, 0), scope)
    product = result.node
    if product.op not in _PRODUCTS or scope_of(product.name) != scope or not product.outputs[0].dtype.is_floating:
        return None
    factors = [_without_steps(value, scope) for value in product.inputs]
    if any(shape_of(factor) is None for factor, _ in factors):
        return None
    numbers = itertools.count()
    axes = [[_Axis(next(numbers), size) for size in shape_of(factor) or ()] for factor, _ in factors]
    groups = [_after([[axis] for axis in own], earlier) for own, (_, earlier) in zip(axes, factors, strict=True)]
    equation = _equation(axes, groups, product, steps)
    if equation is None:
        return None
    text = f"einsum({equation!r}, _0, _1)"
    inputs = [factor for factor, _ in factors]
    better = expression_node(node, f"tf.{text}", inputs, keras=f"keras.ops.{text}")
    better.name = scope
    return better


def _equation(
    axes: Sequence[Sequence[_Axis]], groups: Sequence[Groups | None], product: Node, steps: Sequence[Node]
) -> str | None:
    """Returns the equation of a product, or None if its axes are not those of its factors.

    Args:
        axes: The axes of both factors.
        groups: Those that each axis of what is multiplied stands for.
        product: The product.
        steps: What is done with it.
    """
    left, right = groups
    if left is None or right is None or len(left) != len(right) or len(left) < 2:
        return None
    for own, names in zip((left, right), _SWAPPED, strict=True):
        if any(product.attributes.get(name) for name in names):
            own[-2:] = own[-2:][::-1]
    pairs = [*zip(left[:-2], right[:-2], strict=True), (left[-1], right[-2])]
    if any([axis.size for axis in group] != [axis.size for axis in other] for group, other in pairs):
        return None
    same = {axis.number: first.number for group, other in pairs for first, axis in zip(group, other, strict=True)}
    result = _after([*left[:-1], right[-1]], steps)
    if result is None or any(len(group) != 1 for group in result):
        return None
    letters: dict[int, str] = {}
    for axis in itertools.chain(*axes):
        letters.setdefault(same.get(axis.number, axis.number), string.ascii_lowercase[len(letters)])
    parts = (*axes, [group[0] for group in result])
    first, second, last = (_letters(part, same, letters) for part in parts)
    return f"{first},{second}->{last}"


def _letters(axes: Sequence[_Axis], same: Mapping[int, int], letters: Mapping[int, str]) -> str:
    return "".join(letters[same.get(axis.number, axis.number)] for axis in axes)


def _without_steps(value: Value, scope: str) -> tuple[Value, list[Node]]:
    """Returns what the transposes and reshapes of a scope begin with, and these, the first one first."""
    steps: list[Node] = []
    while value.node.op in ("Transpose", "Reshape") and scope_of(value.node.name) == scope:
        steps.append(value.node)
        value = value.node.inputs[0]
    return value, steps[::-1]


def _after(groups: Groups, steps: Sequence[Node]) -> Groups | None:
    """Returns the axes after some transposes and reshapes, or None if these do more than join axes, or part them."""
    known: Groups | None = list(groups)
    for step in steps:
        if known is None:
            return None
        if step.op == "Transpose":
            order = array_of(step.inputs[1])
            known = None if order is None else [known[place] for place in order]
        else:
            known = _joined(list(itertools.chain(*known)), shape_of(Value(step, 0)))
    return known


def _joined(axes: Sequence[_Axis], shape: tuple[int | None, ...] | None) -> Groups | None:
    """Returns the axes that each axis of a reshaped tensor stands for, or None if an axis is cut."""
    groups: Groups = []
    rest = list(axes)
    for size in shape or ():
        group = [rest.pop(0)] if rest else []
        while group and group[-1].size is not None and rest and _size(group) != size:
            group.append(rest.pop(0))
        if not group or _size(group) != size:
            return None
        groups.append(group)
    return None if rest else groups


def _size(group: Sequence[_Axis]) -> int | None:
    """Returns the product of sizes; None if one is open."""
    size = 1
    for axis in group:
        if axis.size is None:
            return None
        size *= axis.size
    return size


_KERNEL = "w = tf.get_variable('w', [3, 2, 4])\n"
_HEADS = (
    "with tf.name_scope('einsum'):\n"
    "    x = tf.reshape(tf.transpose(images[0], [1, 0, 2]), [64, 3])\n"
    "    x = tf.matmul(x, tf.reshape(tf.transpose(w, [0, 2, 1]), [3, 8]))\n"
    "    y = tf.transpose(tf.reshape(x, {}), [1, 0, 3, 2])"
)
_SCORES = "y = tf.matmul(tf.transpose(images, [0, 3, 1, 2]), tf.transpose(images, [0, 3, 2, 1]))\n"
RULE = Rule(
    ops=("Transpose", "Reshape", *_PRODUCTS),
    apply=_apply,
    examples=(
        Example(_KERNEL + _HEADS.format("[8, 8, 4, 2]"), "tf.einsum('abc,cde->abde', images[0], self.w)"),
        Example(_KERNEL + _HEADS.format("[8, 8, 2, 4]"), ""),
        Example(
            f"with tf.name_scope('einsum_1'):\n    {_SCORES}    y = tf.transpose(y, [0, 2, 3, 1])",
            "tf.einsum('abcd,aecd->abed', images, images)",
        ),
        Example(f"{_SCORES}y = tf.transpose(y, [0, 2, 3, 1])", ""),
    ),
    is_last=True,
)
