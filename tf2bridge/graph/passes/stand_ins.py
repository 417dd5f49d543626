"""Makes values in place of those that a branch would give if it ran."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf2bridge.formats.graphs.nodes import copied
from tf2bridge.graph.new_nodes import constant, integers
from tf2bridge.internals.framework import dtypes
from tf2bridge.internals.protos import types_pb2


def stand_in(node: Any, dtype: int, ending: str) -> list[Any]:
    """Returns the nodes that give a value of a type without running a stateful node; none if there are no such nodes.

    Args:
        node: the stateful node.
        dtype: the type.
        ending: what the names of the nodes end with.
    """
    name = f"{node.name}/{ending}"
    if node.op == "TensorArrayV3" and dtype == types_pb2.DT_RESOURCE:
        array, size = copied(node), integers(f"{name}/size", 0)
        array.name = name
        array.attr.pop("_class", None)  # it names a node of the branch that runs
        array.input[:] = [size.name]
        return [size, array]
    if not dtypes.as_dtype(dtype).is_numpy_compatible or dtype == types_pb2.DT_RESOURCE:
        return []
    return [constant(name, np.zeros([], dtypes.as_dtype(dtype).as_numpy_dtype))]
