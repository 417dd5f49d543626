"""Made-up inputs that suit graphs: sparse tensors, lengths of rows, numbers from 0 to 1, rows of several examples."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import tf2bridge
from tf2bridge import v1
from tf2bridge.decompile.examples import Hints, run_on_fitting
from tf2bridge.decompile.ir import Spec
from tf2bridge.decompile.of_module import function_of_module
from tf2bridge.decompile.parameter_shapes import likely_shapes
from tf2bridge.decompile.sparse_inputs import SparseInput, arrays_of, sparse_inputs

SPARSE = {
    "indices": tf.TensorSpec(None, tf.int64),
    "values": tf.TensorSpec(None, tf.int32),
    "sizes": tf.TensorSpec(None, tf.int64),
}


def of_labels(indices: Any, values: Any, sizes: Any) -> Any:
    truth = tf.SparseTensor(indices, values, sizes)
    labels = v1.sparse_to_dense(indices, [2, 5], values)
    return tf.reduce_mean(tf.edit_distance(truth, truth)) + tf.cast(tf.reduce_sum(labels), tf.float32)


def test_parts_of_a_sparse_tensor_are_known_by_the_operations_that_take_them() -> None:
    function = function_of_module(tf2bridge.wrap(of_labels, inputs=SPARSE))
    assert sparse_inputs(function) == (SparseInput("indices", "values", "sizes"),)


def test_parts_of_a_sparse_placeholder_are_known_by_their_names(tmp_path: Any) -> None:
    with tf.Graph().as_default() as graph:
        words = v1.sparse_placeholder(tf.int32, [None, None], "words")
        tf.add(tf.reduce_sum(words.values), tf.shape(words.indices)[0], name="y")
    (tmp_path / "model.pb").write_bytes(graph.as_graph_def().SerializeToString())
    tensors = sparse_inputs(function_of_module(tf2bridge.load(tmp_path / "model.pb", outputs=["y"])))
    assert tensors == (SparseInput("words/indices", "words/values"),)


def test_arrays_of_a_sparse_tensor_are_a_matrix_with_two_values_a_row() -> None:
    module = tf2bridge.wrap(of_labels, inputs=SPARSE)
    specs = {name: Spec(spec.dtype, None) for name, spec in SPARSE.items()}
    arrays = run_on_fitting(
        lambda given: (given, module(*given.values())),
        specs,
        {},
        Hints(sparse=sparse_inputs(function_of_module(module))),
    )[0]
    assert arrays["indices"].tolist() == [[0, 0], [0, 1], [1, 0], [1, 1]]
    assert arrays["sizes"].tolist() == [2, 5]
    assert arrays["values"].dtype == np.int32
    volume = arrays_of([SparseInput("i", "v")], {"i": Spec(tf.int64, (None, 3)), "v": Spec(tf.float32, None)}, 2, 5, 7)
    assert volume["i"].shape == (4, 3)
    assert volume["v"].dtype == np.float32


def test_vectors_of_whole_numbers_are_lengths_of_rows() -> None:
    spec = {"words": Spec(tf.int32, (None, None)), "lengths": Spec(tf.int32, (None,))}

    def run(arrays: Any) -> Any:
        words, lengths = arrays["words"], arrays["lengths"]
        if lengths.min() == 0 or lengths.max() != words.shape[1]:
            raise ValueError("assertion failed: [All values in memory_sequence_length must greater than zero.]")
        return words, lengths

    words, lengths = run_on_fitting(run, spec, {})
    assert lengths.tolist() == [5, 4]
    assert set(words.reshape(-1)) == {1, 2}
    spec = {"words": Spec(tf.int32, (3, 2)), "lengths": Spec(tf.int32, (3,))}
    assert run_on_fitting(run, spec, {})[1].tolist() == [2, 1, 2]


def test_numbers_from_0_to_1() -> None:
    def run(arrays: Any) -> Any:
        if arrays["x"].min() < 0:
            raise ValueError("assertion failed: [min=] [-4.5]")
        return arrays["x"]

    x = run_on_fitting(run, {"x": Spec(tf.float32, (None, 3))}, {})
    assert 0 <= x.min() < x.max() < 1


@pytest.mark.parametrize("name", ["is_training", "Placeholder_2"])
def test_truth_values_that_suit_a_step(name: str) -> None:
    def run(arrays: Any) -> Any:
        if not arrays[name]:
            raise ValueError("the training step makes numbers of weights that are not finite")
        return arrays[name]

    assert run_on_fitting(run, {name: Spec(tf.bool, ()), "labels": Spec(tf.int32, (4,))}, {}).dtype == bool


def test_rows_that_are_made_of_a_fixed_number_of_examples() -> None:
    def run(arrays: Any) -> Any:
        rows = arrays["x"].shape[0]
        if rows != 32:
            raise ValueError(
                f"Input to reshape is a tensor with {rows * 64} values, but the requested shape has {32 * 64}"
            )
        return rows

    assert run_on_fitting(run, {"x": Spec(tf.float32, (None, 8, 8))}, {}) == 32


@pytest.mark.parametrize("rank", [1, 2])
def test_factor_of_unknown_rank_is_likely_to_have_the_shape_of_the_other(rank: int) -> None:
    def build(x: Any, y: Any) -> Any:
        return tf.reduce_sum(y * tf.math.log(tf.reshape(x, [-1, 10][2 - rank :])))

    specs = {"x": tf.TensorSpec([None, 10]), "y": tf.TensorSpec(None)}
    likely = likely_shapes(function_of_module(tf2bridge.wrap(build, inputs=specs)))
    assert likely["y"] == (None, 10)[2 - rank :]


def test_sizes_that_suit_a_graph_follow_from_one_error_after_the_other() -> None:
    def refusing(arrays: dict[str, Any]) -> tuple[int, ...]:
        length, batch = arrays["rows"].shape[1], arrays["keep"].shape[0]
        if length != 6:
            raise ValueError(f"a tensor with {length} values cannot have rows of 6")
        if batch != 3:
            raise ValueError("slice index 2 of dimension 0 out of bounds")
        return length, batch

    specs = {"rows": Spec(tf.float32, (None, None)), "keep": Spec(tf.float32, (None,))}
    assert run_on_fitting(refusing, specs, {}) == (6, 3)


def test_rows_that_are_longer_than_a_window() -> None:
    specs = {"sound": Spec(tf.float32, (1, None))}

    def refusing(arrays: dict[str, Any]) -> int:
        size: int = arrays["sound"].shape[1]
        if size <= 32:
            raise ValueError("no window fits")
        return size

    assert run_on_fitting(refusing, specs, {}) == 64
