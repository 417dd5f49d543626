"""Which tensors of a genuine graph a session can fetch, tried by fetching them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import tensorflow as tf

import tf2bridge
from tests.tf2bridge.graph.recorded import unpacked
from tf2bridge.formats.graphs.nodes import by_name
from tf2bridge.graph.fetchable import always_run


@pytest.mark.parametrize("model", ["rnn_lstm", "condition", "condition_nested", "loop_in_condition"])
def test_what_always_runs_can_be_fetched(model: str, tmp_path: Path) -> None:
    recorded = unpacked(f"1.15.5/{model}", tmp_path)
    module = tf2bridge.load(recorded.folder / "model.ckpt")
    graph_def = always_run(by_name(module.graph.graph_def.node))
    feeds = {str(recorded.expected[f"tensor {name}"]): value for name, value in recorded.part("in").items()}
    with module.session() as session:
        kinds = ("Identity", "MatMul", "Mul", "Add", "AddV2", "Tanh", "Square", "Merge", "Mean", "TensorArrayGatherV3")
        wanted = [op.outputs[0] for op in session.graph.get_operations() if op.name in graph_def and op.type in kinds]
        numbers = [item for item in wanted if item.dtype in (tf.float32, tf.int32) and "gradients" not in item.name]
        assert session.run(numbers, feeds)


def test_nothing_within_a_loop_does(tmp_path: Path) -> None:
    from tf2bridge.formats.graphs.reader import read

    nodes = always_run(by_name(read(unpacked("1.15.5/rnn_lstm", tmp_path).folder / "model.ckpt").graph_def.node))
    assert "net/rnn/while/basic_lstm_cell/MatMul" not in nodes
    assert "net/rnn/TensorArrayStack/TensorArrayGatherV3" in nodes


def test_what_nothing_uses_in_a_loop_is_no_output(tmp_path: Path) -> None:
    """TensorFlow 1.x refuses to fetch it, too: "has been marked as not fetchable"."""
    v1 = tf.compat.v1

    def body(y: Any) -> Any:
        tf.exp(y, name="unused")
        return y * 2.0

    with tf.Graph().as_default() as graph:
        v1.disable_control_flow_v2()
        try:
            x = v1.placeholder(tf.float32, [], name="x")
            tf.identity(v1.while_loop(lambda y: y < 10.0, body, [x]), name="y")
        finally:
            v1.enable_control_flow_v2()
    (tmp_path / "graph.pb").write_bytes(graph.as_graph_def().SerializeToString())
    module = tf2bridge.load(tmp_path / "graph.pb")
    assert list(module.outputs) == ["y"]
    assert float(module(tf.constant(3.0))) == 12.0
