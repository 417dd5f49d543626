"""What a graph may do without permission: the list of operations, and every way by which a graph runs."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf
from tensorflow.core.framework import op_def_pb2
from tensorflow.python.client import pywrap_tf_session
from tensorflow.python.ops import script_ops

import tf2bridge
from tests import forked
from tf2bridge.formats.graphs.audit import CLASSES, DOES, HARMLESS, Touch, audit, harmless_part
from tf2bridge.graph.read_runnable import read_runnable
from tf2bridge.graph.refusals import UnsupportedOpsError

v1 = tf.compat.v1
FLOAT = tf.float32.as_datatype_enum


def registry() -> dict[str, Any]:
    """Every operation of the TensorFlow that is installed."""
    listed = op_def_pb2.OpList.FromString(pywrap_tf_session.TF_GetBuffer(pywrap_tf_session.TF_GetAllOpList()))
    return {op.name: op for op in listed.op}


def pairs() -> list[tuple[str, str]]:
    """The list, as it is written."""
    result: list[tuple[str, str]] = json.loads(CLASSES.read_text("ascii"), object_pairs_hook=list)
    return result


def test_each_operation_is_in_one_class() -> None:
    names = [name for name, _ in pairs()]
    assert names == sorted(set(names))
    kinds = {kind.partition(" if ")[0] for _, kind in pairs()}
    assert kinds == {*HARMLESS, *DOES}


def test_every_operation_of_this_tensorflow_was_looked_at() -> None:
    """A new one is refused until somebody writes its class: `python fixtures/operation_classes.py`.

    In a process of its own, as the converter to TensorFlow Lite adds three for which there is no kernel.
    """
    done = forked.run(
        "from tensorflow.core.framework import op_def_pb2\n"
        "from tensorflow.python.client import pywrap_tf_session as session\n"
        "listed = op_def_pb2.OpList.FromString(session.TF_GetBuffer(session.TF_GetAllOpList()))\n"
        "print(*(each.name for each in listed.op))\n"
    )
    names = set(done.stdout.split())
    assert len(names) > 1500
    assert names - dict(pairs()).keys() == set()


def test_no_harmless_operation_has_the_name_of_a_file_in_an_attribute() -> None:
    suspicious = re.compile("file|path|dir(_|$)|url|address|region|stream|token|protocol")
    harmless = {name for name, kind in pairs() if kind in HARMLESS}
    result = {
        (name, attr.name)
        for name, definition in registry().items()
        for attr in definition.attr
        if name in harmless and attr.type in ("string", "list(string)") and suspicious.search(attr.name)
    }
    assert result == set()


def test_what_runs_functions_is_known_to_do_so() -> None:
    """Attributes of no other harmless operation are looked at for the names of functions."""
    listed = dict(pairs())
    calling = {
        name
        for name, definition in registry().items()
        if any(attr.type in ("func", "list(func)") for attr in definition.attr)
    }
    assert {name for name in calling if listed[name] in HARMLESS} == {
        name for name, kind in listed.items() if kind == "calls" and name in registry()
    }


def test_what_the_list_says_of_some() -> None:
    """Of each class the operations that are easiest to overlook, as they have no state."""
    listed = dict(pairs())
    assert [listed[name] for name in ("ImmutableConst", "GenerateVocabRemapping", "ReadFile", "ShardedFilename")] == [
        "files", "files", "files", "pure",
    ]  # fmt: skip
    assert [listed[name] for name in ("Abort", "Print", "DebugIdentity", "PyFuncStateless", "DatasetFromGraph")] == [
        "ends", "prints", "debugs", "python", "program",
    ]  # fmt: skip
    assert [listed[name] for name in ("XlaCustomCallV2", "RemoteCall", "SleepOp", "GatherTree", "Stage")] == [
        "program", "processes", "waits", "pure", "state",
    ]  # fmt: skip


def node(name: str, op: str, *inputs: str, **attributes: Any) -> Any:
    made = v1.NodeDef(name=name, op=op, input=inputs)
    for key, value in attributes.items():
        made.attr[key].CopyFrom(value)
    return made


def text(value: bytes) -> Any:
    return v1.AttrValue(s=value)


def function(name: str, **attributes: Any) -> Any:
    return v1.AttrValue(func=v1.NameAttrList(name=name, attr=attributes))


def graph(*nodes: Any) -> Any:
    graph_def = v1.GraphDef(node=nodes)
    graph_def.versions.producer = tf.version.GRAPH_DEF_VERSION
    return graph_def


def with_function(graph_def: Any, name: str, *nodes: Any) -> Any:
    made = graph_def.library.function.add(node_def=nodes)
    made.signature.name = name
    return made


def said(graph_def: Any) -> list[str]:
    return [str(item) for item in audit(graph_def)]


def test_an_operation_that_nobody_looked_at_is_refused_and_can_be_permitted() -> None:
    result = graph(node("mine", "MyOwnOp"))
    assert said(result) == ["mine (MyOwnOp) is not on the list of operations that are known to be harmless"]
    assert audit(result, ["MyOwn*"]) == []


def test_an_attribute_may_decide() -> None:
    drawn, read_from = text(b""), text(b"/etc/hostname")
    result = graph(
        node("drawn", "FixedUnigramCandidateSampler", vocab_file=drawn),
        node("plain", "FixedUnigramCandidateSampler"),
        node("reads", "FixedUnigramCandidateSampler", vocab_file=read_from),
    )
    assert audit(result) == [Touch("reads", "FixedUnigramCandidateSampler", "reads or writes files")]


@pytest.mark.parametrize(
    "attribute",
    [
        function("F"),
        function("Given", g=function("F")),
        v1.AttrValue(list=v1.AttrValue.ListValue(func=[v1.NameAttrList(name="Given"), v1.NameAttrList(name="F")])),
    ],
    ids=["named", "given", "listed"],
)
def test_functions_are_looked_into_however_a_node_names_them(attribute: Any) -> None:
    result = graph(node("call", "PartitionedCall", f=attribute))
    with_function(result, "F", node("inside", "ReadFile"))
    with_function(result, "Given", node("calls", "PartitionedCall", f=v1.AttrValue(placeholder="g")))
    assert said(result) == ["inside (ReadFile) reads or writes files"]
    assert not harmless_part(result, ()).node
    assert list(harmless_part(result, ["ReadFile"]).node) == list(result.node)


def test_a_function_that_is_called_by_default_is_looked_into() -> None:
    result = graph(node("call", "Outer"))
    outer = with_function(result, "Outer", node("calls", "PartitionedCall", f=v1.AttrValue(placeholder="g")))
    outer.signature.attr.add(name="g", type="func", default_value=function("F"))
    with_function(result, "F", node("inside", "Abort"))
    assert said(result) == ["inside (Abort) ends the process"]


@pytest.mark.parametrize("differentiated", ["Good", "Sin"])
def test_the_gradient_that_a_library_says_is_looked_into(differentiated: str) -> None:
    result = graph(node("slope", "SymbolicGradient", f=function(differentiated)))
    with_function(result, "Good", node("same", "Identity", "argument"))
    with_function(result, "Back", node("inside", "PyFunc"))
    result.library.gradient.add(function_name=differentiated, gradient_func="Back")
    assert said(result) == ["inside (PyFunc) calls Python"]
    assert not harmless_part(result, ()).node


def test_a_function_that_is_not_in_the_graph_is_none_of_its_own() -> None:
    """In an eager process all functions of the process can be called by their names."""
    result = graph(node("call", "PartitionedCall", f=function("__inference_step_12")), node("sine", "Sin"))
    assert said(result) == ["call (PartitionedCall) calls __inference_step_12, which is no function of the graph"]
    assert [node.name for node in harmless_part(result, ()).node] == ["sine"]
    assert audit(graph(node("slope", "SymbolicGradient", f=function("Sin")))) == []


def test_a_function_that_is_defined_twice_is_refused() -> None:
    result = graph(node("call", "F"))
    with_function(result, "F", node("inside", "ReadFile"))
    with_function(result, "F", node("inside", "NoOp"))
    assert said(result) == ["F (function) is defined more than once"]


def test_what_is_left_has_no_function_that_nothing_reaches() -> None:
    """TensorFlow's optimizer may put one in the place of another that "api_implements" the same."""
    result = graph(node("call", "Plain"), node("bad", "Swapped"))
    with_function(result, "Plain", node("inside", "NoOp"))
    with_function(result, "Swapped", node("inside", "WriteFile"))
    part = harmless_part(result, ())
    assert [item.signature.name for item in part.library.function] == ["Plain"]


def test_what_is_left_prints_nothing_and_passes_on_what_was_printed() -> None:
    typed = {"T": v1.AttrValue(type=FLOAT)}
    result = graph(node("x", "Placeholder"), node("secret", "ReadFile"), node("c", "NoOp"))
    result.node.append(node("told", "Print", "x", "secret", "^c", **typed))
    result.node.append(node("y", "Neg", "told", **typed))
    part = harmless_part(result, ())
    assert [node.name for node in part.node] == ["x", "c", "told", "y"]
    assert part.node[2] == node("told", "Identity", "x", "^c", **typed)
    assert harmless_part(result, ["Print"]).node[-1].name == "c"


CALLS: list[str] = []
"""A note for each call of `of_this_process`."""


def of_this_process() -> Any:
    CALLS.append("called")
    return np.float32(1)


@pytest.fixture
def token() -> Any:
    """That of a Python function of this process, which a graph may only guess."""
    CALLS.clear()
    yield script_ops._py_funcs.insert(of_this_process)
    assert not CALLS


def python(name: str, op: str, token: str) -> Any:
    types = v1.AttrValue(list=v1.AttrValue.ListValue(type=[FLOAT]))
    return node(name, op, token=text(token.encode()), Tin=v1.AttrValue(list={}), Tout=types)


def metagraph(folder: Path, build: Callable[[], None], change: Callable[[Any], None]) -> Path:
    """The .meta of what `build` makes, changed, beside the checkpoint of its variables."""
    with tf.Graph().as_default(), v1.Session() as session:
        build()
        saver = v1.train.Saver()
        session.run(v1.global_variables_initializer())
        saver.save(session, str(folder / "model"), write_meta_graph=False, write_state=False)
        meta = v1.train.export_meta_graph()
    change(meta.graph_def)
    (folder / "model.meta").write_bytes(meta.SerializeToString())
    return folder / "model.meta"


def test_a_saver_that_computes_a_variable_calls_no_python(token: str, tmp_path: Path) -> None:
    def build() -> None:
        v1.get_variable("w", initializer=2.0, use_resource=True)

    def change(graph_def: Any) -> None:
        """The Saver gives another variable what it restores, times what Python returns."""
        taken = next(node for node in graph_def.node if node.op == "RestoreV2")
        variable = next(node for node in graph_def.node if node.name == "w")
        other = v1.NodeDef()
        other.CopyFrom(variable)
        other.name = "other"
        other.attr["shared_name"].s = b"other"
        product = node("product", "Mul", taken.name, "guessed", T=v1.AttrValue(type=FLOAT))
        given = node("give", "AssignVariableOp", "other", "product", dtype=v1.AttrValue(type=FLOAT))
        graph_def.node.extend([other, python("guessed", "PyFunc", token), product, given])

    path = metagraph(tmp_path, build, change)
    with pytest.raises(UnsupportedOpsError, match=r"guessed \(PyFunc\) calls Python"):
        tf2bridge.load(path, outputs=["w/Read/ReadVariableOp"], inputs=[])


@pytest.mark.parametrize("op", ["PyFunc", "PyFuncStateless"])
def test_nothing_is_computed_while_a_graph_is_imported(op: str, token: str, tmp_path: Path) -> None:
    """TensorFlow computes the sizes of a shape, if they depend on constants only, while it adds a node."""

    def build() -> None:
        size = tf.cast(v1.placeholder_with_default(1.0, [], "place"), tf.int32)
        v1.fill([size], v1.get_variable("w", initializer=2.0, use_resource=True), name="y")

    def change(graph_def: Any) -> None:
        names = [node.name for node in graph_def.node]
        graph_def.node[names.index("place")].CopyFrom(python("place", op, token))

    path = metagraph(tmp_path, build, change)
    with pytest.raises(UnsupportedOpsError, match=r"calls Python"):
        tf2bridge.load(path, outputs=["y"], inputs=[])
    module = tf2bridge.load(path, outputs=["w/Read/ReadVariableOp"], inputs=[])
    with module.session() as session:
        assert "y" not in {op.name for op in session.graph.get_operations()}


@pytest.mark.usefixtures("token")
def test_a_function_of_this_process_is_not_called_by_its_name(tmp_path: Path) -> None:
    step = tf.function(lambda: tf.numpy_function(of_this_process, [], tf.float32)).get_concrete_function()
    types = v1.AttrValue(list=v1.AttrValue.ListValue(type=[FLOAT]))
    call = node("y", "StatefulPartitionedCall", f=function(step.name), Tin=v1.AttrValue(list={}), Tout=types)
    (tmp_path / "graph.pb").write_bytes(graph(call).SerializeToString())
    with pytest.raises(UnsupportedOpsError, match="which is no function of the graph"):
        tf2bridge.load(tmp_path / "graph.pb", outputs=["y"])


@pytest.mark.usefixtures("token")
def test_a_gradient_of_this_process_is_not_taken_by_its_number(tmp_path: Path) -> None:
    """`tf.custom_gradient` and `tf.function` register theirs under numbers, which are others' in another process."""
    tf.RegisterGradient("CustomGradient-1234567")(lambda _, given: given * of_this_process())
    chosen = {"_gradient_op_type": text(b"CustomGradient-1234567"), "T": v1.AttrValue(type=FLOAT)}
    result = graph(node("x", "Placeholder", dtype=v1.AttrValue(type=FLOAT)), node("y", "Identity", "x", **chosen))
    (tmp_path / "graph.pb").write_bytes(result.SerializeToString())
    module = tf2bridge.load(tmp_path / "graph.pb", outputs=["y"])
    x = tf.constant(2.0)
    with pytest.raises(LookupError, match="No gradient defined for operation"), tf.GradientTape() as tape:
        tape.watch(x)
        tape.gradient(module(x), x)


def test_abort_does_not_end_the_process(tmp_path: Path) -> None:
    quietly = v1.AttrValue(b=True)
    value = node("y", "Identity", "x", "^end", T=v1.AttrValue(type=FLOAT))
    given = node("x", "Placeholder", dtype=v1.AttrValue(type=FLOAT))
    result = graph(given, node("end", "Abort", exit_without_error=quietly), value)
    (tmp_path / "graph.pb").write_bytes(result.SerializeToString())
    with pytest.raises(UnsupportedOpsError, match=r"end \(Abort\) ends the process"):
        tf2bridge.load(tmp_path / "graph.pb", outputs=["y"])


def test_what_code_of_this_process_builds_may_print() -> None:
    module = tf2bridge.wrap(lambda x: v1.Print(x, [x]) + 1.0, inputs={"x": tf.TensorSpec([])})
    assert float(module(1.0)) == 2.0


def test_the_list_is_read_without_tensorflow(tmp_path: Path) -> None:
    (tmp_path / "graph.pb").write_bytes(graph(node("a", "Print"), node("b", "Neg", "a")).SerializeToString())
    assert said(read_runnable(tmp_path / "graph.pb").graph_def) == ["a (Print) prints"]
