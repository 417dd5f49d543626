"""In what the bodies of two loops, branches or input pipelines differ: sets of nodes whose values cannot be fetched.

They are held against each other by the names of the nodes where these are the same, and else by their types and
constants.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from tf2bridge.formats.checkpoints.names import modern
from tf2bridge.formats.graphs.nodes import data_inputs, endpoint, node_of
from tf2bridge.graph.constants import value_of
from tf2bridge.graph.passes.frames import SWITCH
from tf2bridge.proof.diverging.alike import plain, same
from tf2bridge.proof.diverging.divergence import shown
from tf2bridge.proof.diverging.unequal import differing
from tf2bridge.proof.diverging.view import attributes

Body = Mapping[str, Any]
"""Name -> NodeDef."""
FRAME = (
    *("Enter", "Exit", "Merge", "Switch", "NextIteration", "LoopCond", "Less", "LogicalAnd", "Identity", "Const"),
    *("Stack", "StackPush", "StackPop", "TensorArray", "TensorArrayRead", "TensorArrayWrite", "TensorArrayGather"),
    *("TensorArrayScatter", "TensorArraySize", "TensorArrayGrad", "Shape", "StridedSlice", "Range", "Pack", "Cast"),
    *("Squeeze", "ExpandDims", "GreaterEqual", "Reshape", "NoOp", "ControlTrigger"),
    *("PrefetchDataset", "ModelDataset", "OptionsDataset", "OneShotIterator", "Iterator", "MakeIterator"),
    *("AnonymousSeedGenerator", "DummySeedGenerator", "Assert", "All", "Print"),
)
"""Types that loops and pipelines are made of: releases differ in them."""
_COUNTING = ("Add", "Sub", "Maximum", "Minimum", "Max", "Min")
"""Types that count the turns of a loop, where they are given integers."""
_FLOATING = (1, 2, 14, 19)
"""DT_FLOAT, DT_DOUBLE, DT_BFLOAT16 and DT_HALF of tensorflow/core/framework/types.proto."""


def unlike(there: Body, here: Body) -> str:
    """Returns in what two bodies differ, for people: ops of one name, or ops that one side alone has; else empty."""
    renamed = {modern(name): node for name, node in here.items()}
    for name, node in there.items():
        other = renamed.get(modern(name))
        said = _other(node, other) if other is not None else ""
        if said:
            return said
    return _other_ops(there, here) or _other_branch(there, renamed)


def _other_branch(there: Body, renamed: Body) -> str:
    """The first op that stands in the branch of true on one side, and in that of false on the other."""
    for name, node in there.items():
        other = renamed.get(modern(name))
        for old, new in zip(data_inputs(node), data_inputs(other) if other is not None else (), strict=False):
            source = there.get(node_of(old))
            is_one = source is not None and source.op in SWITCH and modern(node_of(old)) == modern(node_of(new))
            branches = [str(endpoint(end).endswith(":1")).lower() for end in (old, new)]
            if is_one and branches[0] != branches[1]:
                return f"{name} runs where the condition is {branches[0]} there, and where it is {branches[1]} here"
    return ""


def _other(node: Any, other: Any) -> str:
    """In what two nodes of one name differ; empty for nothing."""
    if node.op == other.op == "Const" and node.attr["value"] != other.attr["value"]:
        old, new = value_of(node), value_of(other)
        if old.dtype == new.dtype and old.dtype != object and (old.shape != new.shape or (old != new).any()):
            return f"{node.name} is {shown(old)} there and {shown(new)} here"
        return ""
    if same(node.op, other.op) and plain(node.op) not in FRAME:
        for name, (old, new) in differing(attributes(node), attributes(other)).items():
            return f"{name} of {node.name} is {old} there and {new} here"
    return ""


def _other_ops(there: Body, here: Body) -> str:
    """The ops, with the numbers that they take, of which one side has more."""
    old, mine = _computing(there), _computing(here)
    gone, new = list((old - mine).elements()), list((mine - old).elements())
    for op, numbers in [*gone]:  # later versions of an op take more numbers, as the axis of a Gather
        version = next((each for each in new if each[0] == op and len(each[1]) != len(numbers)), None)
        if version is not None:
            gone.remove((op, numbers))
            new.remove(version)
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


def _computing(inner: Body) -> Counter[tuple[str, tuple[float, ...]]]:
    """The types of the ops that compute, each with the single numbers that it is given."""
    found: Counter[tuple[str, tuple[float, ...]]] = Counter()
    for node in inner.values():
        counts = plain(node.op) in _COUNTING and node.attr["T"].type not in _FLOATING
        if plain(node.op) in FRAME or counts:
            continue
        numbers = [_number(inner, source) for source in data_inputs(node)]
        said = [attributes(node)["epsilon"]] if "epsilon" in node.attr else []
        found[plain(node.op), tuple(sorted([*said, *(number for number in numbers if number is not None)]))] += 1
    return found


def _number(inner: Body, source: str) -> float | None:
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
