"""An op within a loop or a branch is another: of another type, with another constant or attribute.

Values within loops cannot be fetched. The bodies are held against each other by what their ops compute: by the names of
the ops where these are the same, and else by their types and constants.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from tf2bridge.checkpoint.names import modern
from tf2bridge.graph.constants import value_of
from tf2bridge.graph.nodes import data_inputs, node_of
from tf2bridge.proof.diverging.alike import plain, same
from tf2bridge.proof.diverging.divergence import shown
from tf2bridge.proof.diverging.ops_seen import Evidence, OpSeen
from tf2bridge.proof.diverging.unequal import differing
from tf2bridge.proof.diverging.view import attributes

RANK = 50
_FRAME = (
    *("Enter", "Exit", "Merge", "Switch", "NextIteration", "LoopCond", "Less", "LogicalAnd", "Identity", "Const"),
    *("Stack", "StackPush", "StackPop", "TensorArray", "TensorArrayRead", "TensorArrayWrite", "TensorArrayGather"),
    *("TensorArrayScatter", "TensorArraySize", "TensorArrayGrad", "Shape", "StridedSlice", "Range", "Pack", "Cast"),
    *("Squeeze", "ExpandDims", "GreaterEqual", "Reshape", "NoOp", "ControlTrigger"),
)
"""Types that loops are made of: releases differ in them."""
_COUNTING = ("Add", "Sub", "Maximum", "Minimum", "Max", "Min")
"""Types that count the turns of a loop, where they are given integers."""
_FLOATING = (1, 2, 14, 19)
"""DT_FLOAT, DT_DOUBLE, DT_BFLOAT16 and DT_HALF of tensorflow/core/framework/types.proto."""


def likely(evidence: Evidence) -> str | None:
    """Speaks where ops of one name differ, or one side has ops that the other has not."""
    theirs, ours = evidence.theirs, evidence.ours
    if theirs is None or ours is None or not theirs.inner or not ours.inner:
        return None
    within = f"within {theirs.loop or theirs.name}"
    here = {modern(name): node for name, node in ours.inner.items()}
    for name, node in theirs.inner.items():
        other = here.get(modern(name))
        said = _other(node, other) if other is not None else ""
        if said:
            return f"{within}, {said}"
    said = _other_ops(theirs, ours)
    return f"{within}, {said}" if said else None


def _other(node: Any, other: Any) -> str:
    """In what two nodes of one name differ; empty for nothing."""
    if node.op == other.op == "Const" and node.attr["value"] != other.attr["value"]:
        old, new = value_of(node), value_of(other)
        if old.dtype == new.dtype and (old.shape != new.shape or (old != new).any()):
            return f"{node.name} is {shown(old)} there and {shown(new)} here"
        return ""
    if same(node.op, other.op) and plain(node.op) not in _FRAME:
        for name, (old, new) in differing(attributes(node), attributes(other)).items():
            return f"{name} of {node.name} is {old} there and {new} here"
    return ""


def _other_ops(theirs: OpSeen, ours: OpSeen) -> str:
    """The ops, with the numbers that they take, of which one side has more."""
    there, here = (_computing(op.inner) for op in (theirs, ours))
    gone, new = list((there - here).elements()), list((here - there).elements())
    for op, numbers in gone:
        for other, others in new:
            if op == other and len(numbers) == len(others) and numbers != others:
                return f"{op} of {_said(numbers)} there stands against {op} of {_said(others)} here"
    if not gone and not new:
        return ""
    kinds = {op for op, _ in gone}, {op for op, _ in new}
    alone = kinds[0] - kinds[1], kinds[1] - kinds[0]
    said = [", ".join(sorted(side)) or "nothing" for side in (alone if any(alone) else kinds)]
    return f"{said[0]} there stands against {said[1]} here"


def _computing(inner: Mapping[str, Any]) -> Counter[tuple[str, tuple[float, ...]]]:
    """The types of the ops that compute, each with the single numbers that it is given."""
    found: Counter[tuple[str, tuple[float, ...]]] = Counter()
    for node in inner.values():
        counts = plain(node.op) in _COUNTING and node.attr["T"].type not in _FLOATING
        if plain(node.op) in _FRAME or counts:
            continue
        numbers = [_number(inner, source) for source in data_inputs(node)]
        said = [attributes(node)["epsilon"]] if "epsilon" in node.attr else []
        found[plain(node.op), tuple(sorted([*said, *(number for number in numbers if number is not None)]))] += 1
    return found


def _number(inner: Mapping[str, Any], source: str) -> float | None:
    """The single floating number that an input is, where it is a constant of the body."""
    node = inner.get(node_of(source))
    while node is not None and node.op in ("Identity", "Enter"):
        node = inner.get(node_of(node.input[0]))
    if node is None or node.op != "Const":
        return None
    value = value_of(node)
    return float(np.ravel(value)[0]) if value.size == 1 and value.dtype.kind in "fiu" else None


def _said(numbers: tuple[float, ...]) -> str:
    return ", ".join(f"{number:.6g}" for number in numbers)
