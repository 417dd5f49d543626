"""Types of operations that do the same: later releases and resource variables have types of their own."""

from __future__ import annotations

import re

from tf2bridge.formats.checkpoints.names import modern
from tf2bridge.formats.graphs.nodes import node_of

_FAMILIES = (
    ("Add", "AddV2", "AddN", "Sum2"),
    ("Div", "RealDiv", "TruncateDiv", "FloorDiv", "DivNoNan"),
    ("Mod", "FloorMod", "TruncateMod"),
    ("Select", "SelectV2"),
    ("Max", "ArgMax"),
    ("BatchMatMul", "BatchMatMulV2", "BatchMatMulV3", "MatMul"),
    ("Softmax", "LogSoftmax"),
    ("SoftmaxCrossEntropyWithLogits", "SparseSoftmaxCrossEntropyWithLogits"),
    ("ResizeBilinear", "ResizeBicubic", "ResizeNearestNeighbor", "ResizeArea", "ScaleAndTranslate"),
    ("Mean", "Sum", "Max", "Min", "Prod"),
    ("Relu", "Relu6", "Elu", "Selu", "LeakyRelu", "Tanh", "Sigmoid", "Softplus", "Softsign"),
    ("Gather", "GatherV2", "ResourceGather", "EmbeddingLookup"),
    ("Conv2D", "DepthwiseConv2dNative", "_FusedConv2D"),
    ("MaxPool", "AvgPool"),
    ("Pad", "PadV2", "MirrorPad"),
    ("While", "StatelessWhile"),
    ("If", "StatelessIf"),
)
_VERSION = re.compile(r"V\d+$")
_UPDATES = {"AssignVariableOp": "Assign", "AssignAddVariableOp": "AssignAdd", "AssignSubVariableOp": "AssignSub"}


def plain(op: str) -> str:
    """Returns the type without its version and without the prefix of resource variables."""
    op = _UPDATES.get(op, op).removeprefix("Resource").removeprefix("Ref")
    return _VERSION.sub("", op)


def same(old: str, new: str) -> bool:
    """Returns True if both types compute the same from the same inputs, in one release or another."""
    return plain(old) == plain(new) or {plain(old), plain(new)} in ({"Div", "RealDiv"}, {"Mod", "FloorMod"})


def akin(old: str, new: str) -> bool:
    """Returns True if one type may replace the other: both are of one kind, such as two reductions."""
    pair = {plain(old), plain(new)}
    return len(pair) == 1 or any(pair <= {plain(member) for member in family} for family in _FAMILIES)


def loose_name(point: str) -> str:
    """Returns a point's name in the spelling of later releases. Points whose names are then equal are namesakes."""
    return f"{modern(node_of(point))}:{point.rpartition(':')[2]}".lower()
