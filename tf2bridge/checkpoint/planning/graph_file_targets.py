"""The variables of a graph's file, with names and shapes, read without TensorFlow; also the order of their creation."""

from __future__ import annotations

from pathlib import Path

from tf2bridge.checkpoint.moves import Target, TargetVariable
from tf2bridge.formats.graphs.nodes import variable_nodes
from tf2bridge.formats.graphs.reader import read
from tf2bridge.formats.graphs.refusals import NoGraphError
from tf2bridge.formats.messages import type_name


def of_graph(path: Path) -> Target | None:
    """Returns the variables of the graph in a file or directory; None if there is no graph, or no variable in it."""
    try:
        graph = read(path)
    except NoGraphError:
        return None
    variables = tuple(_variable(node) for node in variable_nodes(graph.graph_def).values())
    return Target(str(path), variables) if variables else None


def created_by(prefix: Path) -> list[str]:
    """Returns the names of a checkpoint's variables in the order of their creation, from its .meta.

    [] without a .meta.
    """
    meta = Path(f"{prefix}.meta")
    return list(variable_nodes(read(meta).graph_def)) if meta.is_file() else []


def _variable(node: object) -> TargetVariable:
    name, attributes = str(node.name), node.attr  # type: ignore[attr-defined]  # a message
    shape = tuple(dim.size for dim in attributes["shape"].shape.dim)
    scope, _, role = name.rpartition("/")
    return TargetVariable(name, shape, type_name(attributes["dtype"].type), layer=scope, role=role)
