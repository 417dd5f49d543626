"""Nothing of what we replace in other libraries is left once it has ended."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

EVERYTHING = Path(__file__).with_name("everything.py")
GRAPHS = Path(__file__).parents[3] / "fixtures/graphs"

GRAPH = """
from tf2bridge.proof.testing.graphs import tf1_graph
import tensorflow as tf
with tf1_graph(seed=1, api={api!r}) as made:
    values = tf.compat.v1.get_variable("v", [2, 3])
    mean = tf.nn.moments(tf.nn.dropout(values, 0.5), [0])[0]
    gradient = tf.compat.v1.gradients(mean, [values])
    made.initialize()
    made.run(gradient)
"""
FAILING = """
from tf2bridge.behaviour.for_a_while import for_a_while
import tensorflow as tf
try:
    with for_a_while("1.4"), tf.Graph().as_default():
        raise KeyboardInterrupt
except KeyboardInterrupt:
    pass
"""
WRAP = """
import tf2bridge, tensorflow as tf
def double(x):
    return tf.matmul(x, tf.compat.v1.get_variable("v", [2, 3]))
tf2bridge.wrap(double, inputs={"x": tf.TensorSpec([None, 2])})(tf.ones([1, 2]))
"""
RANDOM = """
from tf2bridge import proof
import keras, tensorflow as tf, tf_keras
for by in ("order", "name"):
    with proof.controlled_random(seed=1, by=by):
        tf.random.normal([2])
        keras.layers.Dense(2)(tf.ones([1, 2]))
        tf_keras.layers.Dense(2)(tf.ones([1, 2]))
"""
INPUT = """
from tf2bridge.train.queues.building import built_as_in
import tensorflow as tf
for api in ("0.12", "1.12"):
    built_as_in(api, lambda: tf.random.normal([2]))
"""
TOWERS = """
from tf2bridge.train.tower.shared import averaging_apart
from tf2bridge.train.tower.synchronised import synchronised
with averaging_apart(), synchronised([]):
    pass
"""
OF_TENSORFLOW = {
    "tensorflow.core.config.flags FLAGS",  # made when it is first asked for
    "tensorflow.core.protobuf.rewriter_config_pb2:RewriterConfig ON",  # as all values of an enumeration
    "tensorflow.python.eager.context _context",
    "tensorflow.python.training.experimental.mixed_precision_global_state _non_mixed_precision_session_created",
}
"""What TensorFlow itself sets when a graph is made or run."""


def left_by(code: str) -> list[str]:
    """What is not as it was before the code ran, in a process of its own."""
    command = [sys.executable, str(EVERYTHING), code]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=500, cwd=EVERYTHING.parents[3])
    assert done.returncode == 0, done.stderr[-3000:]
    lines = [line for line in done.stdout.splitlines() if line]
    # Python makes the empty annotations of a class when somebody asks for them.
    return [
        line
        for line in lines
        if not line.endswith("__annotations__: 'absent' -> {}") and _place(line) not in OF_TENSORFLOW
    ]


def _place(line: str) -> str:
    return line.rpartition(" -> ")[0].split(": ")[0]


@pytest.mark.parametrize("api", ["0.12", "1.4", "1.12", "1.15"])
def test_a_graph_of_a_release(api: str) -> None:
    assert left_by(GRAPH.format(api=api)) == []


@pytest.mark.parametrize("code", [FAILING, WRAP, RANDOM, INPUT, TOWERS])
def test_what_is_changed_for_a_while(code: str) -> None:
    assert left_by(code) == []


def test_loading_a_graph(tmp_path: Path) -> None:
    with zipfile.ZipFile(GRAPHS / "1.12.3/mlp_momentum.zip") as packed:
        packed.extractall(tmp_path)
    meta = next(tmp_path.rglob("*.meta"))
    assert left_by(f"import tf2bridge\nmodule = tf2bridge.load({str(meta)!r})\nmodule.session().__enter__()") == []


def test_what_is_left_is_seen() -> None:
    lines = left_by("import tensorflow as tf, numpy as np\ntf.Tensor.own = 1\nnp.sum = max")
    assert [line.split(": ")[0] for line in lines] == ["numpy sum", "tensorflow.python.framework.tensor:Tensor own"]
