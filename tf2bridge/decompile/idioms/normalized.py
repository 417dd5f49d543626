"""Patterns of a tensor that is normalized by moments of its own, with scale and offset."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tf2bridge.decompile.idioms.layer import Layer, dtype_keyword, keywords, layer_node, scope_of, shortest
from tf2bridge.decompile.idioms.matching import match, number
from tf2bridge.decompile.idioms.moments import VARIANCES
from tf2bridge.decompile.idioms.rule import Context, known_shape, shape_of
from tf2bridge.decompile.ir import Node, Value

_NORMALIZED = (
    "Mul(Sub(x, mean), Rsqrt(Add(variance, epsilon)))",
    "RealDiv(Sub(x, mean), Sqrt(Add(variance, epsilon)))",
    "RealDiv(Sub(x, mean), Pow(Add(variance, epsilon), 0.5))",
)
INVERSES = ("Mul(Rsqrt(Add(variance, epsilon)), gamma)", "Rsqrt(Add(variance, epsilon))")
"""What a tensor is multiplied with, with and without a scale."""
WITH_OFFSET = tuple(f"Add(Mul(x, {inverse}), Sub(beta, Mul(mean, {inverse})))" for inverse in INVERSES)
"""What `tf.nn.batch_normalization` computes with an offset, with and without a scale."""
WITHOUT_OFFSET = tuple(f"Add(Mul(x, {inverse}), Mul(Neg(mean), {inverse}))" for inverse in INVERSES)
"""The same without an offset."""
WHOLES = (
    *WITH_OFFSET,
    WITHOUT_OFFSET[0],
    f"Add(Mul(x, {INVERSES[0]}), Add(Mul(Mul(Neg(mean), {INVERSES[1]}), gamma), beta))",
    *(f"Add(Mul({normalized}, gamma), beta)" for normalized in _NORMALIZED),
    "Add(RealDiv(Mul(Sub(x, mean), gamma), Sqrt(Add(variance, epsilon))), beta)",
)
"""A normalized tensor with scale and offset, or with one of both, as people write it."""
WITHOUT_BOTH = (WITHOUT_OFFSET[1], *_NORMALIZED)
"""A normalized tensor without scale and offset."""
_DEFAULTS = {"axis": -1, "center": True, "scale": True}


@dataclass(frozen=True)
class Normalized:
    """A tensor that a node normalizes.

    Attributes:
        x: The tensor, of known rank.
        axes: The axes of the moments, in order.
        epsilon: What is added to the variance.
        weights: "gamma" and "beta", or one of them -> the old name of the variable.
        parameters: The shape of these variables.
        dtype: A value that has their type.
    """

    x: Value
    axes: list[int]
    epsilon: float
    weights: dict[str, str]
    parameters: tuple[int, ...]
    dtype: Value


def normalized(node: Node, context: Context, in_groups: bool = False, rank: int | None = None) -> Normalized | None:
    """Returns what a node normalizes, or None.

    Args:
        node: The node.
        context: The graph.
        in_groups: Scale and offset are variables in the shape of groups of channels.
        rank: The rank of the tensor, where its shape does not tell.
    """
    if node.outputs[0].dtype.name not in ("float32", "float64"):  # Keras computes half precision in another way
        return None
    for names in _matches(node):
        epsilon, shape = number(names["epsilon"]), shape_of(names["x"])
        rank_of_x = len(shape) if shape else rank
        axes = _axes(names, rank_of_x) if rank_of_x else None
        parameters: dict[str, Value] = {name: names[name] for name in ("gamma", "beta") if name in names}
        if in_groups:
            if not all(_is_in_groups(value, names["x"]) for value in parameters.values()):
                continue
            parameters = {name: value.node.inputs[0] for name, value in parameters.items()}
        weights = {name: context.variable(value) for name, value in parameters.items()}
        named = {name: variable for name, variable in weights.items() if variable is not None}
        sizes = {known_shape(value) for value in parameters.values()}
        size = sizes.pop()
        if axes and epsilon and epsilon > 0 and size is not None and not sizes and len(named) == len(weights):
            return Normalized(names["x"], axes, shortest(epsilon), named, size, next(iter(parameters.values())))
    return None


def normalization_layer(node: Node, part: Normalized, kind: str, positional: tuple[int, ...], axis: Any = -1) -> Node:
    """Returns the call of a layer that normalizes.

    Args:
        node: The node that the layer stands for.
        part: What it normalizes.
        kind: The class of the layer.
        positional: Its positional arguments.
        axis: Its argument `axis`.
    """
    weights = tuple(part.weights.items())
    options = keywords(_DEFAULTS, axis=axis, center="beta" in part.weights, scale="gamma" in part.weights)
    options = (("epsilon", part.epsilon), *options, *dtype_keyword(part.dtype))
    scope = scope_of(node.name)
    scope = scope_of(scope) if scope.endswith(("/batchnorm", "/instancenorm")) else scope
    return layer_node(node, Layer(kind, positional, weights, options, scope), [part.x], outputs=[part.x.spec])


def _matches(node: Node) -> Iterator[dict[str, Value]]:
    """Yields what the names of the patterns stand for, of those that match."""
    for pattern in WHOLES:
        names = match(Value(node, 0), pattern)
        for variance in VARIANCES if names else ():
            with_variance = match(names["variance"], variance, names) if names else None
            with_both = match(with_variance["mean"], "Mean(x, axes_of_mean)", with_variance) if with_variance else None
            if with_both:
                yield with_both


def _is_in_groups(value: Value, x: Value) -> bool:
    """Returns True for a value in the shape of the last two axes of a tensor, with one element on each axis before."""
    shape, of_x = shape_of(value), shape_of(x)
    return value.node.op == "Reshape" and of_x is not None and shape == (*[1] * (len(of_x) - 2), *of_x[-2:])


def _axes(names: dict[str, Value], rank: int) -> list[int] | None:
    """Returns the axes that both moments are over, or None. They must keep these axes."""
    wanted = []
    for value, axes in ((names["mean"], names["axes_of_mean"]), (names["variance"], names["axes"])):
        if axes.node.op != "Const" or not value.node.attributes["keep_dims"]:
            return None
        wanted.append(sorted(int(axis) % rank for axis in axes.node.attributes["value"].reshape(-1)))
    return wanted[0] if wanted[0] == wanted[1] else None
