"""Live graphs beside TensorFlow's own ways of running and importing the same graphs, each pair in one run.

    python -m pytest -s tests/benchmarks/bench_graphs.py

Times are the least of several rounds, taken in turns; those of loading are the processor's. Memory is what the process
grew by at most, in a process each. The passes are linear if a node of 100,000 takes no longer than one of 10,000.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import tf2bridge
from fixtures import genuine
from tests.benchmarks.turns import in_turns

ROOT = Path(__file__).parents[2]
ROUNDS = 60
"""Short ones, so that some fall into moments in which nothing else runs."""

v1 = tf.compat.v1

SESSION = """
import sys, time
import numpy as np
import tensorflow as tf
with tf.Graph().as_default():
    x = tf.placeholder(tf.float32, [None, 4], name="x")
    tf.add(tf.matmul(x, tf.ones([4, 3])), 1.0, name="y")
    x = np.ones([2, 4], np.float32)
    with tf.Session() as session:
        times = []
        for _ in range(int(sys.argv[1])):
            begun = time.perf_counter()
            for _ in range(25):
                session.run("y:0", {"x:0": x})
            times.append((time.perf_counter() - begun) / 25)
print(min(times))
"""
LOAD = """
import json, re, sys, time
import tensorflow as tf
import tf2bridge
from tf2bridge.graph import graph_module as module
from tf2bridge.behaviour.installed import tensorflow
tensorflow()
tf.constant(1)
def importing():
    graph_def = tf.compat.v1.GraphDef.FromString(open(sys.argv[2], "rb").read())
    with tf.Graph().as_default():
        tf.graph_util.import_graph_def(graph_def, name="")
def wrapping():
    graph_def = tf.compat.v1.GraphDef.FromString(open(sys.argv[2], "rb").read())
    return tf.compat.v1.wrap_function(
        lambda: tf.graph_util.import_graph_def(graph_def, return_elements=["y:0"], name=""), [])
def loading():
    return tf2bridge.load(sys.argv[2], inputs=["x"], outputs=["y"])
def timed(*arguments, **options):
    begun = time.process_time()
    found = prepared(*arguments, **options)
    passes.append(time.process_time() - begun)
    return found
prepared, module.prepared, passes = module.prepared, timed, []
def peak():
    return int(re.search("VmHWM:\\\\s+(\\\\d+)", open("/proc/self/status").read())[1]) / 1024
before = peak()
begun = time.process_time()
kept = locals()[sys.argv[1]]()
seconds = time.process_time() - begun
print(json.dumps({"seconds": seconds, "megabytes": peak() - before, "passes": sum(passes)}))
"""


def least(*functions: Callable[[], Any], times: int = 25) -> list[float]:
    """Microseconds of one call of each."""
    return [seconds * 1e6 for seconds in in_turns(functions, ROUNDS, times)]


def written(path: Path, build: Callable[[], None]) -> Path:
    with tf.Graph().as_default() as graph:
        build()
        path.write_bytes(graph.as_graph_def().SerializeToString())
    return path


def tiny() -> None:
    x = v1.placeholder(tf.float32, [None, 4], name="x")
    tf.add(tf.matmul(x, tf.ones([4, 3])), 1.0, name="y")


def outside(code: str, *arguments: object, python: Path = Path(sys.executable)) -> str:
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"}
    environment.pop("TF2_BEHAVIOR", None)
    if python == Path(sys.executable):
        environment["PYTHONPATH"] = str(ROOT)
    command = [str(python), "-c", code, *map(str, arguments)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.splitlines()[-1]


def bench_a_call(tmp_path: Path) -> None:
    path = written(tmp_path / "tiny.pb", tiny)
    function = tf2bridge.load(path, inputs=["x"], outputs=["y"]).call
    value = np.ones([2, 4], np.float32)
    tensor, concrete = tf.constant(value), function.concrete
    captured = concrete.captured_inputs
    with tf.Graph().as_default() as graph:
        tiny()
    with contextlib.closing(v1.Session(graph=graph)) as session:
        flat, ours, with_array, in_session = least(
            lambda: concrete._call_flat([tensor], captured),
            lambda: function(tensor),
            lambda: function(value),
            lambda: session.run("y:0", {"x:0": value}),
        )
    print(f"\na tiny graph, microseconds a call: tensors {ours:.1f}, _call_flat {flat:.1f}: {ours / flat:.2f} times")
    sessions = {"TF 2": in_session}
    if genuine.is_built("1.15.5"):
        seconds = float(outside(SESSION, ROUNDS, python=Path(genuine.interpreter("1.15.5"))))
        sessions["genuine 1.15.5, in its own process"] = seconds * 1e6
    for name, its in sessions.items():
        print(f"  arrays {with_array:.1f}, Session.run of {name} {its:.1f}: {with_array / its:.2f} times")


def bench_a_convolutional_network(tmp_path: Path) -> None:
    def build() -> None:
        y = v1.placeholder(tf.float32, [8, 56, 56, 16], name="x")
        for place in range(8):
            kernel = tf.constant(np.random.RandomState(place).rand(3, 3, 16, 16).astype(np.float32) * 0.05)
            y = tf.nn.relu(tf.nn.conv2d(y, kernel, 1, "SAME"))
        tf.identity(y, name="y")

    module = tf2bridge.load(written(tmp_path / "convnet.pb", build), inputs=["x"], outputs=["y"])
    value = np.random.RandomState(0).rand(8, 56, 56, 16).astype(np.float32)
    with tf.Graph().as_default() as graph:
        tf.graph_util.import_graph_def(module.graph.graph_def, name="")
    with contextlib.closing(v1.Session(graph=graph)) as session:
        in_session, ours = least(lambda: session.run("y:0", {"x:0": value}), lambda: module(value), times=3)
    print(f"\na convolutional network, ms a call: ours {ours / 1e3:.1f}, the v1 session {in_session / 1e3:.1f}")


def plain(nodes: int, size: int) -> None:
    y = v1.placeholder(tf.float32, [None, size], name="x")
    weights = np.random.RandomState(0).rand(size, size).astype(np.float32)
    for _ in range(nodes // 4):
        y = tf.identity(tf.tanh(tf.matmul(y, tf.constant(weights))))
    tf.identity(y, name="y")


def with_control_flow(nodes: int, size: int) -> None:
    y = v1.placeholder(tf.float32, [None, size], name="x")
    weights = tf.constant(np.random.RandomState(0).rand(size, size).astype(np.float32))

    def step(turn: Any, value: Any) -> Any:
        return turn + 1, tf.tanh(tf.matmul(value, weights))

    v1.disable_control_flow_v2()
    while len(v1.get_default_graph().get_operations()) < nodes:
        y = v1.while_loop(lambda turn, _: turn < 3, step, [tf.constant(0), y])[1]
        y = v1.cond(tf.reduce_sum(y) > 0.0, lambda y=y: y * 2.0, lambda y=y: tf.matmul(y, weights))
        for _ in range(10):
            y = tf.tanh(y + 1.0)
    v1.enable_control_flow_v2()
    tf.identity(y, name="y")


@pytest.mark.parametrize(
    ("build", "nodes", "size"),
    [
        (plain, 20_000, 70),
        (with_control_flow, 20_000, 70),
        (plain, 10_000, 4),
        (plain, 100_000, 4),
        (with_control_flow, 10_000, 4),
        (with_control_flow, 100_000, 4),
    ],
)
def bench_loading(build: Callable[[int, int], None], nodes: int, size: int, tmp_path: Path) -> None:
    path = written(tmp_path / "large.pb", lambda: build(nodes, size))
    result: dict[str, list[dict[str, float]]] = {"importing": [], "wrapping": [], "loading": []}
    for _ in range(3 if nodes < 100_000 else 1):
        for name, figures in result.items():
            figures.append(json.loads(outside(LOAD, name, path)))
    seconds = {name: min(figure["seconds"] for figure in figures) for name, figures in result.items()}
    memory = {name: min(figure["megabytes"] for figure in figures) for name, figures in result.items()}
    passes = min(item["passes"] for item in result["loading"])
    print(
        f"\n{build.__name__}, {nodes} nodes, {path.stat().st_size / 1e6:.0f} MB: load {seconds['loading']:.2f} s, "
        f"import_graph_def {seconds['importing']:.2f} s: {seconds['loading'] / seconds['importing']:.2f} times "
        f"(in wrap_function {seconds['wrapping']:.2f} s)\n  memory: load {memory['loading']:.0f} MB, "
        f"import_graph_def {memory['importing']:.0f} MB, in wrap_function {memory['wrapping']:.0f} MB\n"
        f"  passes: {passes:.2f} s, {passes / nodes * 1e6:.0f} microseconds a node"
    )
