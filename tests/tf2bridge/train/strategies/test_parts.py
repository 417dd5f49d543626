"""What the partitioner of a legacy program split lies on several parameter servers of TensorFlow 2, part by part."""

from __future__ import annotations

import json

from tests import forked

_TWO_SERVERS = """
import contextlib, json
import tensorflow as tf
import tf2bridge
from tf2bridge.graph.refusals import ShardedVariableError
from tf2bridge.train.clusters.tasks import on_loopback, tasks_of

v1, distribute = tf.compat.v1, tf.distribute
addresses = on_loopback({"ps": 2, "worker": 1})
cluster = tf.train.ClusterSpec(addresses)
servers = [distribute.Server(cluster, task.job, task.index, protocol="grpc") for task in tasks_of(addresses)]
resolver = distribute.cluster_resolver.SimpleClusterResolver(cluster, rpc_layer="grpc")
Strategy = distribute.experimental.ParameterServerStrategy

def build(word):
    halves = v1.fixed_size_partitioner(2)
    table = v1.get_variable("table", [6, 3], initializer=v1.random_normal_initializer(seed=1), partitioner=halves)
    loss = v1.reduce_sum(v1.square(v1.nn.embedding_lookup(table, word, partition_strategy="div")))
    return {"loss": loss, "train_op": v1.train.AdagradOptimizer(0.1).minimize(loss)}

def trained(scope, schedule):
    with scope:
        module = tf2bridge.wrap(build, inputs={"word": tf.TensorSpec([None], tf.int32)})
    step = module.function(["word"], ["loss", "train_op"])
    traced = tf.function(lambda word: step(word)[0], autograph=False)
    losses = [float(schedule(traced, tf.constant(word))) for word in ([0, 1], [1, 3], [5, 4], [1, 2])]
    return losses, {each.name: [each.device, each.numpy().tolist()] for each in module.variables}

strategy = Strategy(resolver)
coordinator = distribute.coordinator.ClusterCoordinator(strategy)
remote = trained(strategy.scope(), lambda step, word: coordinator.schedule(step, (word,)).fetch())
local = trained(contextlib.nullcontext(), lambda step, word: step(word))
try:
    with Strategy(resolver, distribute.experimental.partitioners.FixedShardsPartitioner(2)).scope():
        tf2bridge.wrap(build, inputs={"word": tf.TensorSpec([None], tf.int32)})
except ShardedVariableError as error:
    print(json.dumps([remote, local, str(error)]))
"""


def test_parts_of_an_embedding_lie_on_two_servers() -> None:
    done = forked.run(_TWO_SERVERS)
    assert done.returncode == 0, done.stderr[-3000:]
    (losses, remote), (theirs, local), refusal = json.loads(done.stdout.splitlines()[-1])
    assert losses == theirs
    assert {name: value for name, (_, value) in remote.items()} == {name: value for name, (_, value) in local.items()}
    assert set(remote) == {f"table/part_{part}{slot}:0" for part in (0, 1) for slot in ("", "/Adagrad")}
    servers = {name: device.partition("/job:")[2].partition("/device")[0] for name, (device, _) in remote.items()}
    assert {servers["table/part_0:0"], servers["table/part_1:0"]} == {"ps/replica:0/task:0", "ps/replica:0/task:1"}
    assert "table/part_0" in refusal and "variable_partitioner" in refusal
