"""How the updates of a training step clip gradients, as an argument of the optimizers of Keras."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tf2bridge.decompile.idioms.layer import shortest
from tf2bridge.decompile.idioms.matching import match, number
from tf2bridge.decompile.ir import Node, Value, array_of
from tf2bridge.decompile.training.gradients import DENSE, VALUES
from tf2bridge.decompile.training.lanes import Item, leaf_of
from tf2bridge.decompile.training.lists import LIST
from tf2bridge.internals.framework import op_def_registry

_SUM = "Sum(Mul(g, g), axes)"
_NORM = f"Select(Greater({_SUM}, 0.0), Sqrt(Select(Greater({_SUM}, 0.0), {_SUM}, ones)), {_SUM})"


class NoCounterpartError(Exception):
    """Keras has nothing for a part of a training step. The message is a reason for the report."""


def inputs_of_operation(node: Node) -> dict[str, Value]:
    """Returns the name of each input of an operation -> the value."""
    names = [argument.name for argument in op_def_registry.get(node.op).input_arg]
    return dict(zip(names, node.inputs, strict=True))


def clipping(nodes: Sequence[Node], role: str) -> dict[str, Any]:
    """Returns the argument of Keras that clips gradients as the updates do, or none if they do not."""
    kinds = {_clip(node, inputs_of_operation(node)[role], len(nodes)) for node in nodes}
    if len(kinds) > 1:
        raise NoCounterpartError("gradients of variables are clipped in different ways")
    argument, limit = kinds.pop()
    return {argument: limit} if argument else {}


def _clip(node: Node, gradient: Value, count: int) -> tuple[str, float]:
    owner = gradient.node
    leaf = leaf_of(gradient)
    if leaf is not None and isinstance(leaf[0], Item) and leaf[1] in (DENSE, VALUES):
        if not isinstance(leaf[0].owner, Node):
            return "", 0.0
        limit = number(owner.inputs[-1]) if len(owner.inputs) == owner.attributes["count"] + 1 else None
        if owner.op == LIST and owner.attributes["count"] == count and limit is not None:
            return "global_clipnorm", shortest(limit)
    names = match(gradient, "UnsortedSegmentSum(values, Unique(indices)[1], count)")
    if names is not None and _part(names["values"]) == VALUES:  # TensorFlow adds up the rows of one index
        return "", 0.0
    names = match(gradient, "ClipByValue(g, low, high)") or match(gradient, "Maximum(Minimum(g, high), low)")
    if names is not None and _part(names["g"]) == DENSE:
        low, high = number(names["low"]), number(names["high"])
        if low is not None and high is not None and low == -high:
            return "clipvalue", shortest(high)
    limit = _norm_limit(node, gradient)
    if limit is not None:
        return "clipnorm", limit
    raise NoCounterpartError(f"no argument of Keras computes the gradient that {node.name} takes")


def _norm_limit(node: Node, gradient: Value) -> float | None:
    """Returns the limit of the norm that a gradient is clipped to, as `tf.clip_by_norm` of 1.12 to 1.15 does it."""
    names = match(gradient, "RealDiv(scaled, Maximum(norm, limit))")
    limit = number(names["limit"]) if names else None
    norm = match(names["norm"], _NORM) if names else None
    if names is None or limit is None or norm is None or _part(norm["g"]) != DENSE:
        return None
    scaled = match(names["scaled"], "Mul(g, limit)", {"g": norm["g"]})
    is_scaled = number(scaled["limit"]) == limit if scaled else limit == 1 and names["scaled"] == norm["g"]
    axes, shape = array_of(norm["axes"]), node.inputs[0].spec.shape
    is_whole = axes is not None and shape is not None and sorted(axes.reshape(-1)) == list(range(len(shape)))
    return shortest(limit) if is_scaled and is_whole else None


def _part(value: Value) -> str | None:
    """Returns the part of a gradient that a value is; None if it is anything else."""
    leaf = leaf_of(value)
    if leaf is None or not isinstance(leaf[0], Item) or isinstance(leaf[0].owner, Node):
        return None
    return leaf[1]
