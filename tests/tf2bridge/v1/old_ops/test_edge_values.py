"""Values at the edges are those of the genuine releases: fixtures/kernels/mended.py records them."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from tf2bridge.v1.old_ops import edge_values
from tf2bridge.v1.seeds import counter

KERNELS = Path(__file__).resolve().parents[4] / "fixtures" / "kernels"
sys.path.insert(0, str(KERNELS))

import mended  # noqa: E402  (found in that folder)

EXPECTED = json.loads((KERNELS / "mended.json").read_text())["1.15.5"]


@pytest.fixture(scope="module")
def tf1():
    import tensorflow as tf

    edge_values.install()
    return tf.compat.v1


@pytest.fixture(scope="module")
def ours(tf1):
    return mended.computed(tf1)


@pytest.mark.parametrize("case", EXPECTED)
def test_values_and_gradients(ours, case):
    values, gradients = ([np.array(part, float) for part in side] for side in (ours[case], EXPECTED[case]))
    tolerance = 2e-3 if "16" in case else 1e-2  # three digits are recorded
    np.testing.assert_allclose(values[0], gradients[0], rtol=tolerance)
    if case.startswith("digamma"):
        values[1][0] = gradients[1][0]  # polygamma(1, inf), the kernel of which gave NaN
    np.testing.assert_allclose(values[1], gradients[1], rtol=tolerance)


def test_one_operation_counts(tf1):
    with tf1.Graph().as_default() as graph:
        x = tf1.placeholder(tf1.float32, [None], name="x")
        before = counter.virtual_count(graph)
        y = tf1.sign(x, name="signs")
        assert counter.virtual_count(graph) - before == 1
        assert y.name == "signs:0"
        assert tf1.sign(tf1.constant([3, -2])).op.type == "Sign"
