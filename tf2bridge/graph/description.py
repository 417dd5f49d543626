"""What a graph is, as plain values and as tables for people."""

from __future__ import annotations

from collections import Counter
from math import prod
from typing import Any

import tensorflow as tf
from rich.console import Console
from rich.table import Table

from tf2bridge.audit import audit
from tf2bridge.graph.interface import interface, spec_of
from tf2bridge.graph.legacy import LegacyGraph
from tf2bridge.graph.nodes import by_name, variable_nodes

_TOP = 12
"""How many kinds of operations the table names."""


def described(graph: LegacyGraph) -> dict[str, Any]:
    """Returns what a file holds: kind, release, sizes, inputs, outputs, signatures, variables, operations, dangers."""
    nodes = by_name(graph.graph_def.node)
    ends = interface(graph, None, None)
    return {
        "path": str(graph.path),
        "kind": graph.kind.value,
        "release": graph.release,
        "producer": graph.graph_def.versions.producer,
        "tags": list(graph.tags),
        "checkpoint": str(graph.checkpoint or ""),
        "found by": ends.how,
        "inputs": [_end(graph, nodes, name, source) for name, source in ends.inputs.items()],
        "outputs": [_end(graph, nodes, name, source) for name, source in ends.outputs.items()],
        "signatures": {
            name: {"inputs": dict(each.inputs), "outputs": dict(each.outputs)}
            for name, each in graph.signatures.items()
        },
        "variables": [
            {
                "name": name,
                "shape": [size.size for size in node.attr["shape"].shape.dim],
                "dtype": tf.as_dtype(node.attr["dtype"].type).name,
                "bytes": _bytes(node),
            }
            for name, node in variable_nodes(graph.graph_def).items()
        ],
        "operations": dict(Counter(node.op for node in graph.graph_def.node).most_common()),
        "functions": [each.signature.name for each in graph.graph_def.library.function],
        "touches": [str(each) for each in audit(graph.graph_def)],
    }


def print_text(graph: LegacyGraph, console: Console | None = None) -> None:
    """Prints it as tables, on standard output."""
    console = console or Console()
    facts = described(graph)
    written = f", written by TensorFlow {facts['release']}" if facts["release"] else ""
    console.print(
        f"[bold]{facts['path']}[/]: {facts['kind']}{written} (GraphDef version {facts['producer']}), "
        f"{sum(facts['operations'].values())} nodes",
        highlight=False,
        soft_wrap=True,
    )
    if facts["checkpoint"]:
        console.print(f"variables lie in {facts['checkpoint']}", highlight=False, soft_wrap=True)
    console.print(_ends(facts))
    if facts["variables"]:
        console.print(_variables(facts["variables"]))
    counted = list(facts["operations"].items())
    rest = f", {len(counted) - _TOP} other kinds" if len(counted) > _TOP else ""
    console.print("operations: " + ", ".join(f"{op} {count}" for op, count in counted[:_TOP]) + rest, highlight=False)
    for touch in facts["touches"]:
        console.print(f"not run without permission: {touch}", highlight=False, soft_wrap=True)


def _ends(facts: dict[str, Any]) -> Table:
    table = Table(
        "", "name", "tensor", "dtype", "shape", title=f"inputs and outputs ({facts['found by']})", title_justify="left"
    )
    for what in ("inputs", "outputs"):
        for each in facts[what]:
            table.add_row(what[:-1], each["name"], each["tensor"], each["dtype"], str(each["shape"] or "unknown"))
    return table


def _variables(variables: list[dict[str, Any]]) -> Table:
    total = sum(each["bytes"] for each in variables)
    table = Table(
        "variable",
        "dtype",
        "shape",
        "bytes",
        title=f"{len(variables)} variables, {total:,} bytes",
        title_justify="left",
    )
    for each in variables:
        table.add_row(each["name"], each["dtype"], str(each["shape"]), f"{each['bytes']:,}")
    return table


def _end(graph: LegacyGraph, nodes: Any, name: str, source: str) -> dict[str, Any]:
    spec = spec_of(graph.graph_def, nodes, source)
    shape = spec.shape.as_list() if spec.shape.rank is not None else None
    return {"name": name, "tensor": source, "dtype": spec.dtype.name, "shape": shape}


def _bytes(node: Any) -> int:
    return int(prod(size.size for size in node.attr["shape"].shape.dim) * tf.as_dtype(node.attr["dtype"].type).size)
