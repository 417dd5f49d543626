"""Programs for TPUs run on the machine at hand, and say so once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tf2bridge import v1 as tf
from tf2bridge.contrib.tpu.refusals import TpuUnavailableError

tpu = tf.contrib.tpu


def input_fn(params: Any) -> Any:
    return tf.data.Dataset.from_tensors(np.ones(params["batch_size"], np.float32)).repeat()


def model_fn(features: Any, labels: Any, mode: str, params: Any) -> Any:
    assert labels is None
    assert params["use_tpu"] is False
    weight = tf.get_variable("weight", [], initializer=tf.ones_initializer())
    loss = tf.reduce_sum(features * weight)
    optimizer = tpu.CrossShardOptimizer(tf.train.GradientDescentOptimizer(0.25))
    step = optimizer.minimize(loss, tf.train.get_global_step())
    return tpu.TPUEstimatorSpec(mode, loss=loss, train_op=step)


def test_use_tpu_trains_without_one_and_says_so(tmp_path: Any, caplog: pytest.LogCaptureFixture) -> None:
    config = tpu.RunConfig(model_dir=str(tmp_path))
    estimator = tpu.TPUEstimator(model_fn, config=config, use_tpu=True, train_batch_size=2)
    estimator.train(input_fn, max_steps=3)
    assert estimator.get_variable_value("weight") == 1 - 3 * 0.25 * 2  # steps, rate, sum of the batch
    assert [message for message in caplog.messages if "there are no TPUs here" in message] != []


def test_a_computation_runs_in_the_graph() -> None:
    with tf.Graph().as_default(), tf.Session() as session:
        total = tpu.rewrite(lambda x: tpu.cross_replica_sum(x) * 2.0, [tf.constant(3.0)])
        assert session.run(total) == [6.0]
        with pytest.raises(ValueError, match="without a TPU there is one"):
            tpu.shard(lambda x: x, [tf.ones([2])], num_shards=2)


def test_a_named_tpu_says_what_to_do() -> None:
    resolver = tf.contrib.cluster_resolver.TPUClusterResolver("my-tpu", zone="us-central1-b")
    with pytest.raises(TpuUnavailableError, match=r"'my-tpu'.*leave the name empty"):
        resolver.master()
    assert tf.contrib.cluster_resolver.TPUClusterResolver("local").master() == ""
