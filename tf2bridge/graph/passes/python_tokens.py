"""Operations that call Python: they name a function by a token, which in another process is another function's."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

PYTHON = ("PyFunc", "PyFuncStateless", "EagerPyFunc")
UNBOUND = "tf2bridge: no function was given for "
"""What the token of an operation begins with that nothing was given for: no function has such a name."""


def with_tokens(nodes: Iterable[Any], library: Any, token: Callable[[str, Any], str | None]) -> Any:
    """Gives every call of Python its token here, the nodes in place; returns the library with those in functions.

    `token(name, node)`: what stands for the function of a node, None where there is none. `name` is the node's, in a
    function "function/node". No token of the graph stays: 1.15's "pyfunc_0" would call this process' own.
    """
    for node in _calls(nodes):
        _settle(node, token(node.name, node))
    if not any(True for function in library.function for _ in _calls(function.node_def)):
        return library
    found = type(library)()
    found.CopyFrom(library)
    for function in found.function:
        for node in _calls(function.node_def):
            _settle(node, token(f"{function.signature.name}/{node.name}", node))
    return found


def _calls(nodes: Iterable[Any]) -> Iterator[Any]:
    return (node for node in nodes if node.op in PYTHON)


def _settle(node: Any, token: str | None) -> None:
    node.attr["token"].s = (UNBOUND + node.attr["token"].s.decode() if token is None else token).encode()
