"""Functions of a graph's library: their names, their gradients, and how 0.12 wrote them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf
from google.protobuf import text_format

import tf2bridge
from tests.tf2bridge.graph.recorded import Recorded, unpacked
from tf2bridge.formats import messages
from tf2bridge.formats.graphs.audit import audit
from tf2bridge.formats.graphs.parsing import OWN
from tf2bridge.formats.graphs.reader import read
from tf2bridge.graph.passes.function_library import Library
from tf2bridge.graph.read_runnable import TENSORFLOWS, read_runnable
from tf2bridge.graph.refusals import FunctionGradientError, UnsupportedOpsError

v1 = tf.compat.v1
X = np.array([1.0, -2.0, 3.0], np.float32)


@pytest.fixture(params=["0.12.1", "1.15.5"])
def clipped(request: Any, tmp_path: Path) -> Recorded:
    return unpacked(f"{request.param}/function_with_gradient", tmp_path)


def calling(path: Path, build: Any, own_gradient: bool = False) -> Path:
    """A graph with functions by fixed names, `Defun(func_name=)`; `build` gets these and the input."""
    from tensorflow.python.framework import function

    with tf.Graph().as_default() as graph:
        x = v1.placeholder(tf.float32, [3], name="x")
        tf.identity(build(function.Defun, x), name="y")
    made = graph.as_graph_def()
    assert bool(made.library.gradient) == own_gradient
    path.write_bytes(made.SerializeToString())
    return path


def test_functions_of_two_graphs_may_have_one_name(tmp_path: Path) -> None:
    def scaled(by: float) -> Any:
        def build(defun: Any, x: Any) -> Any:
            return defun(tf.float32, func_name="Scaled")(lambda a: a * by)(x)

        return build

    modules = [tf2bridge.load(calling(tmp_path / f"{by}.pb", scaled(by)), outputs=["y"]) for by in (2.0, 5.0)]
    for module, by in zip(modules, (2.0, 5.0), strict=True):
        np.testing.assert_array_equal(module(X), X * by)


def test_a_tape_takes_the_gradient_that_a_function_brought(clipped: Recorded) -> None:
    """The recorded step is that of gradient descent with 0.1, so it says the gradient that the release took."""
    module = tf2bridge.load(clipped.folder / "model.ckpt.meta", outputs=["loss"])
    (w,) = module.variables
    with tf.GradientTape() as tape:
        loss = module(clipped.part("in")["x"])
    taken = (w - clipped.part("after")["w"]) / 0.1
    np.testing.assert_allclose(tape.gradient(loss, w), taken, rtol=1e-5, atol=1e-6)


def test_a_saved_model_has_no_wrong_gradient(clipped: Recorded, tmp_path: Path) -> None:
    module = tf2bridge.load(clipped.folder / "model.ckpt.meta", outputs=["loss"])
    module.export(tmp_path / "new")
    again = tf.saved_model.load(tmp_path / "new")
    x = tf.constant(clipped.part("in")["x"])
    np.testing.assert_allclose(again.serve(x)["loss"], clipped.part("out")["loss"], rtol=1e-5)
    with pytest.raises(LookupError, match="grad_func"), tf.GradientTape() as tape:
        tape.watch(x)
        tape.gradient(again.serve(x)["loss"], x)


def test_a_gradient_through_a_function_around_one_with_its_own_is_refused_in_a_loop_of_2(tmp_path: Path) -> None:
    """Where it cannot be put in the place of its call: in the body of a `While`."""

    def build(defun: Any, x: Any) -> Any:
        backward = defun(tf.float32, tf.float32, func_name="Back")(lambda a, dy: a * dy * 0.0)
        own = defun(tf.float32, func_name="Own", grad_func=backward)(lambda a: a * a)
        around = defun(tf.float32, func_name="Around")(lambda a: own(a) + 1.0)
        any_shape = [tf.TensorShape([]), tf.TensorShape(None)]
        return tf.while_loop(lambda i, _: i < 1, lambda i, a: (i + 1, around(a)), [0, x], any_shape)[1]

    module = tf2bridge.load(calling(tmp_path / "graph.pb", build, own_gradient=True), outputs=["y"])
    x = tf.constant(X)
    np.testing.assert_array_equal(module(x), X * X + 1.0)
    with pytest.raises(FunctionGradientError, match="calls one with its own gradient"), tf.GradientTape() as tape:
        tape.watch(x)
        tape.gradient(module(x), x)


def test_what_an_older_release_did_not_know_of_is_not_written_into_a_node() -> None:
    """`TopKV2` got an attribute for the type of its second output; without it that was int32."""
    node = v1.NodeDef(name="top", op="TopKV2", input=["x", "k"])
    node.attr["T"].type = tf.float32.as_datatype_enum
    outputs = Library().outputs(node)
    assert outputs == [("values", 0, tf.float32.as_datatype_enum), ("indices", 0, tf.int32.as_datatype_enum)]
    assert "index_type" not in node.attr


def test_functions_of_0_12_are_read_from_text_too(tmp_path: Path) -> None:
    model = unpacked("0.12.1/function_library", tmp_path)
    meta = messages.own("MetaGraphDef").FromString((model.folder / "model.ckpt.meta").read_bytes())
    assert not any(item.node_def for item in meta.graph_def.library.function)
    (model.folder / "graph.pbtxt").write_text(text_format.MessageToString(meta.graph_def))
    as_text, as_bytes = (read_runnable(model.folder / name).graph_def for name in ("graph.pbtxt", "model.ckpt.meta"))
    assert as_text.library == as_bytes.library
    checkpoint = model.folder / "model.ckpt"
    module = tf2bridge.load(model.folder / "graph.pbtxt", outputs=["y"], checkpoint=checkpoint)
    np.testing.assert_allclose(module(model.part("in")["x"]), model.part("out")["y"], rtol=1e-5)


def test_what_functions_of_0_12_touch_is_seen(tmp_path: Path) -> None:
    graph_def = old_graph("ReadFile")
    (tmp_path / "old.pb").write_bytes(graph_def.SerializeToString())
    for classes in (OWN, TENSORFLOWS):
        touches = audit(read(tmp_path / "old.pb", classes=classes).graph_def)
        assert [touch.op for touch in touches] == ["ReadFile"]
    with pytest.raises(UnsupportedOpsError, match=r"ReadFile\) reads or writes files"):
        tf2bridge.load(tmp_path / "old.pb", outputs=["y"])


def test_unknown_operations_in_functions_of_0_12_are_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "old.pb").write_bytes(old_graph("Vanished").SerializeToString())
    with pytest.raises(UnsupportedOpsError, match=r"content in the function Reads \(Vanished\)"):
        tf2bridge.load(tmp_path / "old.pb", outputs=["y"])


def old_graph(op: str) -> Any:
    """A graph as 0.12 would have written `y = Reads(name)`, a function that calls `op`."""
    graph_def = messages.own("GraphDef")()
    graph_def.versions.producer = 17
    text = messages.own("AttrValue")(type=tf.string.as_datatype_enum)
    graph_def.node.add(name="name", op="Placeholder").attr["dtype"].CopyFrom(text)
    graph_def.node.add(name="y", op="Reads", input=["name"])
    function = graph_def.library.function.add()
    function.signature.name = "Reads"
    function.signature.input_arg.add(name="name", type=tf.string.as_datatype_enum)
    function.signature.output_arg.add(name="content", type=tf.string.as_datatype_enum)
    function.node.add(ret=["content"], op=op, arg=["name"])
    return graph_def
