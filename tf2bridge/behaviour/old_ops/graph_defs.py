"""Graphs written and read as 1.x did.

- Written graphs lack the attribute `debug_name` of variables. No release of 1.x knows it, and all refuse a graph that
  has it.
- Graphs of old releases give some ops shapes (`_output_shapes`) that differ from those that later releases infer. 1.15
  reads such graphs (core/graph/graph_constructor.cc of 1.15.5), and 2.21 refuses them.
- Casts in graphs that are read compute as in 1.x (`cast_nodes`).
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from tf2bridge import internals
from tf2bridge.behaviour.old_ops import cast_nodes
from tf2bridge.patching import put

_OTHER_SHAPES = (
    "RandomShuffleQueue PaddingFIFOQueue FIFOQueue PriorityQueue QueueSize Stack Barrier BarrierReadySize "
    "BarrierIncompleteSize HashTable MutableHashTable MutableHashTableOfTensors Mutex CuckooTable IndexTable "
    "WholeFileReader TextLineReader FixedLengthRecordReader TFRecordReader IdentityReader RefSwitch RefEnter "
    "RefNextIteration RefMerge RefIdentity LMDBReader ConditionalAccumulator SparseConditionalAccumulator Table"
)
"""The ops whose shapes 1.15 did not check."""


def install() -> None:
    """Changes reading and writing in this process."""
    ops: Any = internals.framework.ops
    importer: Any = internals.framework.importer
    put(ops.Graph, "_as_graph_def", _written(ops.Graph._as_graph_def))
    put(importer, "_ProcessGraphDefParam", _read(importer._ProcessGraphDefParam))


def _written(original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def as_graph_def(*arguments: Any, **keywords: Any) -> Any:
        graph_def, version = original(*arguments, **keywords)
        bodies = [function.node_def for function in graph_def.library.function]
        for node in (node for nodes in (graph_def.node, *bodies) for node in nodes):
            if node.op == "VarHandleOp":
                node.attr.pop("debug_name", None)
        return graph_def, version

    return as_graph_def


def _read(original: Callable[..., Any]) -> Callable[..., Any]:
    unchecked = frozenset(_OTHER_SHAPES.split())

    @functools.wraps(original)
    def process(graph_def: Any) -> Any:
        graph_def = original(graph_def)
        for node in graph_def.node:
            if node.op in unchecked:
                node.attr.pop("_output_shapes", None)
        cast_nodes.split_all(graph_def)
        return graph_def

    return process
