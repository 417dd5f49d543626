"""A hundred training steps of each trainable model, beside the genuine release that saved it."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

from tests import oracles
from tests.tf2bridge.decompile.test_training import loaded
from tests.tf2bridge.graph.recorded import ALL, unpacked
from tf2bridge.decompile.decompiling import decompile
from tf2bridge.decompile.emitted.test_model import variable_at

STEPS = 100
USUAL = "1.12.3/mlp_momentum"
LARGEST_OF_MOVE = 5e-3
"""The largest difference, as a part of the largest move of a variable in all steps: rounding grows from step to step.

It is 2e-3 of an average of Adam whose gradient is nearly 0, and 2e-4 elsewhere.
"""

_GENUINE = """
import json, os
import numpy as np
import tensorflow as tf
tf.contrib.rnn  # its operations
path, train, feeds, out, steps = json.loads({asked!r})
os.chdir(os.path.dirname(path))  # a vocabulary lies beside the graph
saver = tf.train.import_meta_graph(path + ".meta")
variables = {{variable.op.name: variable for variable in tf.global_variables()}}
with np.load(feeds) as arrays:
    fed = {{name.replace("|", "/"): array for name, array in arrays.items()}}
with tf.Session(config=tf.ConfigProto(allow_soft_placement=True)) as session:
    saver.restore(session, path)
    session.run(tf.get_collection(tf.GraphKeys.TABLE_INITIALIZERS))
    for _ in range(steps):
        session.run(train, fed)
    np.savez(out, **{{name.replace("/", "|"): value for name, value in session.run(variables).items()}})
"""


@pytest.mark.oracle
@pytest.mark.parametrize(
    "name", [name if name == USUAL else pytest.param(name, marks=pytest.mark.soak) for name in ALL]
)
def test_a_hundred_steps_are_those_of_genuine_tensorflow(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = unpacked(name, tmp_path / "models")
    if not model.train:
        pytest.skip("it has no train op")
    module, feeds = loaded(model)
    start = {variable.name.partition(":")[0]: variable.numpy() for variable in module.variables}
    folder = tmp_path / f"steps_{name.replace('/', '_').replace('.', '_')}"
    done = decompile(module, folder, feeds=feeds, train=True, worst=0)
    if done.step_differences == {}:
        pytest.skip("it draws random numbers")
    expected = _genuine(model, tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    package: Any = importlib.import_module(folder.name)
    weights: Any = importlib.import_module(f"{folder.name}.weights")
    trainer = package.Trainer.load()
    inputs = [tf.convert_to_tensor(feeds[key]) for key in trainer.legacy_inputs]
    for _ in range(STEPS):
        trainer.train_step(*inputs)
    paths = {f"model.{path}": weight for path, weight in weights.names().items()} | weights.names("training.toml")
    measured = {}
    for path, (names, transform) in paths.items():
        if expected.keys() >= set(names):
            first, last = (
                weights.transformed([values[variable] for variable in names], transform) for values in (start, expected)
            )
            measured[path] = _part_of_move(variable_at(trainer, path).numpy(), last, first)
    for part in [key for key in sys.modules if key.partition(".")[0] == folder.name]:
        del sys.modules[part]
    assert measured
    print(f"\n{name}: {max(measured.values()):.1g} of the largest move")
    assert max(measured.values()) <= LARGEST_OF_MOVE, measured


def _genuine(model: Any, tmp_path: Path) -> dict[str, Any]:
    """Returns the variables after the steps that the release of a model takes."""
    tensors, arrays = model.tensors("in"), model.part("in")
    fed, out = tmp_path / "fed.npz", tmp_path / "genuine.npz"
    np.savez(fed, **{tensors[key].replace("/", "|"): array for key, array in arrays.items()})
    asked = json.dumps([str(model.folder / "model.ckpt"), model.train, str(fed), str(out), STEPS])
    ran = oracles.run(model.name.partition("/")[0], _GENUINE.format(asked=asked))
    if "op_dict[node.op]" in ran.stderr and model.name.startswith("0.12"):
        pytest.skip("TensorFlow 0.12 imports no graph that defines functions")
    assert ran.returncode == 0, ran.stderr[-2000:]
    with np.load(out) as values:
        return {name.replace("|", "/"): value for name, value in values.items()}


def _part_of_move(array: Any, expected: Any, start: Any) -> float:
    difference = float(np.max(np.abs(array.astype(np.float64) - expected), initial=0.0))
    move = float(np.max(np.abs(expected.astype(np.float64) - start), initial=0.0))
    return difference / move if difference else 0.0
