"""The ways of taking a gradient that the measurements tell apart, made from `gradient_facts.facts`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

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
"""Later version of an operation -> the first one. The gradients of both are the same."""

_WHATEVER_SHAPES = (
    "Gather",
    "Softmax",
    "SparseSoftmaxCrossEntropyWithLogits",
    *(f"TensorArray{name}V2" for name in ("Read", "Write", "Gather", "Scatter")),
)
"""Operations whose gradients differ by the same number of operations for all shapes."""


def way(facts: Facts) -> str:
    """Returns the way: the kind of operation, what is known of its shapes, and what its gradients are."""
    kind = str(_EARLIER.get(facts["type"], facts["type"]))
    inputs = facts["inputs"]
    parts: list[str] = [kind, "" if kind in _WHATEVER_SHAPES else ",".join(_known(shape) for shape in inputs[:4])]
    parts += [f"of {len(inputs)}"] if len(inputs) > 4 else []
    parts += ["slices"] if any(facts["slices"]) else []
    parts += ["" if all(facts["given"]) else f"{sum(facts['given'])} given"]
    parts += ["inside"] if facts["inside"] else []
    return " ".join(part for part in parts if part)


def _known(shape: Shape) -> str:
    if shape is None:
        return "unknown"
    return "scalar" if not shape else "partial" if None in shape else "static"
