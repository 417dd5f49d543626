"""What native programs compute is what genuine TensorFlow computed, for functions that have no public counterpart."""

from __future__ import annotations

import json
import pickle
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from codemods.native.own_files import content_of
from codemods.native.refusals import NotNativeError
from tests import oracles
from tests.codemods.native.test_rewriting import HEAD, native, run

RELEASES = ("1.4.1", "1.15.5")
TENSORS = {
    "resize_images": "tf.image.resize_images(x, [5, 7])",
    "resize of one image": "tf.image.resize_images(x[0], n, method=tf.image.ResizeMethod.BICUBIC)",
    "resize by areas": "tf.image.resize_images(x, (2, 7), 3)",
    "resize to the same size": "tf.image.resize_images(tf.cast(x, tf.int32), [3, 3])",
    "resize of bytes": "tf.image.resize_images(tf.cast(x, tf.uint8), [3, 4], align_corners=True)",
    "resize_bilinear": "tf.image.resize_bilinear(x, [5, 7], align_corners=True)",
    "resize_nearest_neighbor": "tf.image.resize_nearest_neighbor(x, n)",
    "resize_bicubic": "tf.image.resize_bicubic(x, (5, 4))",
    "resize_area": "tf.image.resize_area(x, [2, 2], True, name='small')",
    "log_prob": "tf.distributions.Normal(x, s).log_prob(2.0)",
    "prob": "tf.distributions.Normal(loc=0.5, scale=s).prob(x)",
    "entropy": "tf.contrib.distributions.Normal(x, s).entropy()",
    "moments": "tf.distributions.Normal(0.5, s).mean() + tf.distributions.Normal(x, s).variance()",
    "kl_divergence": "tf.distributions.kl_divergence(tf.distributions.Normal(x, s), tf.distributions.Normal(0.5, s))",
    "shape of a sample": "tf.shape(tf.distributions.Normal(x, 1.0).sample([4]))",
    "shape of one sample": "tf.shape(tf.distributions.Normal(0.5, x).sample())",
    "random_crop": "tf.shape(tf.random_crop(x, [2, 2, 2, 1], seed=1))",
    "ops of array_ops": "array_ops.concat([array_ops.ones_like(x, dtype=dtypes.float32), x], 1)",
    "pad": "tf.pad(s, [[1, 0], [0, 1]], name='wider', constant_values=2.0)",
    "boolean_mask": "tf.boolean_mask(s, tf.constant([True, False, True]), 'some')",
    "sparse_to_dense": "tf.sparse_tensor_to_dense(tf.SparseTensor([[0, 1], [2, 0]], [1.5, 2.5], [3, 2]))",
    "sparse_reduce_sum": "tf.sparse_reduce_sum(tf.SparseTensor([[0, 1], [2, 0]], [1.5, 2.5], [3, 2]), 0)",
    "sparse_matmul": "tf.sparse_tensor_dense_matmul(tf.SparseTensor([[0, 1], [2, 2]], [1.5, 2.5], [3, 3]), s)",
    "string_split": "tf.string_split(['a,b c', ' d,,'], ', ').indices",
    "string_split with empty parts": "tf.string_split(['a,b c', ' d,,'], delimiter=',', skip_empty=False).dense_shape",
    "where of rows": "tf.where([True, False, True], s, -s)",
    "where of values": "tf.where(x > 30.0, x, -x)",
    "to_double": "tf.to_double(s)",
    "size": "tf.size(x, 'count', tf.int64)",
    "map_fn": "tf.map_fn(lambda row: row * 2.0, s, parallel_iterations=1, back_prop=False, name='map')",
    "while_loop": "tf.while_loop(lambda i, v: i < 3, lambda i, v: (i + 1, v + v), [0, s], None, 9, True, False)[1]",
}
PROGRAM = f"""{HEAD}import json
from tensorflow.python.framework import dtypes
from tensorflow.python.ops import array_ops
x = tf.placeholder(tf.float32, [2, 3, 3, 2])
s = tf.placeholder(tf.float32, [3, 1])
n = tf.placeholder(tf.int32, [2])
{{}}
data = (np.arange(36.0) ** 1.5 + 1.0).reshape(2, 3, 3, 2)
with tf.Session() as sess:
    values = sess.run([{{}}], feed_dict={{{{x: data, s: [[0.5], [1.5], [2.0]], n: [4, 6]}}}})
print("VALUES", json.dumps([[str(value.dtype), value.tolist()] for value in values]))
"""
PLACES = [f"t{number}" for number in range(len(TENSORS))]
TEXT = PROGRAM.format(
    "\n".join(f"{place} = {tensor}" for place, tensor in zip(PLACES, TENSORS.values(), strict=True)), ", ".join(PLACES)
)


def values_in(printed: str) -> dict[str, Any]:
    """Returns what a program prints, by what it is of."""
    return dict(zip(TENSORS, json.loads(printed.partition("VALUES ")[2]), strict=True))


@pytest.fixture(scope="module")
def computed() -> dict[str, Any]:
    """What the native program computes."""
    return values_in(run(native(TEXT).text))


@pytest.mark.oracle
@pytest.mark.parametrize("release", RELEASES)
def test_values_are_those_of_genuine_tensorflow(release: str, computed: dict[str, Any]) -> None:
    ran = oracles.run(release, TEXT)
    assert ran.returncode == 0, ran.stderr[-2000:]
    genuine = values_in(ran.stdout)
    rounded = {"prob"} | ({"log_prob", "entropy"} if release == "1.4.1" else set())  # exp, and constants added in turn
    assert {name for name in TENSORS if computed[name] != genuine[name]} <= rounded
    for name in rounded:
        np.testing.assert_allclose(computed[name][1], genuine[name][1], rtol=1e-6)


def test_a_check_stops_the_call_that_needs_it() -> None:
    text = HEAD + (
        "x = tf.placeholder(tf.float32, [2])\n"
        "with tf.control_dependencies([tf.assert_greater(x, 0.0, message='too small'), tf.assert_rank(x, 1)]):\n"
        "    y = tf.identity(x)\n"
        "with tf.Session() as sess:\n"
        "    print(sess.run(y, {x: [1.0, 2.0]}))\n"
        "    try:\n        sess.run(y, {x: [1.0, -2.0]})\n"
        "    except tf.errors.InvalidArgumentError:\n        print('stopped')\n"
    )
    assert run(native(text).text).split() == ["[1.", "2.]", "stopped"]


@pytest.mark.parametrize(
    ("tensor", "why"),
    [
        ("tf.image.resize_images(x, [5, 7], preserve_aspect_ratio=True)", "these options"),
        ("tf.image.resize_area(x)", "these options"),
        ("tf.distributions.Normal(x, s, validate_args=True)", "these options"),
        ("tf.distributions.Normal(x, s).quantile(0.5)", "the method quantile of a distribution"),
        ("tf.while_loop(lambda i: i < 3, lambda i: i + 1, [0], name='count')", "two or more values"),
        ("tf.while_loop(lambda i: i < 3, lambda i: i + 1, [0])", "two or more values"),
        ("tf.assert_equal(x, s, data=[x])", "as it is used here"),
    ],
)
def test_other_options_are_refused(tensor: str, why: str) -> None:
    with pytest.raises(NotNativeError, match=why):
        native(PROGRAM.format(f"y = {tensor}", "y"))


def test_a_method_of_a_distribution_that_has_a_name_is_refused_too() -> None:
    with pytest.raises(NotNativeError, match="the method cdf of a distribution"):
        native(PROGRAM.format("d = tf.distributions.Normal(x, s)\ny = d.cdf(0.5)", "y"))


DOCUMENTS = ["The cat sat on the mat", "ABCs of the CamelCase dog's mat", "the the end", ""]
WORDS = """import sys
import tensorflow as tf
from tensorflow.contrib import learn
documents = {documents!r}
first = learn.preprocessing.VocabularyProcessor(5)
print([row.tolist() for row in first.fit_transform(documents)], len(first.vocabulary_))
often = learn.preprocessing.VocabularyProcessor(max_document_length=4, min_frequency=1)
often.fit(documents)
print([row.tolist() for row in often.transform(documents + ["cat mat the"])])
print(list(often.reverse([[1, 2, 0]])), sorted(often.vocabulary_._mapping.items()))
often.save({path!r})
again = learn.preprocessing.VocabularyProcessor.restore({path!r})
print([row.tolist() for row in again.transform(["mat the"])])
with tf.Session() as sess:
    print(sess.run(tf.constant(1)))
"""


@pytest.mark.oracle
@pytest.mark.parametrize("release", ["0.12.1", "1.15.5"])
def test_words_have_the_numbers_of_genuine_tensorflow(
    release: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = WORDS.format(documents=DOCUMENTS, path=str(tmp_path / "words"))
    ran = oracles.run(release, text)
    assert ran.returncode == 0, ran.stderr[-2000:]
    made = native(text)
    assert made.files == ("vocabularies.py",)
    (tmp_path / "vocabularies.py").write_bytes(content_of("vocabularies.py"))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "vocabularies", raising=False)
    old = made.text.replace("often.save", "str")  # reads what the genuine release wrote
    assert run(old).splitlines() == ran.stdout.splitlines()
    assert run(made.text).splitlines() == ran.stdout.splitlines()
    (tmp_path / "words").write_bytes(pickle.dumps(Path))
    with pytest.raises(pickle.UnpicklingError, match="this file is no vocabulary"):
        sys.modules["vocabularies"].VocabularyProcessor.restore(str(tmp_path / "words"))


def test_images_of_scipy_come_from_a_file_beside_the_program() -> None:
    text = HEAD + (
        "from scipy.misc import imread, imresize as smaller\nimport scipy.misc\n"
        "x = tf.placeholder(tf.float32, [None])\ny = x * 2\n"
        "with tf.Session() as sess:\n    print(sess.run(y, {x: smaller(imread('a.png'), 0.5)[0, :, 0]}))\n"
        "scipy.misc.imsave('b.png', np.zeros([2, 2]))\n"
    )
    made = native(text)
    assert made.files == ("old_images.py",)
    assert "from old_images import imread, imresize as smaller\n" in made.text
    assert "old_images.imsave('b.png'" in made.text and "tf2bridge" not in made.text
