"""A graph under a strategy of tf.distribute: its variables are the strategy's, and its steps run in replicas."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf

import tf2bridge
from tests import forked

v1 = tf.compat.v1
SPECS = {"x": tf.TensorSpec([None, 3]), "y": tf.TensorSpec([None, 1])}


def _regression(x: Any, y: Any) -> dict[str, Any]:
    weights = v1.get_variable("weights", [3, 1], initializer=v1.constant_initializer(0.5))
    loss = v1.losses.mean_squared_error(y, v1.matmul(x, weights))
    step = v1.train.get_or_create_global_step()
    return {"loss": loss, "train_op": v1.train.GradientDescentOptimizer(0.1).minimize(loss, step)}


def test_a_train_op_runs_when_a_function_uses_only_the_loss() -> None:
    module = tf2bridge.wrap(_regression, inputs=SPECS)
    step = module.function(["x", "y"], ["loss", "train_op"])
    x, y = np.ones([4, 3], np.float32), np.zeros([4, 1], np.float32)
    traced = tf.function(lambda: step(x, y)[0], autograph=False)
    np.testing.assert_allclose([traced(), traced()], [1.5**2, 0.6**2], rtol=1e-6)  # a step: 0.5 - 0.1 * 2 * 1.5 is 0.2
    assert {variable.name: variable.numpy().max() for variable in module.variables}["global_step:0"] == 2


def _counting(x: Any) -> dict[str, Any]:
    count = v1.get_variable("count", initializer=0.0)
    more = v1.cond(v1.reduce_sum(x) > 0.0, lambda: v1.assign_add(count, 1.0).op, v1.no_op)
    with v1.control_dependencies([more]):
        return {"x": x * 2.0, "seen": v1.assign_add(count, 10.0), "waiting": v1.identity(x)}


def test_what_a_fetch_changes_is_changed_when_a_function_does_not_use_it() -> None:
    module = tf2bridge.wrap(_counting, inputs={"x": tf.TensorSpec([2])})
    traced = tf.function(lambda x: module(x)["x"], autograph=False)
    for _ in range(2):
        np.testing.assert_array_equal(traced(tf.ones([2])), [2.0, 2.0])
    traced(-tf.ones([2]))
    assert float(module.variables[0]) == 32.0  # ten for each of three calls, and one where the sum was positive


_REPLICAS = """
import json, sys
import tensorflow as tf
import tf2bridge
tf.config.set_logical_device_configuration(
    tf.config.list_physical_devices("CPU")[0], [tf.config.LogicalDeviceConfiguration()] * 2
)
v1 = tf.compat.v1
x = tf.reshape(tf.range(24, dtype=tf.float32), [8, 3]) / 24
y = tf.reduce_sum(x, 1, keepdims=True)

def build(x, y):
    weights = v1.get_variable("weights", [3, 1], initializer=v1.constant_initializer(0.5))
    return {"loss": v1.losses.mean_squared_error(y, v1.matmul(x, weights))}

def trained(strategy):
    with strategy.scope():
        module = tf2bridge.wrap(build, inputs={"x": tf.TensorSpec([None, 3]), "y": tf.TensorSpec([None, 1])})
        optimizer = tf.keras.optimizers.SGD(0.1)
        optimizer.build(module.trainable_variables)
    count = strategy.num_replicas_in_sync
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = module(x, y)["loss"] / count
        optimizer.apply_gradients(zip(tape.gradient(loss, module.trainable_variables), module.trainable_variables))
        return loss
    @tf.function
    def run():
        part = lambda context: (
            tf.split(x, count)[context.replica_id_in_sync_group], tf.split(y, count)[context.replica_id_in_sync_group]
        )
        rows = strategy.experimental_distribute_values_from_function(part)
        return strategy.reduce("SUM", strategy.run(step, rows), axis=None)
    losses = [float(run()) for _ in range(5)]
    module.save(f"{sys.argv[1]}/{count}")
    module.restore(f"{sys.argv[1]}/{count}")
    return losses + [float(module(x, y)["loss"])]

print(json.dumps([trained(tf.distribute.get_strategy()), trained(tf.distribute.MirroredStrategy(["cpu:0", "cpu:1"]))]))
"""


def test_two_replicas_train_as_one_and_their_checkpoint_is_that_of_the_graph(tmp_path: Path) -> None:
    done = forked.run(_REPLICAS, str(tmp_path))
    assert done.returncode == 0, done.stderr[-2000:]
    one, two = json.loads(done.stdout.splitlines()[-1])
    assert one[5] < one[0]
    np.testing.assert_allclose(two, one, rtol=1e-6)
    saved = [tf2bridge.checkpoint.open(tmp_path / name)["weights"] for name in ("1", "2")]
    np.testing.assert_allclose(saved[1], saved[0], rtol=1e-6)
