"""Steps of one model, trained in several ways in turns: seconds of the fastest step of each, as JSON.

    python training_steps.py sessions|towers N|mirrored N

Runs under genuine TensorFlow 1.15, where there is one way to write each, and here, where ours stands beside what is
written by hand. Needs nothing of tf2bridge but what it tries.
"""

import functools
import json
import sys
import tempfile
import time

import numpy as np
import tensorflow as tf

HERE = tf.__version__.startswith("2.")
tf2, tf = tf, tf.compat.v1 if HERE else tf
BATCH, ROUNDS, STEPS = 256, 15, 12
IMAGES = np.random.RandomState(0).uniform(-1, 1, (BATCH, 28, 28, 1)).astype(np.float32)
LABELS = np.random.RandomState(1).randint(0, 10, BATCH).astype(np.int32)


def network(images, labels, variable):
    kernel, hidden, out = variable("kernel", [5, 5, 1, 16]), variable("hidden", [3136, 96]), variable("out", [96, 10])
    features = tf.nn.relu(tf.nn.conv2d(images, kernel, strides=[1, 2, 2, 1], padding="SAME"))
    logits = tf.matmul(tf.nn.relu(tf.matmul(tf.reshape(features, [-1, 3136]), hidden)), out)
    return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))


def initial(shape):
    return np.random.RandomState(2).normal(0, 0.05, shape).astype(np.float32)


def get(name, shape):
    return tf.get_variable(name, initializer=initial(shape))


def tower_fn(tower, images, labels):
    return network(images, labels, get)


def fed():
    return tf.placeholder(tf.float32, [None, 28, 28, 1]), tf.placeholder(tf.int32, [None])


def measured(ways):
    """Seconds of a step of each way: the least over rounds that take turns."""
    by_name = {name: [] for name in ways}
    for step in ways.values():
        for _ in range(STEPS):
            step()
    for _ in range(ROUNDS):
        for name, step in ways.items():
            start = time.perf_counter()
            for _ in range(STEPS):
                step()
            by_name[name].append((time.perf_counter() - start) / STEPS)
    return {name: min(times) for name, times in by_name.items()}


def stepping(session, train_op, loss, x, y):
    return lambda: session.run([train_op, loss], {x: IMAGES, y: LABELS})


def built(build, config=None):
    """A step in a session of a graph of its own; `build` gives its train op, loss and placeholders."""
    with tf.Graph().as_default():
        made = build()
        session = tf.Session(config=config)
        session.run(tf.global_variables_initializer())
        return stepping(session, *made)


def plain():
    x, y = fed()
    loss = network(x, y, get)
    step = tf.train.get_or_create_global_step()
    return tf.train.MomentumOptimizer(0.01, 0.9).minimize(loss, global_step=step), loss, x, y


def sessions():
    def supervised(kind):
        with tf.Graph().as_default():
            made = plain()
            supervisor = kind(logdir=tempfile.mkdtemp(), save_model_secs=600, save_summaries_secs=600)
            return stepping(supervisor.prepare_or_wait_for_session(), *made)

    ways = {"by hand": built(plain)}
    if HERE:
        from tf2bridge import train

        ways["ours"] = supervised(train.Supervisor)
    else:
        ways["Supervisor"] = supervised(tf.train.Supervisor)
    return measured(ways)


def legacy_loop(count):
    """As in the tutorials of 2016: cifar10_multi_gpu_train.py."""
    x, y = fed()
    optimizer = tf.train.MomentumOptimizer(0.01, 0.9)
    losses, grads = [], []
    images, labels = tf.split(x, count), tf.split(y, count)
    with tf.variable_scope(tf.get_variable_scope()):
        for index in range(count):
            with tf.device("/cpu:%d" % index), tf.name_scope("tower_%d" % index):
                losses.append(network(images[index], labels[index], get))
                tf.get_variable_scope().reuse_variables()
                grads.append(optimizer.compute_gradients(losses[-1]))
    averaged = [(tf.reduce_mean(tf.stack([g for g, _ in item]), 0), item[0][1]) for item in zip(*grads)]
    return optimizer.apply_gradients(averaged), tf.add_n(losses) / count, x, y


def towers(count):
    config = tf.ConfigProto(device_count={"CPU": count}, allow_soft_placement=True)
    ways = {"by hand": built(functools.partial(legacy_loop, count), config)}
    if HERE:
        from tf2bridge import train

        def ours():
            x, y = fed()
            devices = ["/cpu:%d" % index for index in range(count)]
            made = train.towers(tower_fn, tf.train.MomentumOptimizer(0.01, 0.9), inputs=[x, y], devices=devices)
            return made.train_op, made.loss, x, y

        ways["ours"] = built(ours, config)
    return measured(ways)


def mirrored(count):
    """MirroredStrategy in an eager program: by hand, and `train.towers`."""
    from tf2bridge import train

    cpus = [tf2.config.LogicalDeviceConfiguration()] * count
    tf2.config.set_logical_device_configuration(tf2.config.list_physical_devices("CPU")[0], cpus)
    strategy = tf2.distribute.MirroredStrategy(["/cpu:%d" % index for index in range(count)])
    images, labels = tf2.constant(IMAGES), tf2.constant(LABELS)
    specs = [tf2.TensorSpec(item.shape, item.dtype) for item in (images, labels)]
    made = train.towers(tower_fn, tf.train.MomentumOptimizer(0.01, 0.9), strategy, specs)

    with strategy.scope():
        shapes = {"kernel": [5, 5, 1, 16], "hidden": [3136, 96], "out": [96, 10]}
        variables = {name: tf2.Variable(initial(shape), name=name) for name, shape in shapes.items()}
        optimizer = tf.train.MomentumOptimizer(0.01, 0.9)

    def replica(images, labels):
        with tf2.GradientTape() as tape:
            loss = network(images, labels, lambda name, shape: variables[name])
        grads = tape.gradient(loss, list(variables.values()))
        optimizer.apply_gradients([(g / count, v) for g, v in zip(grads, variables.values())])
        return loss

    def own(parts):
        return lambda context: parts[context.replica_id_in_sync_group]

    @tf2.function
    def step(images, labels):
        parts = tf2.split(images, count), tf2.split(labels, count)

        values = list(map(strategy.experimental_distribute_values_from_function, map(own, parts)))
        return strategy.reduce("MEAN", strategy.run(replica, values), axis=None)

    def waited(call):
        def step_and_wait():
            return tf2.nest.flatten(call(images, labels))[0].numpy()

        return step_and_wait

    return measured({"by hand": waited(step), "ours": waited(made.step)})


if HERE and sys.argv[1] != "mirrored":
    tf.disable_v2_behavior()
KINDS = {"sessions": sessions, "towers": towers, "mirrored": mirrored}
print(json.dumps(KINDS[sys.argv[1]](*map(int, sys.argv[2:]))))
