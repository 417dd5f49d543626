"""`Part`, the value that passes take and return, and `Pass`, a step of preparing a graph."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from tf2bridge.formats.graphs.nodes import Nodes
from tf2bridge.graph.passes.expansions import Expansion, with_expansions
from tf2bridge.graph.passes.function_library import Library

if TYPE_CHECKING:
    from tf2bridge.graph.python_functions import PythonFunctions


@dataclass(frozen=True)
class Part:
    """A part of a graph between two passes, with the request it is prepared for.

    Attributes:
        nodes: name -> NodeDef, in the order of the graph. Until the first pass they are those of the file, which no
            pass may change; from then on they are copies, which a pass may change in place.
        results: an endpoint, or the name of an operation, for each fetch, as they are named now.
        functions: the FunctionDefLibrary of the graph, without what the nodes do not call.
        added: the functions that passes add and, once the calls are settled, those of `functions` too.
        versions: the VersionDef of the graph.
        feeds: endpoint -> the `Placeholder` that takes its place.
        python: gives the tokens of Python functions; None leaves those of a graph that was made in this process.
        expansions: type of a further operation to replace -> its function; an exporter gives them.
        allow_ops: patterns of operation types that touch files, processes or Python and may run.
    """

    nodes: Nodes
    results: Sequence[str]
    functions: Any
    added: Library
    versions: Any
    feeds: Mapping[str, Any]
    python: PythonFunctions | None
    expansions: Mapping[str, Expansion]
    allow_ops: Collection[str]

    def with_nodes(self, nodes: Nodes) -> Part:
        """Returns the part with other nodes."""
        return replace(self, nodes=nodes)

    def expanded(self, expansions: Mapping[str, Expansion], shaped: bool = False) -> Part:
        """Returns the part with operations replaced; see `with_expansions`."""
        nodes, results = with_expansions(self.nodes, self.results, self.added, expansions, shaped)
        return replace(self, nodes=nodes, results=results)


class Pass(NamedTuple):
    """A step of preparing a graph; an error of `function` names the step by `name`."""

    name: str
    function: Callable[[Part], Part]


def on_nodes(function: Callable[[Nodes], Nodes]) -> Callable[[Part], Part]:
    """Makes a step from a function that needs only the nodes."""
    return lambda part: part.with_nodes(function(part.nodes))
