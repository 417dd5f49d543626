"""What `tf.train.SyncReplicasOptimizer` of 0.12 refuses; fixtures/clusters has what it computes."""

from __future__ import annotations

from typing import Any

import pytest
import tensorflow as tf

from tf2bridge.behaviour.refusals import ArgumentError
from tf2bridge.v0.replicas import SyncReplicasOptimizer

v1 = tf.compat.v1


def made(**arguments: Any) -> SyncReplicasOptimizer:
    return SyncReplicasOptimizer(v1.train.GradientDescentOptimizer(0.1), 2, **arguments)


@pytest.mark.parametrize("number", [None, -1, 2])
def test_the_place_of_a_worker_must_be_one(number: int | None) -> None:
    with tf.Graph().as_default(), pytest.raises(ArgumentError, match=f"a replica_id from 0 to 1, not {number}"):
        made(replica_id=number)


def test_a_spare_worker_has_a_place_of_its_own() -> None:
    with tf.Graph().as_default():
        made(replica_id=2, total_num_replicas=3)


def test_sparse_gradients_are_refused() -> None:
    with tf.Graph().as_default():
        table = v1.get_variable("table", [5, 2])
        step = v1.train.get_or_create_global_step()
        loss = tf.reduce_sum(tf.gather(table, [1, 1]))
        with pytest.raises(ArgumentError, match=r"the sparse gradients of table; .*SyncReplicasOptimizerV2"):
            made(replica_id=0).minimize(loss, step)
