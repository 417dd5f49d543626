"""LIB018: functions that networkx 2 and 3 removed."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.context import Context
from codemods.removed.of_libraries import NETWORKX, ORDERED_GRAPHS
from codemods.rule import Example, Hit, Rule, Safety, Use

NEAREST = {name.removeprefix("networkx."): row.hint for name, row in NETWORKX.items()}
ORDERED = frozenset(name.removeprefix("networkx.") for name in ORDERED_GRAPHS)


def find(node: ast.expr, context: Context) -> Iterator[Hit]:
    """Yields a hit or a finding on each use."""
    head, _, last = (context.qualified(node) or "").rpartition(".")
    if head == "networkx" and last in ORDERED and isinstance(node, ast.Attribute):
        text = f"{context.source(node.value)}.{last.removeprefix('Ordered')}"
        message = f"networkx 3.0 removed {last}; all graphs keep their order"
        yield Hit(node, message, safety=Safety.SAFE, rewrite=text)
    if head == "networkx" and last in NEAREST:
        yield Hit(node, f"networkx.{last} was removed; the nearest is {NEAREST[last]}", todo=True)


rule = Rule(
    code="LIB018",
    name="networkx-names",
    summary="networkx.connected_component_subgraphs, to_numpy_matrix, read_gpickle and others are gone",
    why="networkx 2.4 and 3.0 removed these functions. The nearest function returns another kind of object, so a "
    "person has to choose.",
    safety=Safety.MANUAL,
    on=(Use,),
    packages=("networkx",),
    find=find,
    examples=(
        Example(
            "import networkx as nx\ng = nx.read_gpickle(path)\n",
            "import networkx as nx\n# TODO(codemods LIB018): networkx.read_gpickle was removed; the nearest is "
            "pickle.load of the open file\ng = nx.read_gpickle(path)\n",
        ),
        Example("import networkx as nx\ng = nx.OrderedDiGraph()\n", "import networkx as nx\ng = nx.DiGraph()\n"),
        Example("import networkx as nx\na = nx.adjacency_matrix(g)\n"),
    ),
)
