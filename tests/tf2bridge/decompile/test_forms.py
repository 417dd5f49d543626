"""How single operations are written: as a person writes them, with the type that the old graph has."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.tf2bridge.decompile.test_rules import built
from tests.tf2bridge.decompile.written import check_equal
from tf2bridge.decompile.decompiling import text_of


@pytest.mark.parametrize(
    ("code", "line"),
    [
        ("y = tf.one_hot(numbers, 3)", "tf.one_hot(numbers, 3)"),
        ("y = tf.one_hot(numbers, 3, dtype=tf.int32)", "tf.one_hot(numbers, 3, dtype=tf.int32)"),
        ("y = tf.one_hot(numbers, 3, 5, 2, dtype=tf.int64)", "tf.one_hot(numbers, 3, "),
        ("y = tf.one_hot(numbers, 3, 0.9, 0.1)", "tf.one_hot(numbers, 3, 0.9, 0.1)"),
        ("y = tf.argmax(rows, 1, output_type=tf.int32)", "tf.argmax(rows, 1, output_type=tf.int32)"),
        ("y = tf.reduce_mean(images)", "tf.reduce_mean(images)"),
        ("y = tf.reduce_mean(images, [0, 1, 2])", "tf.reduce_mean(images, [0, 1, 2])"),
        ("y = tf.raw_ops.Div(x=rows, y=tf.constant(3.0))", "rows / 3.0"),
        ("y = tf.raw_ops.Div(x=numbers, y=tf.constant(-2))", "tf.raw_ops.Div"),
        ("y = tf.raw_ops.Concat(concat_dim=tf.constant(1), values=[rows, -rows])", "tf.concat([rows, -rows], 1)"),
        ("y = tf.raw_ops.Reverse(tensor=rows, dims=tf.constant([False, True]))", "tf.reverse(rows, [1])"),
        ("y = tf.raw_ops.BatchMatMulV2(x=rows, y=rows, adj_y=True)", "tf.matmul(rows, rows, transpose_b=True)"),
        ("y = tf.split(rows, [1, -1], 1)[1]", "tf.split(rows, [1, -1], 1)"),
        (
            "y = tf.raw_ops.SplitV(value=rows, size_splits=numbers[0, :2] * 0 + 2, axis=1, num_split=2)[0]",
            ", 1, 2)",
        ),
        ("y = tf.unique(numbers[0])[1]", "tf.unique(numbers[0])"),
        (
            "s = tf.SparseTensor([[0, 0], [1, 1]], rows[:, 0], [2, 2])\n"
            "y = tf.sparse.sparse_dense_matmul(s, rows, adjoint_a=True)",
            "tf.sparse.sparse_dense_matmul(",
        ),
        ("y = tf.sparse.softmax(tf.SparseTensor([[0, 0], [1, 1]], rows[:, 0], [2, 2])).values", ").values"),
        (
            "s = tf.SparseTensor([[0, 0], [1, 1]], numbers[:2, 0], [2, 2])\ny = tf.edit_distance(s, s)",
            "tf.edit_distance(tf.SparseTensor(",
        ),
        ("y = rows[1:, ::-2]", "rows[1:, ::-2]"),
        ("y = images[:, numbers[0, 0]]", "strided_slice = numbers[0, 0] return images[:, strided_slice]"),
        ("i = numbers[0, 1]\ny = images[:, i:i + 2, -1]", "return images[:, strided_slice:strided_slice + 2, -1]"),
        ("y = tf.div_no_nan(rows, tf.round(rows))", "tf.math.divide_no_nan(rows, tf.round(rows))"),
        ("y = tf.raw_ops.Rint(x=rows) + tf.sinh(rows)", "tf.math.rint(rows) + tf.math.sinh(rows)"),
        ("y = tf.raw_ops.Inv(x=rows)", "tf.math.reciprocal(rows)"),
        ("y = tf.dynamic_partition(rows, numbers[:, 0], 2)[1]", "tf.dynamic_partition(rows, numbers[:, 0], 2)"),
        ("y = tf.raw_ops.SegmentMean(data=rows, segment_ids=[0, 0])", "tf.math.segment_mean(rows, [0, 0])"),
        (
            "y = tf.raw_ops.UnsortedSegmentMax(data=rows, segment_ids=[1, 0], num_segments=2)",
            "segment_max(rows, [1, 0], 2)",
        ),
        ("y = tf.matrix_band_part(rows, 0, -1)", "tf.linalg.band_part(rows, 0, -1)"),
        ("y = tf.pad(rows, [[1, 0], [0, 1]], 'REFLECT')", "tf.pad(rows, [[1, 0], [0, 1]], 'REFLECT')"),
        (
            "y = tf.pad(rows, [[1, 0], [0, 1]], constant_values=2.0)",
            "tf.pad(rows, [[1, 0], [0, 1]], constant_values=2.0)",
        ),
        ("y = tf.scatter_nd([[1], [0]], rows, [3, 4])", "tf.scatter_nd("),
        ("y = tf.nn.depth_to_space(tf.tile(images, [1, 1, 1, 4]), 2)", "tf.nn.depth_to_space("),
        ("y = tf.image.adjust_contrast(images, 1.5)", "tf.image.adjust_contrast(images, 1.5)"),  # has no gradient
        ("y = tf.raw_ops.AdjustSaturation(images=images, scale=1.2)", "tf.image.adjust_saturation(images, 1.2)"),
        ("y = tf.raw_ops.AdjustHue(images=images, delta=0.1)", "tf.image.adjust_hue(images, 0.1)"),
        ("y = tf.string_to_number(tf.as_string(numbers))", "tf.strings.to_number(tf.strings.as_string(numbers))"),
        ("y = tf.decode_base64(tf.encode_base64(tf.as_string(numbers)))", "tf.io.decode_base64(tf.io.encode_base64("),
        ("y = tf.decode_raw(tf.as_string(numbers), tf.uint8)", "tf.io.decode_raw(tf.strings.as_string(numbers), "),
        ("y = tf.string_join([tf.as_string(numbers), 'x'], '-')", "tf.strings.join("),
        ("y = tf.regex_replace(tf.as_string(numbers), '1', 'x')", "tf.strings.regex_replace("),
        ("y = tf.image.decode_png(tf.image.encode_png(tf.cast(images[0], tf.uint8)))", "tf.io.decode_png(encodepng)"),
        ("y = tf.image.decode_jpeg(tf.image.encode_jpeg(tf.cast(images[0], tf.uint8)), 3)", ", channels=3)"),
        ("y = tf.image.non_max_suppression(rows, rows[:, 0], 2)", "tf.image.non_max_suppression("),
        ("y = tf.image.crop_and_resize(images, tf.abs(rows), numbers[:, 0], [2, 2])", "tf.image.crop_and_resize("),
    ],
)
def test_forms(code: str, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = built(code)
    text = text_of(module, "about")
    assert line in " ".join(text.source.replace("(\n", "(").split()).replace("( ", "(")
    numbers = np.arange(10, dtype=np.int32).reshape(2, 5) % 2
    check_equal(text, module, {"numbers": numbers}, tmp_path / "forms", monkeypatch)
