"""Replaces the tokens of operations that call Python: in another process, a token may name another function."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

PYTHON = ("PyFunc", "PyFuncStateless", "EagerPyFunc")
UNBOUND = "tf2bridge: no function was given for "
"""The prefix of the token of an operation without a given function. No function has such a name."""


def with_tokens(nodes: Iterable[Any], library: Any, token: Callable[[str, Any], str | None]) -> Any:
    """Replaces the token of every node that calls Python, in place.

    No token of the graph stays: the "pyfunc_0" of a graph would call that of this process.

    Args:
        nodes: the nodes.
        library: the functions of the graph; it is not changed.
        token: (name, node) -> the token of the node's function in this process, or None if no function was given. The
            name of a node in a function is "function/node".

    Returns:
        The library with new tokens in its functions.
    """
    for node in _calls(nodes):
        _settle(node, token(node.name, node))
    if not any(True for function in library.function for _ in _calls(function.node_def)):
        return library
    copy = type(library)()
    copy.CopyFrom(library)
    for function in copy.function:
        for node in _calls(function.node_def):
            _settle(node, token(f"{function.signature.name}/{node.name}", node))
    return copy


def _calls(nodes: Iterable[Any]) -> Iterator[Any]:
    return (node for node in nodes if node.op in PYTHON)


def _settle(node: Any, token: str | None) -> None:
    node.attr["token"].s = (UNBOUND + node.attr["token"].s.decode() if token is None else token).encode()
