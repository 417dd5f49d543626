"""Steps of Adadelta in graphs of old releases, as these took them; see `adadelta`."""

from __future__ import annotations

from typing import Any

_BOUNDARY = (1, 5)
"""The first release with the later order, as `behaviour/parts.py` has it for programs."""
_TYPES = {
    "ApplyAdadelta": "AssignSub",
    "SparseApplyAdadelta": "ScatterSub",
    "ResourceApplyAdadelta": "AssignSubVariableOp",
    "ResourceSparseApplyAdadelta": "ResourceScatterSub",
}
"""Operation of Adadelta -> the one that changes the variable."""


def in_old_order(graph_def: Any, release: str) -> Any:
    """Returns a graph whose steps of Adadelta are those of its release.

    The operation moves the averages alone, and nodes behind it the variable. The last one has the old name.

    Args:
        graph_def: The GraphDef, which is not changed.
        release: The release that wrote it: "1.4.1", or "" if that is not known.
    """
    if not _is_before(release) or not any(node.op in _TYPES for node in graph_def.node):
        return graph_def
    copied = type(graph_def)()
    copied.CopyFrom(graph_def)
    nodes: list[Any] = []
    for node in copied.node:
        nodes += [*_replaced(node), node] if node.op in _TYPES else [node]
    del copied.node[:]
    copied.node.extend(nodes)
    return copied


def _is_before(release: str) -> bool:
    numbers = release.split(".")[:2]
    return len(numbers) == 2 and all(map(str.isdigit, numbers)) and tuple(map(int, numbers)) < _BOUNDARY


def _replaced(node: Any) -> list[Any]:
    """Makes a node the one that changes the variable, and returns those before it."""
    var, squares, steps, rate, _, epsilon, grad, *rows = [name for name in node.input if not name.startswith("^")]
    rows = rows[:1]
    is_resource, made = node.op.startswith("Resource"), []
    kind = node.attr["T"]

    def new(name: str, op: str, inputs: list[str], dtype: str = "T") -> str:
        made_node = type(node)(name=f"{node.name}/{name}", op=op, input=inputs, device=node.device)
        made_node.attr[dtype].CopyFrom(kind)
        if rows and "Gather" in op:
            made_node.attr["Tindices"].CopyFrom(node.attr["Tindices"])
        made.append(made_node)
        return str(made_node.name)

    def read(name: str, average: str) -> str:
        """Returns an average after the step, or some rows of it."""
        waiting = [*rows, f"^{averages.name}"]
        if is_resource:
            return new(name, "ResourceGather" if rows else "ReadVariableOp", [average, *waiting], "dtype")
        op, dtype = ("Gather", "Tparams") if rows else ("Identity", "T")
        return new(name, op, [average, *waiting], dtype)

    averages = type(node)()
    averages.CopyFrom(node)
    averages.name = f"{node.name}/averages"
    averages.input[3] = new("zero", "ZerosLike", [rate])
    made.append(averages)
    squares, steps = read("squares", squares), read("steps", steps)
    root = new("root", "Sqrt", [new("with_epsilon", "Add", [steps, epsilon])])
    inverse = new("inverse", "Rsqrt", [new("squares_with_epsilon", "Add", [squares, epsilon])])
    moved = new("moved", "Mul", [new("update", "Mul", [new("ratio", "Mul", [root, inverse]), grad]), rate])
    locking = node.attr["use_locking"].b
    node.op = _TYPES[node.op]
    node.input[:] = [var, *rows, moved]
    for name in [name for name in node.attr if not name.startswith("_") and name not in ("T", "Tindices")]:
        del node.attr[name]
    if is_resource:
        node.attr["dtype"].CopyFrom(kind)
        del node.attr["T"]
    else:
        node.attr["use_locking"].b = locking
    return made
