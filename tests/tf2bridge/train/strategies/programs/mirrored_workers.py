"""Synchronous replicas as TensorFlow 2 has them: each process of TF_CONFIG's "worker" job runs this program.

    python mirrored_workers.py CHECKPOINT RESULT

The model begins with the values of the legacy program's checkpoint; worker 0 writes RESULT, which that program reads.
"""

import sys

import model
import tensorflow as tf

import tf2bridge

strategy = tf.distribute.MultiWorkerMirroredStrategy()
with strategy.scope():
    specs = {"x": tf.TensorSpec([None, 4]), "label": tf.TensorSpec([None], tf.int32)}
    module = tf2bridge.wrap(model.build, inputs=specs)
    module.restore(sys.argv[1])
    optimizer = tf.keras.optimizers.SGD(0.1, momentum=0.9)
    optimizer.build(module.trainable_variables)


def replica_step(x, label):
    with tf.GradientTape() as tape:
        loss = module(x, label)["loss"] / strategy.num_replicas_in_sync  # the mean over the global batch
    gradients = tape.gradient(loss, module.trainable_variables)
    optimizer.apply_gradients(zip(gradients, module.trainable_variables, strict=True))
    return loss


@tf.function
def train_step(x, label):
    return strategy.reduce("SUM", strategy.run(replica_step, (x, label)), axis=None)


resolver = strategy.cluster_resolver
share = model.BATCH // strategy.num_replicas_in_sync
start = (resolver.task_id or 0) * share
for number in range(model.STEPS):
    rows, labels = model.batch(number)
    print(number, float(train_step(rows[start : start + share], labels[start : start + share])), flush=True)
if not resolver.task_id:
    module.save(sys.argv[2])
