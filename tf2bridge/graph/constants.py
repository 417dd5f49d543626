"""Constants as nodes of a GraphDef."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from tensorflow.core.framework import node_def_pb2, types_pb2
from tensorflow.python.framework import tensor_util


def constant(name: str, value: Any, near: str = "") -> Any:
    """A `Const` of a NumPy value; it runs where the node `near` runs, in a loop too."""
    tensor = tensor_util.make_tensor_proto(value)
    node = node_def_pb2.NodeDef(name=name, op="Const", input=[f"^{near}"] if near else [])
    node.attr["dtype"].type = tensor.dtype
    node.attr["value"].tensor.CopyFrom(tensor)
    return node


def integers(name: str, values: Sequence[int] | int, near: str = "", dtype: int = types_pb2.DT_INT32) -> Any:
    """A `Const` of int32, or of int64."""
    return constant(name, np.array(values, np.int64 if dtype == types_pb2.DT_INT64 else np.int32), near)
