"""A circle of operations that only pass a value on is refused before anything looks behind it without end."""

from __future__ import annotations

from pathlib import Path

import pytest
import tensorflow as tf

import tf2bridge
from tf2bridge.formats.graphs.refusals import DamagedGraphError
from tf2bridge.graph import cycles

v1 = tf.compat.v1


def graph_of(*nodes: tuple[str, str, list[str]]) -> v1.GraphDef:
    made = v1.GraphDef()
    for name, op, inputs in nodes:
        made.node.add(name=name, op=op, input=inputs).attr["T"].type = 1
    return made


@pytest.mark.parametrize(
    "nodes",
    [
        [("a", "Identity", ["a"])],
        [("a", "Identity", ["b"]), ("b", "Reshape", ["a:0"])],
        [("x", "Placeholder", []), ("a", "Merge", ["b", "x"]), ("b", "Switch", ["a", "x"])],
    ],
)
def test_a_circle_is_refused(nodes: list[tuple[str, str, list[str]]], tmp_path: Path) -> None:
    (tmp_path / "a.pb").write_bytes(graph_of(*nodes).SerializeToString())
    with pytest.raises(DamagedGraphError, match="passes on what it is given by itself"):
        tf2bridge.load(tmp_path / "a.pb", outputs=["a"])


def test_loops_and_long_chains_are_none() -> None:
    with tf.Graph().as_default() as graph:
        v1.disable_control_flow_v2()
        try:
            tf.while_loop(lambda i: i < 10, lambda i: tf.identity(i) + 1, [tf.constant(0)])
        finally:
            v1.enable_control_flow_v2()
    assert any(node.op == "NextIteration" for node in graph.as_graph_def().node)
    cycles.check(Path("loop.pb"), graph.as_graph_def())
    chain = [("x", "Placeholder", []), *((f"n{at}", "Identity", [f"n{at + 1}"]) for at in range(5000))]
    cycles.check(Path("chain.pb"), graph_of(*chain, ("n5000", "Identity", ["x"])))
