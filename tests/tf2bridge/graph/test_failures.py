"""An error of loading a graph says whose it is: the file's, TensorFlow's, the machine's, or a bug of tf2bridge."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import tensorflow as tf
from click.testing import CliRunner

import tf2bridge
from tests.tf2bridge.graph.recorded import Recorded, unpacked
from tf2bridge.cli import cli
from tf2bridge.errors import BridgeError, OutOfMemoryError, OwnBugError
from tf2bridge.formats.graphs.failures import FailedPassError
from tf2bridge.formats.graphs.misfits import misfit
from tf2bridge.formats.graphs.reader import read
from tf2bridge.formats.graphs.refusals import DamagedGraphError, RefusedGraphError, UnsoundGraphError
from tf2bridge.graph import prepare
from tf2bridge.graph.passes.part import Part, Pass

COPY_AGAIN = "copy the file again"


@pytest.fixture(scope="module")
def mlp(tmp_path_factory: Any) -> Recorded:
    return unpacked("1.15.5/mlp_sgd", tmp_path_factory.getbasetemp())


@pytest.fixture
def frozen(mlp: Recorded) -> Any:
    return read(mlp.folder / "frozen.pb").graph_def


def node_of(graph_def: Any, op: str) -> Any:
    return next(node for node in graph_def.node if node.op == op)


def load(graph_def: Any, folder: Path) -> Any:
    (folder / "model.pb").write_bytes(graph_def.SerializeToString())
    return tf2bridge.load(folder / "model.pb", outputs=["logits"])


def check_refused(graph_def: Any, folder: Path, error: type[BridgeError], words: str) -> str:
    with pytest.raises(error, match=words) as refusal:
        load(graph_def, folder)
    assert type(refusal.value) is error
    assert "\n" not in str(refusal.value)
    return str(refusal.value)


def raising(error: BaseException) -> Any:
    """A pass that looks at a node of the graph and raises this error."""

    def function(part: Part) -> Part:
        node = node_of(tf.compat.v1.GraphDef(node=part.nodes.values()), "MatMul")
        assert node.name
        raise error

    return function


def with_pass(monkeypatch: pytest.MonkeyPatch, name: str, error: BaseException) -> None:
    """Puts a pass that raises the error in place of that of the same name."""
    passes = tuple(Pass(name, raising(error)) if own.name == name else own for own in prepare.PASSES)
    assert passes != prepare.PASSES
    monkeypatch.setattr(prepare, "PASSES", passes)


def test_a_pass_that_fails_is_a_bug_and_named_with_its_node(
    frozen: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_pass(monkeypatch, "loops", ZeroDivisionError("division by zero"))
    message = check_refused(frozen, tmp_path, OwnBugError, "model.pb: the pass 'loops' failed at the node .*MatMul")
    assert "ZeroDivisionError: division by zero" in message
    assert "This is a bug of tf2bridge" in message
    assert "report it" in message
    assert COPY_AGAIN not in message


def test_a_failing_pass_of_wrapped_code_names_no_file(monkeypatch: pytest.MonkeyPatch) -> None:
    with_pass(monkeypatch, "conditions", KeyError("lost"))
    with pytest.raises(OwnBugError, match=r"^the wrapped graph: the pass 'conditions' failed .*KeyError") as refusal:
        tf2bridge.wrap(lambda x: tf.matmul(x, x), {"x": tf.TensorSpec([2, 2])})
    assert isinstance(refusal.value.__cause__, FailedPassError)
    assert isinstance(refusal.value.__cause__.__cause__, KeyError)


@pytest.mark.parametrize("error", [MemoryError(), tf.errors.ResourceExhaustedError(None, None, "OOM")], ids=repr)
def test_no_memory_in_a_pass(
    error: BaseException, frozen: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_pass(monkeypatch, "prune", error)
    message = check_refused(
        frozen, tmp_path, OutOfMemoryError, "model.pb: there is not enough memory: give this process"
    )
    assert COPY_AGAIN not in message
    path = str(tmp_path / "model.pb")
    done = CliRunner().invoke(cli, ["export", path, str(tmp_path / "new"), "--outputs", "logits"])
    assert isinstance(done.exception, MemoryError)  # which the command line says in a line of its own


def test_a_refusal_of_a_pass_stays_what_it_is(frozen: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refusal = BridgeError("what to do")
    with_pass(monkeypatch, "loops", refusal)
    with pytest.raises(BridgeError) as raised:
        load(frozen, tmp_path)
    assert raised.value is refusal


def test_a_pass_that_fails_at_a_damaged_graph_is_no_bug(
    frozen: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    node_of(frozen, "Relu").input[0] = "nowhere"
    with_pass(monkeypatch, "prune", ZeroDivisionError("division by zero"))
    message = check_refused(frozen, tmp_path, UnsoundGraphError, "reads nowhere, and there is no node of this name")
    assert COPY_AGAIN in message


def test_what_tensorflow_says_of_a_graph(frozen: Any, tmp_path: Path) -> None:
    node_of(frozen, "MatMul").attr["T"].type = tf.float64.as_datatype_enum
    message = check_refused(frozen, tmp_path, RefusedGraphError, "model.pb: TensorFlow refuses its nodes .*MatMul")
    assert "double" in message


def test_an_input_of_an_operation_that_tensorflow_does_not_have(frozen: Any, tmp_path: Path) -> None:
    node_of(frozen, "Placeholder").op = "Placehohder"
    (tmp_path / "model.pb").write_bytes(frozen.SerializeToString())
    with pytest.raises(RefusedGraphError, match=r"x \(Placehohder\): it has no such operation"):
        tf2bridge.load(tmp_path / "model.pb", inputs=["x"], outputs=["logits"])


def test_functions_that_call_themselves_without_end(
    frozen: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_pass(monkeypatch, "calls", RecursionError("maximum recursion depth exceeded"))
    check_refused(frozen, tmp_path, DamagedGraphError, "call themselves, or are nested too deeply")


def changed(frozen: Any, change: str) -> Any:
    relu, product = node_of(frozen, "Relu"), node_of(frozen, "MatMul")
    if change == "input":
        product.input[1] = "nowhere"
    elif change == "control input":
        product.input.append("^nowhere")
    elif change == "port":
        relu.input[0] = f"{product.name}:1"
    elif change == "name":
        relu.name = product.name
    elif change == "circle":
        product.input[0] = relu.name
    elif change == "function":
        product.attr["f"].func.name = "lost"
    elif change == "body":
        function = frozen.library.function.add()
        function.signature.name = "body"
        function.node_def.add(name="inner", op="Identity", input=["nowhere"])
    elif change == "result":
        function = frozen.library.function.add()
        function.signature.name = "body"
        function.ret["y"] = "nowhere:0"
    return frozen


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("nothing", "^$"),
        ("input", r"\(MatMul\) reads nowhere, and there is no node of this name"),
        ("control input", r"\(MatMul\) reads \^nowhere, and there is no node"),
        ("port", r"\(Relu\) reads .*:1, and that node \(MatMul\) has 1 outputs"),
        ("name", "two nodes have the name"),
        ("circle", "the graph has a cycle at"),
        ("function", r"\(MatMul\) calls the function lost, which is not there"),
        ("body", "the node inner of the function body reads nowhere"),
        ("result", "the function body returns nowhere:0"),
    ],
)
def test_what_does_not_fit_together(change: str, words: str, frozen: Any) -> None:
    assert re.search(words, misfit(changed(frozen, change)))


def test_every_pass_has_a_name_of_its_own() -> None:
    names = [name for name, _ in prepare.PASSES]
    assert len(set(names)) == len(names)
