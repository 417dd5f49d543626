"""Values at the edges are those of the genuine releases: fixtures/kernels/mended.py records them."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from tf2bridge.behaviour.old_ops import edge_values, integer_kernels
from tf2bridge.behaviour.seeds import counter
from tf2bridge.patching import PatchSet

KERNELS = Path(__file__).resolve().parents[4] / "fixtures" / "kernels"
sys.path.insert(0, str(KERNELS))

import mended  # noqa: E402  (found in that folder)

LEFT = ("maximum", "minimum", "reduce_max", "reduce_min")
"""What 2.21 computes otherwise of NaN, and has to: programs look for these operations in their graphs."""
EXPECTED = {
    case: values
    for case, values in json.loads((KERNELS / "mended.json").read_text())["1.15.5"].items()
    if not case.startswith((*LEFT, "cholesky"))
}


@pytest.fixture(scope="module")
def tf1():
    import tensorflow as tf

    with PatchSet("kernels").for_a_while():
        for mend in (edge_values, integer_kernels):
            mend.install()
        yield tf.compat.v1


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


def test_comparisons_stay_one_operation(tf1):
    with tf1.Graph().as_default() as graph:
        x = tf1.placeholder(tf1.float32, [None, 3], name="x")
        assert (tf1.maximum(x, x).op.type, tf1.minimum(x, 0.5).op.type) == ("Maximum", "Minimum")
        assert (tf1.reduce_max(x).op.type, tf1.reduce_min(x).op.type) == ("Max", "Min")
        assert not any(node.op.startswith("Select") for node in graph.as_graph_def().node)
