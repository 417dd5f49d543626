"""Gets a graph module from code that the user names as package.module:function."""

from __future__ import annotations

from tf2bridge.errors import NoSuchCodeError
from tf2bridge.graph.graph_module import GraphModule
from tf2bridge.named_code import called

_WANTED = "what tf2bridge.wrap or tf2bridge.load gives"


def built_by(source: str) -> GraphModule:
    """Calls package.module:function, and returns the GraphModule that it returns.

    Raises NoSuchCodeError if there is no such function, or if it returns something else.
    """
    made = called(source, _WANTED)
    if not isinstance(made, GraphModule):
        raise NoSuchCodeError(source, f"it returned {type(made).__name__}", _WANTED)
    return made
