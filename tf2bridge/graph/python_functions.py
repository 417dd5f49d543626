"""Python functions given for the `py_func`s of a graph, registered where TensorFlow's kernels look for them."""

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
    """`given`: the name of a node, or the token that the graph has ("pyfunc_0") -> what it calls, on NumPy arrays.

    That of an `EagerPyFunc` (`tf.py_function`) is called with tensors, and has a gradient. A function lives here as
    long as this object does: TensorFlow keeps none alive.
    """

    def __init__(self, given: Mapping[str, Callable[..., Any]] | None = None) -> None:
        self.given = dict(given or {})
        self._registered: dict[tuple[str, str, tuple[int, ...]], tuple[str, Any]] = {}

    @property
    def operations(self) -> tuple[str, ...]:
        """The operations that may run as there are functions for them; without one the call itself is an error."""
        return PYTHON if self.given else ()

    def token(self, name: str, node: Any) -> str | None:
        """The token of the function for a node, None where none was given."""
        key = next((each for each in (name, node.attr["token"].s.decode()) if each in self.given), None)
        if key is None:
            return None
        types = tuple(node.attr["Tout"].list.type)
        if (key, node.op, types) not in self._registered:
            call = _calling(self.given[key])
            if node.op == "EagerPyFunc":
                call = script_ops.EagerFunc(call, [dtypes.as_dtype(each) for each in types], is_grad_func=False)
            self._registered[key, node.op, types] = script_ops._py_funcs.insert(call), call
        return self._registered[key, node.op, types][0]

    def is_bound(self, node: Any) -> bool:
        """Whether a node that calls Python, with its token here, calls what was given for it."""
        token = node.attr["token"].s.decode()
        return not token.startswith(UNBOUND) and any(token == each for each, _ in self._registered.values())


@contextlib.contextmanager
def registered() -> Iterator[list[Any]]:
    """The list of what is registered in this block: whoever keeps it keeps the functions of its graph callable.

    A graph keeps its own; but those of a branch or a body belong to the graph of that function (from 2.22 on), which is
    gone when the outer graph is built.
    """
    table = script_ops._py_funcs
    original, kept = table.insert, list[Any]()

    def insert(function: Any) -> Any:
        kept.append(function)
        return original(function)

    with PatchSet("functions of py_func").for_a_while():
        put(table, "insert", insert)
        yield kept


def _calling(function: Callable[..., Any]) -> Callable[..., Any]:
    """An object of our own: the table of functions has weak references, which bound methods do not outlive."""

    @functools.wraps(function, updated=())
    def call(*args: Any) -> Any:
        return function(*args)

    return call
