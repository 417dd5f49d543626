"""Types of matrix products, normalizations and gathers: the same text on four genuine releases and here."""

from __future__ import annotations

import subprocess

import pytest

from tests import forked, oracles

PROGRAM = """
import numpy as np
a, b = tf.placeholder(tf.float32, [2, 3, 4]), tf.placeholder(tf.float32, [2, 4, 5])
x, one, rows = tf.placeholder(tf.float32, [2, 4, 4, 3]), tf.ones([3]), tf.constant([0, 1])
table = tf.get_variable("table", [4, 2])
product, normalized, taken = tf.matmul(a, b), tf.nn.fused_batch_norm(x, one, one)[0], tf.gather(one, rows)
looked_up = tf.nn.embedding_lookup(table, rows)
tf.gradients(product ** 2, [a, b])
print(*sorted({op.type for op in product.graph.get_operations() if "MatMul" in op.type}))
print(normalized.op.type, tf.gradients(normalized ** 2, x)[0].op.type)
print(taken.op.type, (looked_up.op.inputs[0] if looked_up.op.type == "Identity" else looked_up).op.type)
image = np.arange(96.0).reshape(2, 4, 4, 3) ** 0.5
with tf.Session() as session:
    slope = session.run(tf.gradients(normalized ** 3, x)[0], {x: image})
    print("%.5f" % abs(slope).sum(), session.run(taken).tolist())
"""
OLD = ["BatchMatMul", "FusedBatchNorm FusedBatchNormGrad"]
NEW = ["BatchMatMulV2", "FusedBatchNormV3 FusedBatchNormGradV3"]
TYPES = {
    "0.12.1": [*OLD, "Gather Gather"],
    "1.4.1": [*OLD, "Gather Gather"],
    "1.12.3": [*OLD, "GatherV2 GatherV2"],
    "1.15.5": [*NEW, "GatherV2 GatherV2"],
}
NUMBERS = "105.27994 [1.0, 1.0]"
HALF = """
x = tf.placeholder(tf.float16, [2, 4, 4, 3])
print(tf.nn.fused_batch_norm(x, tf.ones([3]), tf.ones([3]))[0].op.type)
print(tf.gather(x, tf.constant([0, 1]), axis=1).op.type)
try:
    tf.matmul(tf.placeholder(tf.float32, [1, 2, 3, 4]), tf.placeholder(tf.float32, [3, 2, 4, 5]))
except ValueError as error:
    print(str(error)[:50])
"""
HALVES = ["FusedBatchNormV2", "GatherV2", "Dimension 0 in both shapes must be equal, but are "]


def check(done: subprocess.CompletedProcess[str], release: str) -> None:
    assert done.stdout.splitlines()[-4:] == [*TYPES[release], NUMBERS], done.stderr


def genuine(release: str, program: str) -> subprocess.CompletedProcess[str]:
    command = [str(oracles.interpreter(release)), "-c", f"import tensorflow as tf\n{program}"]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("release", TYPES)
def test_types_of_a_release(release: str) -> None:
    api = release.rpartition(".")[0]
    namespace = "v0" if api == "0.12" else "v1"
    check(forked.run(f"from tf2bridge import {namespace} as tf, v1\nv1.enable(api='{api}')\n{PROGRAM}"), release)


def test_halves_axes_and_shapes_that_only_later_types_take() -> None:
    done = forked.run(f"from tf2bridge import v1 as tf\ntf.enable(api='1.4')\n{HALF}")
    assert done.stdout.splitlines()[-3:] == HALVES, done.stderr


@pytest.mark.oracle
@pytest.mark.parametrize("release", TYPES)
def test_genuine_releases_give_the_same(release: str) -> None:
    check(genuine(release, PROGRAM), release)


@pytest.mark.oracle
def test_genuine_1_4_gives_the_same_for_halves() -> None:
    done = genuine("1.4.1", HALF)
    assert done.stdout.splitlines()[-3:] == HALVES, done.stderr
