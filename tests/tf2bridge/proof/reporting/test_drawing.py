"""The drawing of a report shows what only the old graph has, and what only the new one has."""

from __future__ import annotations

import json
import re
from typing import Any

from tf2bridge.formats.messages import own
from tf2bridge.proof.diverging.ops_seen import TENSOR, Evidence, InputSeen, OpSeen
from tf2bridge.proof.reporting.drawing import drawn

OLD = [("x", "Placeholder", []), ("mul", "Mul", ["x", "x"]), ("gate", "Sigmoid", ["mul"])]


def seen(name: str, kind: str, *sources: tuple[str, str]) -> OpSeen:
    """sources: (name in its graph, its counterpart in the other)."""
    inputs = tuple(InputSeen(source, TENSOR, lambda: None, other, "") for source, other in sources)
    return OpSeen(name, kind, f"{name}:0", inputs, lambda: None)


def test_what_one_graph_alone_has_is_marked_and_what_the_new_one_has_is_added() -> None:
    graph = own("GraphDef")()
    for name, op, inputs in OLD:
        graph.node.add(name=name, op=op, input=inputs)
    gates = seen("gate", "Sigmoid", ("mul:0", "")), seen("gate", "Sigmoid", ("add:0", ""))
    theirs = (seen("mul", "Mul", ("x:0", "image:0"), ("x:0", "image:0")), gates[0])
    ours = (seen("cut", "Relu", ("image:0", "x:0")), seen("add", "Add", ("cut:0", ""), ("image:0", "x:0")), gates[1])
    page = drawn("old", graph.SerializeToString(), [], Evidence(*gates, None, theirs, ours, None, None))
    match = re.search(r'<script type="application/json" id="graph">(.*?)</script>', page, re.DOTALL)
    assert match is not None
    data: dict[str, Any] = json.loads(match[1])
    marked = {part["n"]: part["m"] for part in data["parts"] if "m" in part}
    assert marked == {"mul": "only_old", "cut": "only_new", "add": "only_new"}
    names = [part.get("n") for part in data["parts"]]
    joined = {(names[start], names[end]) for start, end, _ in data["edges"]}
    assert joined == {("x", "mul"), ("mul", "gate"), ("x", "cut"), ("cut", "add"), ("x", "add")}
    assert not any(part.get("u") for part in data["parts"] if part.get("m") == "only_new")  # is not hidden at first
