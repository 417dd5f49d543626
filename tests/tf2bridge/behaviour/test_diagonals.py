"""Diagonals of bands, and the date of a release, as genuine 1.15.5 and 1.12.3 have them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import forked
from tests.same_text import lines

PROGRAM = """
import warnings
warnings.simplefilter("ignore")
import numpy as np
import {module} as tf
{enable}
x = np.arange(1.0, 13.0, dtype=np.float32).reshape(3, 4)
band = np.array([[1, 2, 9], [3, 4, 5]], np.float32)
def told(make):
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        try:
            found = make()
            print(session.run(found).tolist(), found.shape)
        except ValueError as error:
            print("ValueError")
def slope(make, values):
    given = tf.constant(values)
    made = make(given)
    weights = np.arange(1.0, made.shape.num_elements() + 1, dtype=np.float32).reshape(made.shape)
    return tf.gradients(made * weights, given)[0]
def all_told():
    for function, args, options in (
        (tf.linalg.diag, (band,), dict(k=(0, 1))),
        (tf.linalg.diag, (band,), dict(k=(-1, 0))),
        (tf.matrix_diag, (band[0, :2],), dict(k=1, num_rows=2, num_cols=3, padding_value=7)),
        (tf.linalg.diag_part, (x,), dict(k=(-1, 2))),
        (tf.matrix_diag_part, (x,), dict(k=(1, 3), padding_value=9)),
        (tf.matrix_diag_part, (x > 3,), dict(k=(0, 1))),
        (tf.linalg.set_diag, (x, band), dict(k=(0, 1))),
        (tf.matrix_set_diag, (x, band[0]), dict(k=0)),
        (tf.linalg.diag, (band,), dict()),
    ):
        told(lambda: function(*args, **options))
        if args[0].dtype == np.float32:
            told(lambda: slope(lambda given: function(given, *args[1:], **options), args[0]))
all_told()
dates = ((2018, 9, 30), (2018, 10, 1), (2019, 8, 20), (2019, 8, 21), (2025, 1, 1))
print([tf.compat.forward_compatible(*date) for date in dates])
with tf.compat.forward_compatibility_horizon(2019, 10, 1):
    print([tf.compat.forward_compatible(*date) for date in dates])
    all_told()
print([tf.compat.forward_compatible(*date) for date in dates])
"""

GRAPH = """
import sys
import numpy as np
import tensorflow as tf
import tf2bridge
given = np.array([[1, 2, 9], [3, 4, 5]], np.float32)
with tf.Graph().as_default() as graph:
    x = tf.compat.v1.placeholder(tf.float32, [2, 3], name="x")
    y = tf.raw_ops.MatrixDiagV2(diagonal=x, k=(0, 1), num_rows=-1, num_cols=-1, padding_value=0.0, name="y")
    z = tf.raw_ops.MatrixDiagPartV2(input=y, k=(0, 1), padding_value=0.0, name="z")
    tf.raw_ops.MatrixSetDiagV2(input=y, diagonal=z * 2.0, k=(0, 1), name="w")
    tf.io.write_graph(graph, sys.argv[1], "graph.pb", as_text=False)
for name in ("y", "z", "w"):
    function = tf2bridge.load(sys.argv[1] + "/graph.pb", inputs=["x"], outputs=[name])
    values = tf.constant(given)
    with tf.GradientTape() as tape:
        tape.watch(values)
        made = tf.reshape(tf.nest.flatten(function(values))[0], [-1])
        total = tf.reduce_sum(made * tf.range(1.0, tf.size(made, tf.float32) + 1.0))
    print(name, made.numpy().tolist(), tape.gradient(total, values).numpy().tolist())
"""


@pytest.mark.oracle
def test_what_1_15_leaves_out_of_account_is_left_out() -> None:
    assert lines(PROGRAM, None, "1.15.5") == lines(PROGRAM, "1.15.5", "1.15.5")


@pytest.mark.oracle
def test_the_date_of_1_12() -> None:
    text = (
        "import {module} as tf\n{enable}\n" + PROGRAM[PROGRAM.index("dates =") : PROGRAM.index("    all_told()\nprint")]
    )
    text += PROGRAM[PROGRAM.rindex("print(") :]
    assert lines(text, None, "1.12.3") == lines(text, "1.12.3", "1.12.3")


def test_gradients_of_a_graph_of_autumn_2019(tmp_path: Path) -> None:
    done = forked.run(GRAPH, str(tmp_path))
    assert done.returncode == 0, done.stderr[-2000:]
    # A diagonal above the main one begins at the left: its last place is padding, which no gradient reaches.
    assert done.stdout.splitlines() == [
        "y [3.0, 1.0, 0.0, 0.0, 4.0, 2.0, 0.0, 0.0, 5.0] [[2.0, 6.0, 0.0], [1.0, 5.0, 9.0]]",
        "z [1.0, 2.0, 0.0, 3.0, 4.0, 5.0] [[1.0, 2.0, 0.0], [4.0, 5.0, 6.0]]",
        "w [6.0, 2.0, 0.0, 0.0, 8.0, 4.0, 0.0, 0.0, 10.0] [[4.0, 12.0, 0.0], [2.0, 10.0, 18.0]]",
    ]
