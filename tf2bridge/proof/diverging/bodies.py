"""Differences between the bodies of two loops, branches or input pipelines, whose values cannot be fetched.

Nodes are compared by their names if both bodies have them, else by their types and constants.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from tf2bridge.formats.checkpoints.names import modern
from tf2bridge.formats.graphs.nodes import data_inputs, endpoint, node_of
from tf2bridge.graph.new_nodes import value_of
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
"""Types of ops that build loops and pipelines. They differ between releases."""
_COUNTING = ("Add", "Sub", "Maximum", "Minimum", "Max", "Min")
"""Types of ops that, with integers, count the iterations of a loop."""
_FLOATING = (1, 2, 14, 19)
"""DT_FLOAT, DT_DOUBLE, DT_BFLOAT16 and DT_HALF of tensorflow/core/framework/types.proto."""


def unlike(old: Body, new: Body) -> str:
    """Returns the first difference of two bodies as text for people, or "" for none.

    Ops with one name may differ, or one side may have ops that the other lacks.
    """
    renamed = {modern(name): node for name, node in new.items()}
    for name, node in old.items():
        counterpart = renamed.get(modern(name))
        difference = _other(node, counterpart) if counterpart is not None else ""
        if difference:
            return difference
    return _other_ops(old, new) or _other_branch(old, renamed)


def _other_branch(old_body: Body, renamed: Body) -> str:
    """Returns a text about the first op that runs for opposite conditions on both sides; "" for none."""
    for name, node in old_body.items():
        counterpart = renamed.get(modern(name))
        for old, new in zip(
            data_inputs(node), data_inputs(counterpart) if counterpart is not None else (), strict=False
        ):
            source = old_body.get(node_of(old))
            is_one = source is not None and source.op in SWITCH and modern(node_of(old)) == modern(node_of(new))
            branches = [str(endpoint(end).endswith(":1")).lower() for end in (old, new)]
            if is_one and branches[0] != branches[1]:
                return f"{name} runs where the condition is {branches[0]} there, and where it is {branches[1]} here"
    return ""


def _other(node: Any, counterpart: Any) -> str:
    """Returns the difference between two nodes of one name, or "" for none."""
    if node.op == counterpart.op == "Const" and node.attr["value"] != counterpart.attr["value"]:
        old, new = value_of(node), value_of(counterpart)
        if old.dtype == new.dtype and old.dtype != object and (old.shape != new.shape or (old != new).any()):
            return f"{node.name} is {shown(old)} there and {shown(new)} here"
        return ""
    if same(node.op, counterpart.op) and plain(node.op) not in FRAME:
        for name, (old, new) in differing(attributes(node), attributes(counterpart)).items():
            return f"{name} of {node.name} is {old} there and {new} here"
    return ""


def _other_ops(old_body: Body, new_body: Body) -> str:
    """Returns a text about the ops that one side has more often, with their constant inputs."""
    old, mine = _computing(old_body), _computing(new_body)
    gone, new = list((old - mine).elements()), list((mine - old).elements())
    for op, numbers in [*gone]:  # later versions of an op take more numbers, as the axis of a Gather
        version = next(
            (candidate for candidate in new if candidate[0] == op and len(candidate[1]) != len(numbers)), None
        )
        if version is not None:
            gone.remove((op, numbers))
            new.remove(version)
    for op, numbers in gone:
        for other, others in new:
            if op == other and len(numbers) == len(others) and numbers != others:
                return f"{op} of {_text(numbers)} there stands against {op} of {_text(others)} here"
    if not gone and not new:
        return ""
    kinds = {op for op, _ in gone}, {op for op, _ in new}
    alone = kinds[0] - kinds[1], kinds[1] - kinds[0]
    texts = [", ".join(sorted(side)) or "nothing" for side in (alone if any(alone) else kinds)]
    return f"{texts[0]} there stands against {texts[1]} here"


def _computing(inner: Body) -> Counter[tuple[str, tuple[float, ...]]]:
    """Counts the types of the ops that compute, each with its constant inputs of one number."""
    counts: Counter[tuple[str, tuple[float, ...]]] = Counter()
    for node in inner.values():
        is_counter = plain(node.op) in _COUNTING and node.attr["T"].type not in _FLOATING
        if plain(node.op) in FRAME or is_counter:
            continue
        numbers = [_number(inner, source) for source in data_inputs(node)]
        epsilon = [attributes(node)["epsilon"]] if "epsilon" in node.attr else []
        counts[plain(node.op), tuple(sorted([*epsilon, *(number for number in numbers if number is not None)]))] += 1
    return counts


def _number(inner: Body, source: str) -> float | None:
    """Returns the number of an input that is a floating-point constant of the body; else None."""
    node = inner.get(node_of(source))
    while node is not None and node.op in ("Identity", "Enter"):
        node = inner.get(node_of(node.input[0]))
    if node is None or node.op != "Const":
        return None
    value = value_of(node)
    return float(np.ravel(value)[0]) if value.size == 1 and value.dtype.kind in "fiu" else None


def _text(numbers: tuple[float, ...]) -> str:
    return ", ".join(f"{number:.6g}" for number in numbers)
