"""Inputs that are probabilities of dropout: with the value of inference, a graph draws no random numbers that show."""

from __future__ import annotations

from typing import Any

from tf2bridge.decompile.idioms.matching import match
from tf2bridge.decompile.ir import Function, Kind, Node, Value, all_nodes

_RANDOM = ("RandomUniform(shape)", "Add(RandomUniform(shape), start)", "Add(Mul(RandomUniform(shape), range), start)")
_SAME = ("Identity", "Cast", "Reshape", "StopGradient")


def kept_part(node: Node) -> Value | None:
    """Returns the probability that dropout up to 1.12 adds to random numbers, or None if a node does no such thing."""
    names = match(Value(node, 0), "Floor(Add(keep, random))") if node.op == "Floor" else None
    if names and any(match(names["random"], pattern) for pattern in _RANDOM):
        return names["keep"]
    return None


def probabilities(function: Function) -> dict[str, Any]:
    """Returns the name of each input that is a probability of dropout -> its value for inference: 1 if it is kept."""
    values: dict[str, Any] = {}
    for node in all_nodes(function):
        keep = kept_part(node)
        rate = _dropped_part(node) if keep is None else match(_origin(keep), "Sub(1, rate)")
        if keep is not None and (origin := _origin(keep)).node.op == Kind.PARAMETER:
            values[origin.node.name] = _as(origin, 1)
        elif rate is not None and (origin := _origin(rate["rate"])).node.op == Kind.PARAMETER:
            values[origin.node.name] = _as(origin, 0)
    return {name: value for name, value in values.items() if value is not None}


def _dropped_part(node: Node) -> dict[str, Value] | None:
    """Returns the rate that dropout from 1.13 on compares random numbers with."""
    names = match(Value(node, 0), "GreaterEqual(random, rate)") if node.op == "GreaterEqual" else None
    return names if names and any(match(names["random"], pattern) for pattern in _RANDOM) else None


def _origin(value: Value) -> Value:
    while value.node.op in _SAME:
        value = value.node.inputs[0]
    return value


def _as(origin: Value, number: int) -> Any:
    """Returns a number as a value of an input, or None if the input is no scalar."""
    dtype, shape = origin.spec
    return dtype.as_numpy_dtype(number) if not shape and dtype.is_floating else None
