"""The ways of taking a gradient that the measurements tell apart, made from `gradient_facts.facts`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tf2bridge.v1.seeds.gradient_facts import REDUCTIONS

Shape = list[int | None] | None
Facts = Mapping[str, Any]

_EARLIER = {
    "AddV2": "Add",
    "SelectV2": "Select",
    "BatchMatMulV2": "BatchMatMul",
    "BatchMatMulV3": "BatchMatMul",
    "GatherV2": "Gather",
    **{f"TensorArray{name}V3": f"TensorArray{name}V2" for name in ("Read", "Write", "Gather", "Scatter")},
}
"""Names that operations had before their later versions; gradients of both do the same."""

_WHATEVER_SHAPES = ("Gather",)
"""Operations whose gradients differ by the same number of operations for all shapes."""

_ELEMENTWISE = {"Add", "Sub", "Mul", "Div", "RealDiv", "Pow", "Maximum", "Minimum", "SquaredDifference", "FloorDiv"}


def way(facts: Facts, seen: set[str]) -> str:
    """Returns the way; `seen` holds what the graph's gradients met before, as 1.15 keeps some results for a graph."""
    kind = str(_EARLIER.get(facts["type"], facts["type"]))
    inputs = facts["inputs"]
    shapes = "" if kind in _WHATEVER_SHAPES else ",".join(_known(shape) for shape in inputs[:4])
    parts: list[str] = [kind, shapes]
    parts += [f"of {len(inputs)}"] if len(inputs) > 4 else []
    memory = ""
    if kind in _ELEMENTWISE:
        parts.append(broadcast(*inputs))
        memory = f"{inputs}" if parts[1] != "static,static" or inputs[0] != inputs[1] else ""
    elif kind in REDUCTIONS:
        parts.append(_reduced(inputs[0], facts["axes"]) + " kept" * facts["keep"] + _computed(facts))
        memory = f"{inputs[0]} {facts['axes']}" if parts[-1].startswith("some") else ""
    if memory and not {"partial", "unknown"} & set(parts[1].split(",")):
        parts += ["again"] if memory in seen else []
        seen.add(memory)
    parts += ["slices"] if any(facts["slices"]) else []
    parts += ["" if all(facts["given"]) else f"{sum(facts['given'])} given"]
    parts += ["inside"] if facts["inside"] else []
    return " ".join(part for part in parts if part)


def _known(shape: Shape) -> str:
    if shape is None:
        return "unknown"
    return "scalar" if not shape else "partial" if None in shape else "static"


def _reduced(shape: Shape, axes: list[int] | None) -> str:
    if axes is None or shape is None:
        return "tensor"
    return "all" if axes == list(range(len(shape))) else "some"


def _computed(facts: Facts) -> str:
    """Says of the reduction of a tensor to a scalar that its axes are no constant: 0.12 did not evaluate them."""
    return " computed" * (facts["computed"] and bool(facts["inputs"][0]))


def broadcast(one: Shape, two: Shape) -> str:
    """Says which of two shapes was certainly broadcast ("first", "second", "both", "equal"), "" where that is open."""
    if one is None or two is None:
        return ""
    rank = max(len(one), len(two))
    pairs = zip([1] * (rank - len(one)) + one, [1] * (rank - len(two)) + two, strict=True)
    first, second = len(one) < rank, len(two) < rank
    for a, b in pairs:
        if a == 1 and b != 1:
            first = True
        elif b == 1 and a != 1:
            second = True
        elif a is None or b is None:
            return ""
    return "both" if first and second else "first" if first else "second" if second else "equal"
