"""Calls of functions put in place. Functions that releases recorded: the models function_* of test_cells."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf
from tensorflow.core.framework import graph_pb2

import tf2bridge
from tests.tf2bridge.graph.test_functions import calling
from tf2bridge.formats.graphs.nodes import by_name
from tf2bridge.graph.passes.inline_calls import with_calls_inlined

v1 = tf.compat.v1
X = np.array([1.0, -2.0, 3.0], np.float32)
FLOAT = tf.float32.as_datatype_enum


def called(*names: str, body: str = "Neg", op: str = "F", **of_body: Any) -> Any:
    """A graph that calls y = F(a) = body(a) by nodes of these names, each on the placeholder x."""
    graph_def = graph_pb2.GraphDef()
    graph_def.node.add(name="x", op="Placeholder").attr["dtype"].type = FLOAT
    function = graph_def.library.function.add()
    function.signature.name = "F"
    function.signature.input_arg.add(name="a", type=FLOAT)
    function.signature.output_arg.add(name="y", type=FLOAT)
    function.ret["y"] = "it:y:0"
    node = function.node_def.add(name="it", op=body, input=["a"])
    node.attr["T"].CopyFrom(tf.compat.v1.AttrValue(**(of_body or {"type": FLOAT})))
    for name in names:
        graph_def.node.add(name=name, op=op, input=["x"])
    return graph_def


def inlined(graph_def: Any, *fetches: str) -> tuple[dict[str, str], list[str]]:
    """Name -> operation of what stands there, and the endpoints of the fetches."""
    nodes, result = with_calls_inlined(by_name(graph_def.node), fetches, graph_def.library)
    return {name: node.op for name, node in nodes.items()}, result


def test_each_call_gets_nodes_in_its_scope() -> None:
    nodes, result = inlined(called("one", "two"), "one:0", "two:0", "one")
    assert nodes == {"x": "Placeholder", "one/it": "Neg", "one": "NoOp", "two/it": "Neg", "two": "NoOp"}
    assert result == ["one/it:0", "two/it:0", "one"]


def test_a_scope_that_is_taken_is_not_written_into() -> None:
    graph_def = called("call")
    graph_def.node.add(name="call/it", op="NoOp")
    nodes, result = inlined(graph_def, "call:0")
    assert nodes["call/it"] == "NoOp"
    assert nodes[result[0].removesuffix(":0")] == "Neg"


def test_a_type_that_the_call_decides_is_written_into_the_body() -> None:
    graph_def = called("call", op="PartitionedCall", placeholder="U")
    graph_def.library.function[0].signature.attr.add(name="U", type="type")
    call = graph_def.node[1]
    call.attr["f"].func.name = "F"
    call.attr["f"].func.attr["U"].type = FLOAT
    nodes, _ = with_calls_inlined(by_name(graph_def.node), [], graph_def.library)
    assert nodes["call/it"].attr["T"].type == FLOAT
    del call.attr["f"].func.attr["U"]
    nodes, _ = with_calls_inlined(by_name(graph_def.node), [], graph_def.library)
    assert nodes["call"].op == "PartitionedCall"


def test_a_function_that_calls_itself_stays_a_function() -> None:
    nodes, result = inlined(called("call", body="F"), "call:0")
    assert "F" in nodes.values()
    assert nodes[result[0].removesuffix(":0")] == "F"


@pytest.mark.parametrize(
    ("name", "value"), [("_gradient_op_type", b"Chosen"), ("_XlaMustCompile", True)], ids=["gradient", "compiled"]
)
def test_a_call_that_says_how_it_is_to_be_taken_stays_one(name: str, value: Any) -> None:
    graph_def = called("call")
    graph_def.node[1].attr[name].CopyFrom(v1.AttrValue(**{"b" if value is True else "s": value}))
    assert inlined(graph_def, "call:0") == ({"x": "Placeholder", "call": "F"}, ["call:0"])


def test_a_gradient_goes_through_a_function_around_one_with_its_own(tmp_path: Path) -> None:
    def build(defun: Any, x: Any) -> Any:
        backward = defun(tf.float32, tf.float32, func_name="Back")(lambda a, dy: a * dy * 7.0)
        own = defun(tf.float32, func_name="Own", grad_func=backward)(lambda a: a * a)
        return defun(tf.float32, func_name="Around")(lambda a: own(a) + a)(x)

    module = tf2bridge.load(calling(tmp_path / "graph.pb", build, own_gradient=True), outputs=["y"])
    x = tf.constant(X)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = module(x)
    np.testing.assert_array_equal(y, X * X + X)
    np.testing.assert_array_equal(tape.gradient(y, x), X * 7.0 + 1.0)


def test_the_gradient_that_a_graph_asks_for_has_one_itself(tmp_path: Path) -> None:
    """As a gradient penalty: `y` is the derivative of a^3, 3 a^2, and is differentiated once more."""

    def build(defun: Any, x: Any) -> Any:
        cubed = defun(tf.float32, func_name="Cubed")(lambda a: a * a * a)
        return tf.gradients(cubed(x), x)[0]

    path = calling(tmp_path / "graph.pb", build)
    asked = v1.GraphDef.FromString(path.read_bytes())
    assert "SymbolicGradient" in {node.op for node in asked.node}
    module = tf2bridge.load(path, outputs=["y"])
    x = tf.constant(X)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = module(x)
    np.testing.assert_allclose(y, 3.0 * X * X, rtol=1e-6)
    np.testing.assert_allclose(tape.gradient(y, x), 6.0 * X, rtol=1e-6)


def test_what_a_function_changes_is_changed_once_by_each_call() -> None:
    def build(x: Any) -> Any:
        count = v1.get_variable("count", initializer=0.0, use_resource=True)

        @tf.function
        def counted(a: Any) -> Any:
            count.assign_add(1.0)
            return a * 2.0

        once = counted(x)
        with tf.control_dependencies([counted(once).op]):
            return count.read_value()

    module = tf2bridge.wrap(build, inputs={"x": tf.TensorSpec([3])})
    assert "StatefulPartitionedCall" not in {node.op for node in module.call.concrete.graph.as_graph_def().node}
    assert float(module(X)) == 2.0
    assert float(module(X)) == 4.0
