"""Patterns of nodes, written as calls: `Add(Mul(x, scale), Sub(beta, Mul(mean, scale)))`.

A name that begins with a lower-case letter stands for any value, and for the same value wherever it stands. A name that
begins with a capital letter is the type of a node; `(Add | BiasAdd)(x, bias)` matches both types. A number stands for a
constant of one element with this value. `Split(axis, x)[1]` is the second output. Inputs of operations that commute
match in both orders.
"""

from __future__ import annotations

import ast
import functools
import math
from collections.abc import Iterator, Mapping
from typing import Any

from tf2bridge.decompile.ir import Value, array_of

_COMMUTE = ("Add", "AddV2", "Mul", "Maximum", "Minimum", "SquaredDifference")
_ALIASES = {
    "Add": ("Add", "AddV2"),
    "BatchMatMul": ("BatchMatMul", "BatchMatMulV2"),
    "Gather": ("Gather", "GatherV2", "ResourceGather"),
}
"""The type in a pattern -> the types that it matches: later versions of an operation compute the same."""
_RELATIVE = 1e-6
"""How far a constant may be from a number of a pattern: numbers are written in decimals, constants are float32."""


def match(value: Value, pattern: str, bound: Mapping[str, Value] | None = None) -> dict[str, Value] | None:
    """Returns the name -> the value that it stands for, or None if the pattern does not match.

    Args:
        value: The value that the whole pattern stands for.
        pattern: The pattern.
        bound: Names that stand for values already.
    """
    return next(_matches(value, _parsed(pattern), dict(bound or {})), None)


def number(value: Value) -> float | None:
    """Returns the number that a constant of one element is, or None."""
    array = array_of(value)
    if array is None or array.size != 1 or array.dtype.kind not in "fiub":
        return None
    return float(array.reshape(-1)[0])


def is_size(value: Value, x: Value, axis: int) -> bool:
    """Returns True if a value is `tf.shape(x)[axis]`."""
    names = match(value, "StridedSlice(Shape(x), begin)", {"x": x})
    return names is not None and value.node.attributes["shrink_axis_mask"] == 1 and number(names["begin"]) == axis


@functools.cache
def _parsed(pattern: str) -> ast.expr:
    return ast.parse(pattern, mode="eval").body


def _matches(value: Value, pattern: ast.expr, bound: dict[str, Value]) -> Iterator[dict[str, Value]]:
    port = 0
    if isinstance(pattern, ast.Subscript):
        port, pattern = ast.literal_eval(pattern.slice), pattern.value
    if isinstance(pattern, ast.Name):
        if bound.get(pattern.id, value) == value:
            yield {**bound, pattern.id: value}
    elif isinstance(pattern, ast.Call):
        if value.port == port and value.node.op in _types(pattern.func) and len(value.node.inputs) >= len(pattern.args):
            yield from _inputs_match(value, pattern.args, bound)
    else:
        expected: Any = ast.literal_eval(pattern)
        constant = number(value)
        if constant is not None and math.isclose(constant, expected, rel_tol=_RELATIVE):
            yield bound


def _inputs_match(value: Value, patterns: list[ast.expr], bound: dict[str, Value]) -> Iterator[dict[str, Value]]:
    orders = [patterns]
    if value.node.op in _COMMUTE and len(patterns) == 2:
        orders.append(patterns[::-1])
    for order in orders:
        matches = [bound]
        for given, wanted in zip(value.node.inputs, order, strict=False):
            matches = [further for names in matches for further in _matches(given, wanted, names)]
        yield from matches


@functools.cache
def _types(function: ast.expr) -> tuple[str, ...]:
    if isinstance(function, ast.BinOp):
        return _types(function.left) + _types(function.right)
    assert isinstance(function, ast.Name)
    return _ALIASES.get(function.id, (function.id,))
