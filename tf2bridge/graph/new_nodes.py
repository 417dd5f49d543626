"""Makes the nodes that passes insert into a GraphDef: `Const`, `Identity` and `NoOp`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from tf2bridge.formats.graphs.nodes import is_control, node_of
from tf2bridge.internals.framework import tensor_util
from tf2bridge.internals.protos import node_def_pb2, types_pb2


def constant(name: str, value: Any, near: str = "") -> Any:
    """Returns a `Const` of a NumPy value. It waits for the node `near`, and so runs in the same loop."""
    tensor = tensor_util.make_tensor_proto(value)
    node = node_def_pb2.NodeDef(name=name, op="Const", input=[f"^{near}"] if near else [])
    node.attr["dtype"].type = tensor.dtype
    node.attr["value"].tensor.CopyFrom(tensor)
    return node


def integers(name: str, values: Sequence[int] | int, near: str = "", dtype: int = types_pb2.DT_INT32) -> Any:
    """Returns a `Const` of int32, or of int64."""
    return constant(name, np.array(values, np.int64 if dtype == types_pb2.DT_INT64 else np.int32), near)


def value_of(node: Any) -> np.ndarray[Any, Any]:
    """Returns the value of a `Const`."""
    return np.asarray(tensor_util.MakeNdarray(node.attr["value"].tensor))


def identity(name: str, sources: Sequence[str], dtype: int) -> Any:
    """Returns an `Identity` of the first of `sources`; the others are control inputs."""
    node = node_def_pb2.NodeDef(name=name, op="Identity", input=sources)
    node.attr["T"].type = dtype
    return node


def waiting(name: str, sources: Iterable[str]) -> Any:
    """Returns a `NoOp` that waits for the nodes of all these inputs, data or control."""
    waits = dict.fromkeys(source if is_control(source) else f"^{node_of(source)}" for source in sources)
    return node_def_pb2.NodeDef(name=name, op="NoOp", input=waits)
