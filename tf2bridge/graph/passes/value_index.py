"""Computes the second output of a `Merge`: the index of the input that it passed on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tf2bridge.graph.new_nodes import integers
from tf2bridge.internals.protos import node_def_pb2, types_pb2


def taken(merge: Any, source: str, predicate: str, numbers: Sequence[int]) -> list[Any]:
    """Returns nodes; the last has the name and both outputs of `merge`: the value of `source` and an input's index.

    Args:
        merge: the merge to replace.
        source: the endpoint of the merged value.
        predicate: the endpoint that decides.
        numbers: the index of the input that is passed on if the predicate is false, and if it is true.
    """
    constants = [integers(f"{merge.name}/input_{number}", number) for number in numbers]
    number = node_def_pb2.NodeDef(name=f"{merge.name}/value_index", op="SelectV2")
    number.attr["T"].type = types_pb2.DT_INT32
    number.input.extend([predicate, constants[1].name, constants[0].name])
    both = node_def_pb2.NodeDef(name=merge.name, op="IdentityN", input=[source, number.name])
    both.attr["T"].list.type.extend([merge.attr["T"].type, types_pb2.DT_INT32])
    return [*constants, number, both]
