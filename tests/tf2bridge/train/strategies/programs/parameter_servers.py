"""Parameter servers and workers as TensorFlow 2 has them: each process of TF_CONFIG runs this program.

    python parameter_servers.py CHECKPOINT RESULT [--one-at-a-time]

The task "chief" hands steps to the workers; the variables, on the servers, begin with the values of the legacy
program's checkpoint, and end in RESULT, which that program reads.
"""

import sys

import model
import tensorflow as tf

import tf2bridge

resolver = tf.distribute.cluster_resolver.TFConfigClusterResolver()
if resolver.task_type in ("worker", "ps"):
    server = tf.distribute.Server(resolver.cluster_spec(), resolver.task_type, resolver.task_id, protocol="grpc")
    server.join()

strategy = tf.distribute.experimental.ParameterServerStrategy(resolver)
coordinator = tf.distribute.coordinator.ClusterCoordinator(strategy)
with strategy.scope():
    specs = {"x": tf.TensorSpec([None, 4]), "label": tf.TensorSpec([None], tf.int32)}
    module = tf2bridge.wrap(model.build_training, inputs=specs)
    module.restore(sys.argv[1])
legacy_step = module.function(["x", "label"], ["loss", "train_op"])


@tf.function
def worker_step(x, label):
    loss, _ = legacy_step(x, label)
    return loss


for number in range(model.STEPS):
    loss = coordinator.schedule(worker_step, args=tuple(map(tf.constant, model.batch(number))))
    if "--one-at-a-time" in sys.argv:
        print(number, float(loss.fetch()), flush=True)
coordinator.join()
module.save(sys.argv[2])
