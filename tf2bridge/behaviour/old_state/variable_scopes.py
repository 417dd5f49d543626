"""The current variable scope as an element of a collection, which programs of 1.4 and before read and replaced.

`tf.get_collection_ref(variable_scope._VARSCOPE_KEY)[0]` was the scope. Since 1.5 a store holds it, in another
collection (python/ops/variable_scope.py of 1.4.1 and 1.15.5).
"""

from __future__ import annotations

import functools
from collections.abc import MutableSequence
from typing import Any

from tf2bridge import internals
from tf2bridge.patching import put

_VARSCOPE_KEY = ("__varscope", "current")
"""The first part is the key of 1.4; TensorFlow 2 gives the collection of that key to the store."""


class CurrentScope(MutableSequence[Any]):
    """A list whose one element is the current variable scope of a graph."""

    def __init__(self, graph: Any) -> None:
        self._graph = graph

    def __getitem__(self, index: Any) -> Any:
        return [self._store().current_scope][index]

    def __setitem__(self, index: Any, value: Any) -> None:
        scopes = [self._store().current_scope]
        scopes[index] = value
        self._store().current_scope = scopes[0]

    def __len__(self) -> int:
        return 1

    def __delitem__(self, index: Any) -> None:
        raise TypeError("a graph always has one variable scope: assign another one to element 0")

    def insert(self, index: int, value: Any) -> None:
        """Raises TypeError: a graph has but one current scope."""
        raise TypeError(f"a graph has one variable scope: assign {value!r} to element 0, not {index}")

    def _store(self) -> Any:
        scopes: Any = internals.ops.variable_scope
        with self._graph.as_default():
            return scopes.get_variable_scope_store()


def install() -> None:
    """Gives graphs the collection."""
    graph: Any = internals.framework.ops.Graph
    original = graph.get_collection_ref

    @functools.wraps(original)
    def get_collection_ref(self: Any, name: Any) -> Any:
        return CurrentScope(self) if name == _VARSCOPE_KEY else original(self, name)

    put(graph, "get_collection_ref", get_collection_ref)
