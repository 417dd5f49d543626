"""Registers the Python functions that a user gives for the `py_func`s of a graph, for TensorFlow's kernels."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tf2bridge.graph.passes.python_tokens import PYTHON, UNBOUND
from tf2bridge.internals.framework import dtypes
from tf2bridge.internals.ops import script_ops
from tf2bridge.patching import PatchSet, put


class PythonFunctions:
    """The functions that a user gives for Python calls of a graph.

    A function takes NumPy arrays. That of an `EagerPyFunc` (`tf.py_function`) takes tensors, and has a gradient.
    TensorFlow keeps no function alive: they live as long as this object.

    Attributes:
        given: name of a node, or its token in the graph ("pyfunc_0") -> function.
    """

    def __init__(self, given: Mapping[str, Callable[..., Any]] | None = None) -> None:
        self.given = dict(given or {})
        self._registered: dict[tuple[str, str, tuple[int, ...]], tuple[str, Any]] = {}

    @property
    def operations(self) -> tuple[str, ...]:
        """The operation types that the given functions permit. A call without a function is an error of its own."""
        return PYTHON if self.given else ()

    def token(self, name: str, node: Any) -> str | None:
        """Returns the token of the function for a node, or None if none was given."""
        key = next((candidate for candidate in (name, node.attr["token"].s.decode()) if candidate in self.given), None)
        if key is None:
            return None
        types = tuple(node.attr["Tout"].list.type)
        if (key, node.op, types) not in self._registered:
            call = _calling(self.given[key])
            if node.op == "EagerPyFunc":
                call = script_ops.EagerFunc(
                    call, [dtypes.as_dtype(candidate) for candidate in types], is_grad_func=False
                )
            self._registered[key, node.op, types] = script_ops._py_funcs.insert(call), call
        return self._registered[key, node.op, types][0]

    def is_bound(self, node: Any) -> bool:
        """Returns whether the token of a node that calls Python is that of a given function."""
        token = node.attr["token"].s.decode()
        return not token.startswith(UNBOUND) and any(
            token == registered_token for registered_token, _ in self._registered.values()
        )


@contextlib.contextmanager
def registered() -> Iterator[list[Any]]:
    """Returns a list that collects the functions registered in the with block; keeping it keeps them callable.

    A graph keeps its own functions. From 2.22 on, those of a branch or a loop body belong to the graph of that
    function, which is gone when the outer graph is built.
    """
    table = script_ops._py_funcs
    original, functions = table.insert, list[Any]()

    def insert(function: Any) -> Any:
        functions.append(function)
        return original(function)

    with PatchSet("functions of py_func").for_a_while():
        put(table, "insert", insert)
        yield functions


def _calling(function: Callable[..., Any]) -> Callable[..., Any]:
    """Wraps a function in a new object: TensorFlow keeps weak references, and a bound method dies at once."""

    @functools.wraps(function, updated=())
    def call(*args: Any) -> Any:
        return function(*args)

    return call
