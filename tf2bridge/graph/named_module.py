"""The graph that code named by the user, as package.module:function, gives."""

from __future__ import annotations

from tf2bridge.errors import NoSuchCodeError
from tf2bridge.graph.graph_module import GraphModule
from tf2bridge.named_code import called

_WANTED = "what tf2bridge.wrap or tf2bridge.load gives"


def built_by(source: str) -> GraphModule:
    """Returns what package.module:function gives. Raises NoSuchCodeError, also where that is no GraphModule."""
    made = called(source, _WANTED)
    if not isinstance(made, GraphModule):
        raise NoSuchCodeError(source, f"it returned {type(made).__name__}", _WANTED)
    return made
