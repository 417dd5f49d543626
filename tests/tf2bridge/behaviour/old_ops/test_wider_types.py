"""Ops that TensorFlow 2.21 has no kernel for are computed in a wider type: values of 1.15.5, names, gradients."""

import sys
from pathlib import Path

import numpy as np
import pytest

from tf2bridge.behaviour.old_ops import integer_kernels, wider_types
from tf2bridge.behaviour.seeds import counter
from tf2bridge.patching import PatchSet

KERNELS = Path(__file__).resolve().parents[4] / "fixtures" / "kernels"
sys.path.insert(0, str(KERNELS))

import functions  # noqa: E402  (found in that folder)
import storage  # noqa: E402
import values  # noqa: E402

OF_HALF = {functions.key_of(name) for names in wider_types._OF_HALF.values() for name in names}
USUAL = {
    f"{case['op']} {number}": (number, case)
    for number, case in enumerate(values.read_cases(KERNELS / "cases.jsonl"))
    if functions.key_of(case["op"]) in OF_HALF | {"truncatediv"}
    if case["inputs"][0][0] == ("int8" if case["op"] == "TruncateDiv" else "half")
    if case["op"] == "TruncateDiv" or not any(fill == "edge" for _, _, fill in case["inputs"])
}
"""Usual values of float16, and all of int8."""


@pytest.fixture(scope="module")
def tf1():
    import tensorflow as tf

    with PatchSet("kernels").for_a_while():
        for mend in (integer_kernels, wider_types):
            mend.install()
        yield tf.compat.v1


@pytest.fixture(scope="module")
def genuine():
    return storage.unpack(KERNELS / "results.xz")["1.15.5"]


@pytest.mark.parametrize("case", USUAL)
@pytest.mark.usefixtures("tf1")
def test_values_are_those_of_1_15(genuine, case):
    number, described = USUAL[case]
    function = functions.functions_of_ops()[functions.key_of(described["op"])]
    computed = values.all_outputs([described], functions.called({functions.key_of(described["op"]): function}))[0]
    assert not isinstance(computed, str), computed
    for place, result in enumerate(computed):
        wanted = genuine[f"{number} {place}"]
        assert result.dtype == wanted.dtype
        sign_is_free = case.startswith("SelfAdjointEigV2") and place == 1
        pair = [abs(array) if sign_is_free else array for array in (result, wanted)]
        if not case.startswith("Cholesky"):  # the usual values are no positive definite matrices
            np.testing.assert_allclose(*(array.astype(float) for array in pair), rtol=2e-3, atol=2e-3)


def test_cholesky_of_half(tf1):
    with tf1.Graph().as_default(), tf1.Session() as session:
        matrix = np.array([[4.0, 2.0], [2.0, 5.0]], np.float16)
        assert session.run(tf1.cholesky(matrix)).tolist() == [[2, 0], [1, 2]]


def test_one_operation_counts_and_bears_the_name(tf1):
    with tf1.Graph().as_default() as graph:
        x = tf1.placeholder(tf1.float16, [None])
        before = counter.virtual_count(graph)
        y = tf1.rint(x, name="nearest")
        assert counter.virtual_count(graph) - before == 1
        assert (y.name, y.dtype) == ("nearest:0", tf1.float16)
        assert tf1.rint(tf1.cast(x, tf1.float32)).op.type == "Rint"


def test_gradient_of_pooling(tf1):
    with tf1.Graph().as_default(), tf1.Session() as session:
        x = tf1.placeholder(tf1.float16, [1, 2, 2, 2, 1])
        pooled = tf1.nn.max_pool3d(x, [1, 2, 2, 2, 1], [1, 2, 2, 2, 1], "VALID")
        given = session.run(tf1.gradients(pooled, x)[0], {x: np.arange(8).reshape(1, 2, 2, 2, 1)})
        assert given.dtype == np.float16
        assert given.ravel().tolist() == [0] * 7 + [1]
