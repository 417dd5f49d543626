"""Figures of `decompile` on nets of public code: lines, calls that are left, differences, times beside `load`'s.

    python -m tests.benchmarks.decompile_figures FOLDER [NAME...] [--public PUBLIC] [--no-times]

Genuine TensorFlow 1.12.3 saves the nets of `published_nets.py` into FOLDER, unless they are there. PUBLIC has files
that are not part of a release: `modeling.py` and `optimization.py` of google-research/bert, `gpt2.py` (src/model.py of
openai/gpt-2), `mobilenet_v1.py` (research/slim/nets of tensorflow/models), and the folder `nmt` of tensorflow/nmt. The
times are ratios: both sides are called in turns in a `tf.function`.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import inspect
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import keras
import numpy as np
import tensorflow as tf

import tf2bridge
from fixtures import genuine
from tests.benchmarks.turns import in_turns
from tf2bridge.decompile.training.step import Step

RELEASE = "1.12.3"
BATCH = 2
ROUNDS = 15
NETS = (
    *("resnet_50", "inception_v3", "mobilenet", "vgg_16", "bert", "gpt_2", "dcgan", "translation"),
    *("ptb", "bert_trained", "translation_trained", "supervised"),
)
KERAS = {"resnet_50": "resnet", "inception_v3": "inception_v3", "mobilenet": "mobilenet", "vgg_16": "vgg16"}
"""A net -> the module of `keras.applications` that has it."""
HEADINGS = (
    *("net", "nodes", "lines", "Keras", "raw_ops", "outputs", "gradients", "of a step", "load, s", "decompile, s"),
    *("inference", "step"),
)


class Net(NamedTuple):
    """A loaded net: its module, arrays for its inputs, its train op, and the seconds that loading took."""

    module: Any
    arrays: dict[str, Any]
    train_op: str | None
    seconds: float


def lines_of_keras(name: str) -> int | None:
    """Returns how many lines the functions have that build a net in Keras; docstrings and comments do not count."""
    if name not in KERAS:
        return None
    module = importlib.import_module(f"keras.src.applications.{KERAS[name]}")
    others = ("preprocess_input", "decode_predictions", "ResNet101", "ResNet152")
    tree = ast.parse(inspect.getsource(module))
    functions = [part for part in tree.body if isinstance(part, ast.FunctionDef) and part.name not in others]
    numbers = set()
    for function in functions:
        body = function.body[1:] if ast.get_docstring(function) else function.body
        numbers |= {node.lineno for part in body for node in ast.walk(part) if hasattr(node, "lineno")}
        numbers |= set(range(function.lineno, body[0].lineno)) if not ast.get_docstring(function) else {function.lineno}
    return len(numbers)


def loaded(folder: Path) -> Net:
    """Loads a saved net, and makes up arrays for its inputs."""
    ends = json.loads((folder / "ends.json").read_text())
    begun = time.perf_counter()
    graph = folder / "model.ckpt.meta"
    module = tf2bridge.load(graph, inputs=ends["inputs"] or None, outputs=ends["outputs"])
    seconds = time.perf_counter() - begun
    random = np.random.default_rng(0)
    arrays = {}
    for name, spec in specs(module, ends["train"]).items():
        sizes = [size or (24 if place else BATCH) for place, size in enumerate(spec.shape)]
        most = next((size for key, size in ends["integers"].items() if name.startswith(key)), 2)
        drawn = random.standard_normal(sizes) if spec.dtype.is_floating else random.integers(0, most, sizes)
        if spec.shape.rank == 1 and len(specs(module, ends["train"])) > 1 and "Iterator" in name:
            drawn = np.full(sizes, 24)  # lengths of the sequences
        arrays[name] = drawn.astype(spec.dtype.as_numpy_dtype)
    return Net(module, arrays, ends["train"], seconds)


def specs(module: Any, train_op: str | None) -> Mapping[str, Any]:
    """Returns what is known of each input of a module, and of its training step."""
    if train_op is None:
        return module.inputs
    step = Step.of(module, train_op)
    return {**step.parts.forward.inputs, **step.further}


def ratio(old: Callable[[], Any], new: Callable[[], Any]) -> float:
    """Returns how much longer `new` takes than `old`: the least times of short rounds, in turns."""
    for function in (old, new):
        function()
    begun = time.perf_counter()
    old()
    times = max(1, int(0.1 / (time.perf_counter() - begun)))
    before, after = in_turns([old, new], ROUNDS, times)
    return after / before


def times(net: Net, done: Any) -> tuple[float, float | None]:
    """Returns the time of the package for one call, and for one training step, in times of the loaded graph's."""
    sys.path.insert(0, str(done.path.parent))
    package = importlib.import_module(done.path.name)
    model = package.load()
    inputs = [tf.constant(net.arrays[name]) for name in model.legacy_inputs]
    step = None
    module = net.module
    if net.train_op is not None:
        parts = Step.of(net.module, net.train_op).parts
        module = parts.forward
        trainer = package.Trainer.load()
        sources = {**parts.forward.ends.inputs, **parts.update.ends.inputs}
        losses = [list(parts.forward.ends.outputs.values())[number] for numbers in parts.losses for number in numbers]
        names = trainer.legacy_inputs
        fed = [tf.constant(net.arrays[name]) for name in names]
        call = net.module.function([sources[name] for name in names], [parts.train_op, *losses])
        before, after = tf.function(lambda *tensors: call(*tensors)[1:]), tf.function(trainer.train_step)
        step = ratio(lambda: before(*fed), lambda: after(*fed))
    old, new = tf.function(module.__call__), tf.function(model.__call__)
    given = [tf.constant(net.arrays[name]) for name in module.inputs]
    return ratio(lambda: old(*given), lambda: new(*inputs)), step


def figures(name: str, folder: Path, with_times: bool) -> list[str]:
    """Returns the cells of a net."""
    net = loaded(folder / name)
    with tempfile.TemporaryDirectory() as parent:
        begun = time.perf_counter()
        done = tf2bridge.decompile(
            net.module, Path(parent) / f"package_{name}", feeds=net.arrays, train_op=net.train_op, worst=0
        )
        seconds = time.perf_counter() - begun
        inference, step = times(net, done) if with_times else (None, None)
    for left in done.left:
        print(f"  {left.calls} of {left.op}: {left.why}", file=sys.stderr)
    for dropped in done.dropped:
        print(f"  without {dropped.rule} at {dropped.node}: {dropped.why}", file=sys.stderr)
    largest = {
        kind: max((value for key, value in done.differences.items() if key.startswith(kind)), default=None)
        for kind in ("out", "gradient")
    }
    of_step = max(done.step_differences.values(), default=None)
    cells = [name, done.nodes, done.lines, lines_of_keras(name), done.raw_calls, largest["out"], largest["gradient"]]
    return [shown(cell) for cell in (*cells, of_step, net.seconds, seconds, inference, step)]


def shown(cell: object) -> str:
    """Returns a cell of the table."""
    if not isinstance(cell, float):
        return "" if cell is None else str(cell)
    return f"{cell:.2g}" if cell < 1e-2 else f"{cell:.2f}"


def build(names: Sequence[str], folder: Path, public: Path) -> None:
    """Lets the genuine release save the nets that are not there."""
    script = Path(__file__).with_name("published_nets.py")
    for name in names:
        if not (folder / name / "ends.json").exists():
            command = [genuine.interpreter(RELEASE), "-W", "ignore", str(script), str(folder), str(public), name]
            subprocess.run(command, env=genuine.environment(), check=True, stdout=subprocess.DEVNULL)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--public", type=Path, default=Path())
    parser.add_argument("--no-times", action="store_true")
    parser.add_argument("names", nargs="*", default=NETS)
    given = parser.parse_args()
    build(given.names, given.folder, given.public)
    print(f"| {' | '.join(HEADINGS)} |\n|{'---|' * len(HEADINGS)}")
    for name in given.names:
        print(f"| {' | '.join(figures(name, given.folder, not given.no_times))} |", flush=True)
        keras.backend.clear_session()


if __name__ == "__main__":
    main()
