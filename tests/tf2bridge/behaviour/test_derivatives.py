"""Gradients whose formulas TensorFlow 2 changed: the genuine releases printed what is expected."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from tests.same_text import lines

PROGRAM = """
import json
import numpy as np
import {module} as tf
{enable}
def told(name, function, *values):
    with tf.Graph().as_default(), tf.Session() as session:
        inputs = [tf.constant(np.array(value, np.float32)) for value in values]
        slopes = tf.gradients(function(*inputs), inputs)
        kinds = ["rows" if isinstance(slope, tf.IndexedSlices) else slope is not None for slope in slopes]
        given = session.run([tf.convert_to_tensor(slope) for slope in slopes if slope is not None])
        numbers = [None if np.isnan(n) else round(float(n), 3) for slope in given for n in np.ravel(slope)]
        print(json.dumps([name, kinds, numbers]))
square = [[1, 2], [3, 5]]
told("cumprod", tf.cumprod, [2, 0, 3, 4])
told("inverse", lambda x: tf.matrix_inverse(x, adjoint=True), square)
told("equal eigenvalues", lambda x: tf.self_adjoint_eig(x)[1], np.eye(3))
told("eigenvectors", lambda x: tf.abs(tf.self_adjoint_eig(x)[1]), [[2, 1], [1, 4]])
told("rows", lambda x: tf.gather_nd(x, [[0], [1], [1]]), np.ones([3, 2]))
told("elements", lambda x: tf.gather_nd(x, [[0, 1], [1, 1]]), np.ones([2, 2]))
told("hue", tf.image.rgb_to_hsv, [[[0.1, 0.5, 0.9]]])
told("dense", lambda x: tf.sparse_tensor_to_dense(tf.SparseTensor([[0, 1], [1, 0]], x, [2, 2])), [1, 2])
told("igamma", tf.igamma, [2, 0.5], [1, 2])
told("igammac", tf.igammac, [2, 0.5], [1, 2])
with tf.Graph().as_default():
    shape = tf.constant(2.0)
    print(json.dumps(["gamma", [tf.gradients(tf.random_gamma([2], shape, seed=1), shape)[0] is not None], []]))
"""

SINCE_1_4 = """
told("betainc", lambda x: tf.betainc(tf.constant([1.0, 2.0]), tf.constant([2.0, 1.0]), x), [0, 1])
"""

SINCE_1_12 = """
told("equal values", lambda x: tf.abs(tf.svd(x)[1]), np.eye(3))
told("vectors", lambda x: tf.abs(tf.svd(x)[1]), [[1, 2, 0], [3, 5, 1]])
told("more rows", lambda x: tf.abs(tf.svd(x)[2]), [[1, 2], [3, 5], [0, 1]])
"""

OF_1_15 = """
told("batches", lambda x: tf.gather(x, [[0, 1], [1, 1], [2, 0]], axis=2, batch_dims=1), np.ones([3, 1, 4]))
told("norm", tf.math.reduce_euclidean_norm, [3, 4])
"""

TEXTS = {
    "0.12.1": PROGRAM,
    "1.4.1": PROGRAM + SINCE_1_4,
    "1.12.3": PROGRAM + SINCE_1_4 + SINCE_1_12,
    "1.15.5": PROGRAM + SINCE_1_4 + SINCE_1_12 + OF_1_15,
}


def run(text: str, release: str | None, api: str = "") -> dict[str, Any]:
    rows = [json.loads(line) for line in lines(text, release, api) if line.startswith('["')]
    return {
        name: (kinds, [math.nan if number is None else number for number in numbers]) for name, kinds, numbers in rows
    }


def test_gradients_are_those_of_1_15() -> None:
    result = run(TEXTS["1.15.5"], None, "1.15")
    assert result["cumprod"][1] == pytest.approx([1, math.nan, 0, 0], nan_ok=True)
    assert result["inverse"][1] == [-6, 3, 4, -2]
    assert math.isnan(result["equal eigenvalues"][1][0])
    assert all(map(math.isnan, result["equal values"][1]))
    assert result["betainc"][1] == pytest.approx([math.nan, math.nan], nan_ok=True)
    assert result["batches"][1] == [1, 1, 3, 0, 1, 0, 0, 0, 0, 0, 0, 0]
    assert result["norm"] == ([False], [])


@pytest.mark.oracle
@pytest.mark.parametrize("release", TEXTS)
def test_gradients_are_those_of_the_release(release: str) -> None:
    text = TEXTS[release]
    theirs, ours = run(text, release), run(text, None, release.rpartition(".")[0])
    assert ours.keys() == theirs.keys()
    for name, (kinds, numbers) in theirs.items():
        assert ours[name][0] == kinds, name
        assert ours[name][1] == pytest.approx(numbers, abs=2e-3, nan_ok=True), name
