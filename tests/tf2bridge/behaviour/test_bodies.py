"""What TensorFlow 2 computes otherwise by the same name: the genuine releases printed what is expected."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests import forked
from tests.same_text import lines

PROGRAM = """
import json
import numpy as np
import {module} as tf
{enable}
def told(name, make):
    with tf.Graph().as_default() as graph, tf.Session() as session:
        result = make()
        session.run(getattr(tf, "global_variables_initializer")())
        result = np.asarray(session.run(result))
        values = result.astype(np.float64).ravel()
        print(json.dumps([name, result.shape, [None if np.isnan(v) else round(float(v), 4) for v in values[:8]]]))
x = (np.arange(36).reshape(1, 3, 3, 4) % 7 * 1e-3).astype(np.float32)
def normalized(epsilon):
    return tf.nn.fused_batch_norm(tf.constant(x), tf.ones([4]), tf.zeros([4]), epsilon=epsilon)[0]
for epsilon in (1e-3, 1e-6, 1e-8):
    told("normalized %g" % epsilon, lambda: normalized(epsilon))
told("contrib", lambda: tf.contrib.layers.batch_norm(tf.constant(x), epsilon=1e-6, is_training=True, fused=True))
told("moments", lambda: tf.stack(tf.nn.weighted_moments(
    tf.constant([[1.0, 2.0], [3.0, 5.0]]), [0], tf.constant([[0.0, 1.0], [0.0, 1.0]]))))
told("saturated", lambda: tf.saturate_cast(tf.constant([3e9, -3e9, 1.5]), tf.int32))
told("saturated bytes", lambda: tf.saturate_cast(tf.constant([300.0, -1.0, 1.5]), tf.uint8))
wide = np.tile([300.5, 256.0, -1.5, 255.9, 3e9, np.nan, 70000.0, 12.0], 40).astype(np.float32)
for kind in (tf.uint8, tf.int8, tf.uint16, tf.int16):
    told("cast " + kind.name, lambda: tf.cast(tf.constant(wide), kind))
told("image", lambda: tf.image.convert_image_dtype(tf.constant(wide / 255), tf.uint8))
"""

LATER = """
told("angle", lambda: tf.angle(tf.constant([-1.0, 0.0, 2.0])))
def padded(height, width, rows, columns):
    image = tf.ones([height, width, 1])
    result = tf.image.resize_image_with_pad(image, rows, columns)
    return tf.stack([tf.reduce_sum(tf.cast(tf.reduce_max(result, axis) > 0, tf.float32)) for axis in ([1, 2], [0, 2])])
for sizes in ((427, 640, 300, 300), (3, 7, 10, 13), (49, 147, 7, 21)):
    told("padded %s" % (sizes,), lambda: padded(*sizes))
bright = np.linspace(-0.5, 1.5, 192).reshape(8, 8, 3).astype(np.float32)
told("jpeg", lambda: tf.image.adjust_jpeg_quality(tf.constant(bright), 50))
told("jpeg drawn", lambda: tf.image.random_jpeg_quality(tf.constant(bright), 20, 90, seed=3))
"""

SOLVED = """
diagonals = tf.constant([[2.0, -1.0, -1.0, 0.0], [1.0, -5.0, 2.0, -3.0], [0.0, 1.0, -2.0, -2.0]])
sides = tf.constant([[1.0, 2.0, 3.0, 4.0], [2.0, 4.0, 6.0, 9.0]])
with tf.Session() as session:
    for given in (sides, sides[0]):
        solved = session.run(tf.linalg.tridiagonal_solve(diagonals, given, transpose_rhs=True))
        print(json.dumps(["solved", solved.shape, [round(float(value), 4) for value in solved.ravel()]]))
"""

TEXTS = {"0.12.1": PROGRAM, "1.4.1": PROGRAM, "1.12.3": PROGRAM + LATER}
OF_1_15 = {
    "normalized 1e-06": [-0.7376, -0.5343, -0.3245, 0.0891, 0.3245, 0.5343, 0.7376, -0.7124],
    "moments": [None, 3.5, None, 2.25],
    "saturated": [-2147483648.0, -2147483648.0, 1.0],
    "cast uint8": [44.0, 0.0, 255.0, 255.0, 0.0, 0.0, 112.0, 12.0],
    "cast int16": [300.0, 256.0, -1.0, 255.0, 0.0, 0.0, 4464.0, 12.0],
    "angle": [0.0, 0.0, 0.0],
    "padded (427, 640, 300, 300)": [200.0, 300.0],
}


def run(text: str, release: str | None, api: str) -> list[Any]:
    return [json.loads(line) for line in lines(text, release, api) if line.startswith('["')]


def test_functions_compute_what_they_did_in_1_15() -> None:
    by_name = {row[0]: row[2] for row in run(PROGRAM + LATER + SOLVED, None, "1.15")}
    assert {name: by_name[name] for name in OF_1_15} == OF_1_15


@pytest.mark.oracle
@pytest.mark.parametrize("release", ["0.12.1", "1.4.1", "1.12.3", "1.15.5"])
def test_functions_compute_what_they_did(release: str) -> None:
    text = TEXTS.get(release, PROGRAM + LATER + SOLVED)
    theirs, ours = run(text, release, ""), run(text, None, release.rpartition(".")[0])
    assert [row[0] for row in ours] == [row[0] for row in theirs]
    for (name, shape, values), genuine in zip(ours, theirs, strict=True):
        assert (name, shape) == tuple(genuine[:2])
        assert values == pytest.approx(genuine[2], abs=2e-4), name


def test_means_of_a_training_step_are_refused() -> None:
    done = forked.run(
        "from tf2bridge import v1 as tf\n"
        "tf.enable(api='1.15')\n"
        "one = tf.ones([2])\n"
        "try:\n"
        "    tf.nn.fused_batch_norm(tf.ones([1, 2, 2, 2]), one, one, mean=one, variance=one)\n"
        "except ValueError as error:\n"
        "    print(error)\n"
    )
    assert done.stdout == "Both 'mean' and 'variance' must be None if is_training is True.\n", done.stderr[-2000:]


def test_an_imported_graph_casts_as_it_did() -> None:
    done = forked.run(
        "import numpy as np, tempfile, os, tensorflow as tf, tf2bridge\n"
        "graph = tf.Graph()\n"
        "with graph.as_default():\n"
        "    x = tf.compat.v1.placeholder(tf.float32, [None], name='x')\n"
        "    tf.cast(x, tf.uint8, name='y')\n"
        "path = os.path.join(tempfile.mkdtemp(), 'frozen.pb')\n"
        "open(path, 'wb').write(graph.as_graph_def().SerializeToString())\n"
        "module = tf2bridge.load(path, inputs=['x'], outputs=['y'])\n"
        "wide = np.tile(np.float32([256.0, -1.5, 300.5, 7.0]), 64)\n"
        "print(np.asarray(module(wide))[:4].tolist())\n"
        "with module.session() as session:\n"
        "    print(session.run('y:0', {'x:0': wide})[:4].tolist())\n"
    )
    assert done.stdout == "[0, 255, 44, 7]\n" * 2, done.stderr[-2000:]
