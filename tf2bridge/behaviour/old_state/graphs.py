"""Graphs: what `_nodes_by_name` and `_nodes_by_id`, then dictionaries, gave; counters and op definitions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tf2bridge import internals
from tf2bridge.behaviour.inspection import get_registered_ops
from tf2bridge.behaviour.old_state import Derived, method, renamed
from tf2bridge.patching import put


class Nodes(Mapping[Any, Any]):
    """The operations of a graph in the order in which they were made, by their name or id.

    TensorFlow 2 keeps both maps in C++ (python/client/tf_session_wrapper.cc of 2.21): they have no order and no `get`.
    """

    def __init__(self, graph: Any, genuine: Any, key: Callable[[Any], Any]) -> None:
        self._graph, self._genuine, self._key = graph, genuine, key

    def __getitem__(self, key: Any) -> Any:
        """Returns the operation. Raises KeyError if the graph has none such."""
        if key not in self._genuine:
            raise KeyError(key)
        return self._genuine[key]

    def __contains__(self, key: object) -> bool:
        return key in self._genuine

    def __iter__(self) -> Iterator[Any]:
        return (self._key(op) for op in self._graph.get_operations())

    def __len__(self) -> int:
        return len(self._genuine)


def install() -> None:
    """Gives graphs both maps as dictionaries."""
    ops: Any = internals.framework.ops
    for name, key in (("_nodes_by_name", _name), ("_nodes_by_id", _number)):
        put(ops.Graph, name, _ordered(getattr(ops.Graph, name), key))


def _ordered(genuine: Any, key: Callable[[Any], Any]) -> property:
    return property(lambda graph: Nodes(graph, genuine.__get__(graph), key))


def _name(op: Any) -> str:
    return str(op.name)


def _number(op: Any) -> int:
    return int(op._id)


def _registered(graph: Any) -> Any:
    del graph  # all graphs have the same
    return get_registered_ops()


def _definition(graph: Any, type: str) -> Any:  # noqa: A002  # the parameter's name in 1.x
    return graph.op_def_for_type(type)


def _operation(graph: Any, name: str) -> Any:
    return graph.get_operation_by_name(name)


ROWS = {
    "tensorflow.python.framework.ops:Graph": {
        "_version": renamed("version"),
        "_last_id": renamed("version"),
        "_next_id_counter": renamed("version"),
        "_registered_ops": Derived(_registered),
        "_get_op_def": method(_definition),
        "_get_operation_by_name_unsafe": method(_operation),
    },
}
