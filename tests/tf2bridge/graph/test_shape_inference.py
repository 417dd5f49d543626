"""Shapes that TensorFlow infers in graphs that grow part by part."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf
from tensorflow.core.framework import node_def_pb2, types_pb2

import tf2bridge
from tf2bridge.graph.new_nodes import constant, integers
from tf2bridge.graph.passes.prune import placeholder
from tf2bridge.graph.shape_inference import ShapedGraph, tensor

v1 = tf.compat.v1


def filled(size: str) -> Any:
    """A tensor of ones, of a computed size."""
    node = node_def_pb2.NodeDef(name="filled", op="Fill", input=[size, "one"])
    node.attr["T"].type, node.attr["index_type"].type = types_pb2.DT_FLOAT, types_pb2.DT_INT32
    return node


@pytest.mark.parametrize("same", [True, False], ids=["one graph", "two graphs"])
def test_a_size_is_known_behind_the_part_it_was_computed_in(same: bool) -> None:
    first = ShapedGraph()
    made = first.add([integers("size", [2, 3]), integers("unread", 0)], {}, ["size"])
    second = first if same else ShapedGraph()
    one = constant("one", np.float32(1.0))
    result = second.add([filled("size"), one], {"size:0": tensor(made, "size:0")}, ["filled"])
    assert tensor(result, "filled:0").shape.as_list() == [2, 3]


def test_of_what_is_fed_in_another_graph_the_shape_is_known() -> None:
    shape = tf.TensorShape([None, 4]).as_proto()
    made = ShapedGraph().add([placeholder("x", types_pb2.DT_FLOAT, shape)], {}, ["x"])
    same = node_def_pb2.NodeDef(name="same", op="Tanh", input=["x"])
    same.attr["T"].type = types_pb2.DT_FLOAT
    result = ShapedGraph().add([same], {"x:0": tensor(made, "x:0")}, ["same"])
    assert tensor(result, "same:0").shape.as_list() == [None, 4]


def test_nodes_that_do_not_fit_are_an_error() -> None:
    nodes = [filled("size"), integers("size", [2, 3]), constant("one", np.ones(2, np.float32))]
    with pytest.raises(ValueError, match="must be rank 0 but is rank 1"):
        ShapedGraph().add(nodes, {}, ["filled"])


def test_shapes_are_known_through_loops_far_apart(tmp_path: Path) -> None:
    """More nodes lie between them than one graph takes."""

    def repeated(value: Any) -> Any:
        return v1.while_loop(lambda i, _: i < 2, lambda i, y: (i + 1, y * 0.5), [0, value])[1]

    with tf.Graph().as_default() as graph:
        v1.disable_control_flow_v2()
        try:
            x = v1.placeholder(tf.float32, [None, 3], name="x")
            size = tf.constant([3, 2])
            y = repeated(tf.ones(size))
            for _ in range(1200):
                y = tf.abs(y)
            y = repeated(y @ tf.ones([2, 3]))
            y = repeated(tf.concat([y, x], 0) @ tf.ones(size))
            tf.identity(y, name="y")
        finally:
            v1.enable_control_flow_v2()
    path = tmp_path / "far.pb"
    path.write_bytes(graph.as_graph_def().SerializeToString())
    module = tf2bridge.load(path, outputs=["y"])
    assert module.outputs["y"].shape.as_list() == [None, 2]
    value = np.ones([1, 3], np.float32)
    outputs = module(value)
    with v1.Session(graph=graph) as session:
        np.testing.assert_array_equal(outputs, session.run("y:0", {"x:0": value}))
