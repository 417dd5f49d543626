"""Patterns of a tensor that is normalized by moments of its own, with scale and offset."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tf2bridge.decompile.idioms.layer import scope_of
from tf2bridge.decompile.idioms.matching import match, number
from tf2bridge.decompile.idioms.rule import Context, known_shape, shape_of
from tf2bridge.decompile.ir import Node, Value

_NORMALIZED = (
    "Mul(Sub(x, mean), Rsqrt(Add(variance, epsilon)))",
    "RealDiv(Sub(x, mean), Sqrt(Add(variance, epsilon)))",
    "RealDiv(Sub(x, mean), Pow(Add(variance, epsilon), 0.5))",
)
_WHOLES = (
    "Add(Mul(x, Mul(Rsqrt(Add(variance, epsilon)), gamma)), "
    "Sub(beta, Mul(mean, Mul(Rsqrt(Add(variance, epsilon)), gamma))))",
    "Add(Mul(x, Rsqrt(Add(variance, epsilon))), Sub(beta, Mul(mean, Rsqrt(Add(variance, epsilon)))))",
    "Add(Mul(x, Mul(Rsqrt(Add(variance, epsilon)), gamma)), Mul(Neg(mean), Mul(Rsqrt(Add(variance, epsilon)), gamma)))",
    *(f"Add(Mul({normalized}, gamma), beta)" for normalized in _NORMALIZED),
    "Add(RealDiv(Mul(Sub(x, mean), gamma), Sqrt(Add(variance, epsilon))), beta)",
)
_VARIANCES = (
    "Mean(SquaredDifference(x, StopGradient(mean)), axes)",
    "Mean(SquaredDifference(x, mean), axes)",
    "Mean(Square(Sub(x, mean)), axes)",
    "Mean(Pow(Sub(x, mean), 2.0), axes)",
    "Mean(Mul(Sub(x, mean), Sub(x, mean)), axes)",
)


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


def normalized(node: Node, context: Context) -> Normalized | None:
    """Returns what a node normalizes, or None."""
    if node.outputs[0].dtype.name not in ("float32", "float64"):  # Keras computes half precision in another way
        return None
    for names in _found(node):
        epsilon, shape = number(names["epsilon"]), shape_of(names["x"])
        axes = _axes(names, len(shape)) if shape else None
        parameters: dict[str, Value] = {name: names[name] for name in ("gamma", "beta") if name in names}
        weights = {name: context.variable(value) for name, value in parameters.items()}
        named = {name: variable for name, variable in weights.items() if variable is not None}
        sizes = {known_shape(value) for value in parameters.values()}
        size = sizes.pop()
        if axes and epsilon and epsilon > 0 and size is not None and not sizes and len(named) == len(weights):
            rounded = float(np.format_float_positional(np.float32(epsilon), unique=True))
            return Normalized(names["x"], axes, rounded, named, size, next(iter(parameters.values())))
    return None


def normalization_scope(node: Node) -> str:
    """Returns the name scope of a normalization, without that of the function that ends it."""
    scope = scope_of(node.name)
    return scope_of(scope) if scope.endswith(("/batchnorm", "/instancenorm")) else scope


def _found(node: Node) -> Iterator[dict[str, Value]]:
    """Yields what the names of the patterns stand for, of those that match."""
    for whole in _WHOLES:
        names = match(Value(node, 0), whole)
        for variance in _VARIANCES if names else ():
            found = match(names["variance"], variance, names) if names else None
            both = match(found["mean"], "Mean(x, axes_of_mean)", found) if found else None
            if both:
                yield both


def _axes(names: dict[str, Value], rank: int) -> list[int] | None:
    """Returns the axes that both moments are over, or None. They must keep these axes."""
    wanted = []
    for value, axes in ((names["mean"], names["axes_of_mean"]), (names["variance"], names["axes"])):
        if axes.node.op != "Const" or not value.node.attributes["keep_dims"]:
            return None
        wanted.append(sorted(int(axis) % rank for axis in axes.node.attributes["value"].reshape(-1)))
    return wanted[0] if wanted[0] == wanted[1] else None
