"""`tf2bridge inspect` and `describe`: what a file is, told without TensorFlow and as TensorFlow would tell it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import tensorflow as tf
from rich.console import Console
from tensorflow.python.framework import op_def_registry

import tf2bridge
from fixtures.operation_classes import installed
from tests.tf2bridge.graph.recorded import ALL, Recorded, unpacked
from tf2bridge.formats.graphs import operations
from tf2bridge.formats.graphs.described import described
from tf2bridge.formats.graphs.described_text import print_text
from tf2bridge.formats.graphs.reader import read
from tf2bridge.formats.graphs.versions import written_by
from tf2bridge.graph.read_runnable import read_runnable

v1 = tf.compat.v1
ROOT = Path(__file__).parents[4]


@pytest.fixture(scope="module")
def mlp(tmp_path_factory: Any) -> Recorded:
    return unpacked("1.12.3/mlp_adam", tmp_path_factory.getbasetemp())


def without_tensorflow(*arguments: object) -> subprocess.CompletedProcess[str]:
    """The command line in an interpreter that has no TensorFlow."""
    code = (
        "import sys\n"
        "class Absent:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.split('.')[0] in ('tensorflow', 'keras', 'tf_keras'): raise ModuleNotFoundError(name)\n"
        "sys.meta_path.insert(0, Absent())\n"
        "from tf2bridge.cli import main\n"
        "main()\n"
    )
    return subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


def test_inspect_and_audit_work_without_tensorflow(mlp: Recorded) -> None:
    done = without_tensorflow("inspect", mlp.folder / "saved_model", "--output-format", "json")
    assert (done.returncode, done.stderr) == (0, "")
    facts = json.loads(done.stdout)
    assert facts["written by"] == "TensorFlow 1.12.3"
    assert facts["inputs"][0] == {"name": "labels", "tensor": "labels:0", "dtype": "float32", "shape": [None, 3]}
    assert facts["signatures"]["serving_default"]["method"] == "tensorflow/serving/predict"
    done = without_tensorflow("audit", mlp.folder / "model.ckpt.meta")
    assert done.returncode == 1
    assert "save/SaveV2 (SaveV2) reads or writes files" in done.stdout


@pytest.mark.parametrize("name", [name for name in ALL if name.endswith(("/rnn_gru", "/function", "/iterator"))])
def test_what_is_told_without_tensorflow_is_what_it_tells(name: str, tmp_path_factory: Any) -> None:
    model = unpacked(name, tmp_path_factory.getbasetemp())
    for file in ("model.ckpt.meta", "frozen.pb"):
        assert described(read(model.folder / file)) == described(read_runnable(model.folder / file))


def test_what_only_a_branch_computes_is_no_output(tmp_path: Path) -> None:
    control_flow = v1.control_flow_v2_enabled()
    v1.disable_control_flow_v2()
    try:
        with tf.Graph().as_default() as graph:
            x = v1.placeholder(tf.float32, [None], "x")

            def loop() -> Any:  # whose second result nothing uses
                state = tf.while_loop(lambda step, *_: step < 3, lambda step, a, b: (step + 1, a + x, b), [0, x, x])
                return tf.square(state[1]) + 0.0 * tf.exp(state[1], "used") + tf.stop_gradient(tf.abs(x, "inner"))

            y = tf.cond(tf.size(x) > 2, lambda: (loop(), tf.exp(x, "unused"))[0], lambda: x)
            tf.negative(y, "y")
    finally:
        if control_flow:
            v1.enable_control_flow_v2()
    (tmp_path / "graph.pb").write_bytes(graph.as_graph_def().SerializeToString())
    outputs = described(read(tmp_path / "graph.pb"))["outputs"]
    assert [output["name"] for output in outputs] == ["y"]
    assert tf2bridge.load(tmp_path / "graph.pb")(tf.constant([1.0, 2.0])).numpy().tolist() == [-1.0, -2.0]


def test_scattered_rows_are_an_output(tmp_path: Path) -> None:
    with tf.Graph().as_default() as graph:
        tf.scatter_nd([[1], [0]], v1.placeholder(tf.float32, [2], "x"), [3])
    (tmp_path / "graph.pb").write_bytes(graph.as_graph_def().SerializeToString())
    assert [output["name"] for output in described(read(tmp_path / "graph.pb"))["outputs"]] == ["ScatterNd"]


def test_types_are_those_that_tensorflow_gives_its_tensors(mlp: Recorded) -> None:
    graph_def = read(mlp.folder / "model.ckpt.meta").graph_def
    with tf.Graph().as_default() as graph:
        tf.graph_util.import_graph_def(read_runnable(mlp.folder / "model.ckpt.meta").graph_def, name="")
    for node in graph_def.node:
        theirs = [output.dtype.base_dtype.as_datatype_enum for output in graph.get_operation_by_name(node.name).outputs]
        assert operations.output_types(node, {}) == theirs, node.name


@pytest.mark.skipif(not tf.__version__.startswith(operations.RELEASE), reason="the operations of another release")
def test_the_operations_are_those_of_tensorflow() -> None:
    for name, definition in installed().items():
        if name in operations._table():  # other tests may load more
            assert operations._table()[name] == operations.described(definition)
    assert all(op_def_registry.get(op) is not None for op in operations._table())


@pytest.mark.parametrize(
    "release, producer, message",
    [
        ("1.4.1", 24, "TensorFlow 1.4.1"),
        ("", 24, "TensorFlow 1.4.1 or a release near it"),
        ("", 21, "a TensorFlow between 0.12.1 and 1.4.1"),
        ("", 9, "a TensorFlow before 0.12.1"),
        ("", 987, "a TensorFlow after 1.15.5"),
        ("", 0, "a TensorFlow that is not said"),
    ],
)
def test_the_release_is_told_from_the_version(release: str, producer: int, message: str) -> None:
    assert written_by(release, producer) == message


@pytest.mark.parametrize("name", [name for name in ALL if name.endswith("/mlp_sgd")])
def test_the_recorded_versions_are_those_of_their_releases(name: str, tmp_path_factory: Any) -> None:
    graph = read(unpacked(name, tmp_path_factory.getbasetemp()).folder / "model.ckpt.meta")
    release = name.partition("/")[0]
    assert graph.release == release
    assert release in written_by("", graph.graph_def.versions.producer)


def test_what_load_refuses_is_told(tmp_path: Path) -> None:
    with tf.Graph().as_default() as graph:
        words = v1.placeholder(tf.string, [None], name="words")
        queue = v1.FIFOQueue(3, tf.string, name="queue")
        tf.identity(words, name="y")
        with tf.control_dependencies([queue.enqueue_many([words])]):
            tf.strings.length(words, name="length")
    graph_def = graph.as_graph_def()
    graph_def.node.add(name="mine", op="MyOwnOp", input=["words"])
    (tmp_path / "graph.pb").write_bytes(graph_def.SerializeToString())
    lines = described(read(tmp_path / "graph.pb"))["unsupported"]
    assert any(line.startswith("mine (MyOwnOp) is no operation of TensorFlow") for line in lines)
    assert any(line.startswith("queue (FIFOQueueV2) is a queue") for line in lines)


def test_people_get_tables_and_files_plain_text(mlp: Recorded, tmp_path: Path) -> None:
    facts = described(read(mlp.folder / "saved_model"))
    with (tmp_path / "shown.txt").open("w") as file:
        print_text(facts, Console(file=file))
    plain = (tmp_path / "shown.txt").read_text()
    assert plain.isascii()
    assert "hidden/weights float32 [4, 5] 80 yes" in [" ".join(line.split()) for line in plain.splitlines()]
    with Console(force_terminal=True, width=100).capture() as shown:
        print_text(facts, shown._console)
    assert "╭" in shown.get()


def test_a_module_tells_what_it_is(mlp: Recorded) -> None:
    module = tf2bridge.load(mlp.folder / "model.ckpt", outputs=["logits"])
    message = "x float32 (None, 4) -> logits float32 (None, 3); 15 variables, 4 of them trainable"
    assert message in repr(module)
    assert [output["tensor"] for output in module.describe()["outputs"]] == ["logits:0"]
    with Console(width=100).capture() as shown:
        shown._console.print(module)
    assert "hidden/weights" in shown.get()
