"""Sparse lookups as genuine 1.15.5 built and computed them (tensorflow_core/python/ops/embedding_ops.py there)."""

import numpy as np
import pytest

from tf2bridge.behaviour.old_ops import sparse_lookups
from tf2bridge.patching import PatchSet


@pytest.fixture
def tf1():
    import tensorflow as tf

    with (
        PatchSet("lookups").for_a_while(),
        tf.Graph().as_default(),
        tf.compat.v1.variable_scope("", use_resource=False),
    ):
        sparse_lookups.install()
        yield tf.compat.v1


def given(tf, values):
    return tf.SparseTensor(tf.constant([[0, 0], [0, 1], [1, 0]], tf.int64), values, [2, 2])


def test_rows_are_looked_up_once_and_then_summed(tf1):
    table = tf1.get_variable("table", [4, 2])
    sums = tf1.nn.embedding_lookup_sparse(table, given(tf1, [3, 3, 1]), None, combiner="sum")
    kinds = [op.type for op in tf1.get_default_graph().get_operations()]
    assert {"Unique", "GatherV2", "SparseSegmentSum"} <= set(kinds)
    gradient = tf1.gradients(sums, table)[0]
    assert isinstance(gradient, tf1.IndexedSlices)
    with tf1.Session() as session:
        session.run(tf1.global_variables_initializer())
        assert session.run(gradient.indices).tolist() == [3, 1]  # each row once
        assert session.run(gradient.values).tolist() == [[2.0, 2.0], [1.0, 1.0]]


def test_a_mean_of_no_weight_is_nan(tf1):
    weights = given(tf1, [1.0, -1.0, 2.0])
    means = tf1.nn.embedding_lookup_sparse(tf1.ones([4, 2]), given(tf1, [3, 2, 1]), weights, combiner="mean")
    with tf1.Session() as session:
        np.testing.assert_array_equal(session.run(means), [[np.nan, np.nan], [1.0, 1.0]])


@pytest.mark.parametrize("weights", [None, [0.3, 0.7, 0.1]])
def test_rows_of_float16_are_summed_in_float32(tf1, weights):
    table = tf1.constant(np.arange(20).reshape(5, 4) / 7.0, tf1.float16)
    given_weights = None if weights is None else given(tf1, weights)
    sums = tf1.nn.embedding_lookup_sparse(table, given(tf1, [1, 2, 2]), given_weights, combiner="sum")
    expected = {  # what 1.12.3 and 1.15.5 printed
        None: [1.7138671875, 2.00048828125, 2.28564453125, 2.5712890625],
        0.3: [0.97119140625, 1.114599585533142, 1.257177710533142, 1.39990234375],
    }[weights and weights[0]]
    assert sums.dtype == tf1.float32
    with tf1.Session() as session:
        np.testing.assert_allclose(session.run(sums)[0], expected, rtol=1e-6)
    assert tf1.nn.embedding_lookup(table, [1]).dtype == tf1.float16
