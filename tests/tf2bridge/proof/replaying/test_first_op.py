"""`tf2bridge replay` names the first op that differs, or says in a line why it cannot; the rows stand in any case."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tf2bridge.proof.recording.assembled import assembled

PROGRAM = """
import numpy as np
import tensorflow as tf
v1 = tf.compat.v1
v1.disable_v2_behavior()
x = v1.placeholder(tf.float32, [2, 3], name="x")
w = v1.get_variable("w", [3, 2], initializer=v1.random_normal_initializer(seed=1))
y = tf.tanh(tf.matmul(x, w), name="y") * {factor}
loss = tf.reduce_mean(tf.square(y), name="loss")
train = v1.train.GradientDescentOptimizer(0.1).minimize(loss)
with v1.Session() as sess:
    sess.run(v1.global_variables_initializer())
    for step in range({steps}):
        sess.run([loss, train], {{x: np.full([2, 3], {fed})}})
"""


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A trace of the program, in its directory."""
    directory = tmp_path_factory.mktemp("recorded")
    (directory / "recorder.py").write_text(assembled())
    write(directory)
    command = [sys.executable, "recorder.py", "--output", "t.trace", "--", "train.py"]
    subprocess.run(command, cwd=directory, check=True, capture_output=True)
    return directory


def write(directory: Path, **choices: object) -> None:
    (directory / "train.py").write_text(PROGRAM.format(**{"factor": 0.5, "steps": 2, "fed": 0.25, **choices}))


def run(directory: Path, *options: str, **choices: object) -> dict[str, Any]:
    write(directory, **choices)
    command = [sys.executable, "-m", "tf2bridge", "replay", "t.trace", *options, "--output-format", "json"]
    done = subprocess.run([*command, "--", "train.py"], cwd=directory, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    result: dict[str, Any] = json.loads(done.stdout)
    assert result["first_divergence"]
    return result


def test_the_op_its_lines_and_its_cause(recorded: Path) -> None:
    result = run(recorded, factor=0.75)["first_op"]
    assert (result["op"], result["our_op"], result["where"], result["our_where"]) == (
        "mul",
        "mul",
        "train.py:8",
        "train.py:8",
    )
    assert result["cause"] == "another constant: the constant input mul/y:0 is 0.5 there and 0.75 here"


def test_nobody_has_to_search(recorded: Path) -> None:
    result = run(recorded, "--no-search", factor=0.75)
    assert (result["first_op"], result["not_searched"]) == (None, "")


@pytest.mark.parametrize(
    ("choices", "why"),
    [({"fed": 0.125}, "the program fed other data in call 1"), ({"steps": 1}, "this call was not made")],
)
def test_what_no_op_did_is_said(recorded: Path, choices: dict[str, object], why: str) -> None:
    result = run(recorded, **choices)
    assert result["first_op"] is None
    assert why in result["not_searched"]
