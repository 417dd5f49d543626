"""Steps that are timed bare and recorded, in turns; genuine TensorFlow runs this file too, on Python 3.7.

python recorded_steps.py RECORDER step|convnet [TURNS]    prints JSON: seconds of a step, bare and recorded
"""

import importlib.util
import json
import os
import shutil
import sys
import tempfile
import time

import numpy as np
import tensorflow as tf

if tf.__version__.startswith("2."):
    tf = tf.compat.v1
    tf.disable_v2_behavior()


def training_step():
    """A perceptron of one hidden layer for 28x28 images, 100 of them a step, a new batch each; Adam."""
    x = tf.placeholder(tf.float32, [None, 784])
    labels = tf.placeholder(tf.int64, [None])
    w, v = tf.Variable(tf.random_normal([784, 512], stddev=0.05)), tf.Variable(tf.random_normal([512, 10], stddev=0.05))
    logits = tf.matmul(tf.nn.relu(tf.matmul(x, w)), v)
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
    train = tf.train.AdamOptimizer(1e-3).minimize(loss)
    images = np.random.RandomState(0).rand(64, 100, 784).astype(np.float32)
    return [train, loss], lambda n: {x: images[n % 64] + np.float32(n), labels: np.arange(100) % 10}


def convnet_step():
    """Two convolutions and a dense layer for 28x28 images, 32 of them a step."""
    x = tf.placeholder(tf.float32, [None, 28, 28, 1])
    labels = tf.placeholder(tf.int64, [None])
    net = x
    for channels in (32, 64):
        shape = [5, 5, int(net.get_shape()[-1]), channels]
        net = tf.nn.conv2d(net, tf.Variable(tf.random_normal(shape, stddev=0.05)), [1, 1, 1, 1], "SAME")
        net = tf.nn.max_pool(tf.nn.relu(net + tf.Variable(tf.zeros([channels]))), [1, 2, 2, 1], [1, 2, 2, 1], "SAME")
    logits = tf.matmul(tf.reshape(net, [-1, 3136]), tf.Variable(tf.random_normal([3136, 10], stddev=0.05)))
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
    train = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
    images = np.random.RandomState(0).rand(32, 28, 28, 1).astype(np.float32)
    return [train, loss], lambda n: {x: images + np.float32(n), labels: np.arange(32) % 10}


def seconds(session, fetches, feeds, steps, first):
    """The time of each of some steps."""
    times = []
    for n in range(first, first + steps):
        feed = feeds(n)
        start = time.perf_counter()
        session.run(fetches, feed)
        times.append(time.perf_counter() - start)
    return times


def main(recorder_file, kind, turns=10):
    spec = importlib.util.spec_from_file_location("recorder", recorder_file)
    recording = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(recording)
    fetches, feeds = training_step() if kind == "step" else convnet_step()
    steps = 100 if kind == "step" else 8
    bare, recorded = [], []
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        seconds(session, fetches, feeds, steps, 0)
        for turn in range(turns):
            bare += seconds(session, fetches, feeds, steps, turn * 2 * steps)
            directory = tempfile.mkdtemp()
            inner = () if kind == "step" else (".",)
            recorder = recording.Recorder(os.path.join(directory, "t"), ".", max_bytes=1 << 40, intermediate=inner)
            recorder.install()
            seconds(session, fetches, feeds, 2, turn * 2 * steps + 1)  # which list the variables and write the graph
            size = os.path.getsize(os.path.join(directory, "t.part", "members.bin"))
            recorded += seconds(session, fetches, feeds, steps, turn * 2 * steps + steps)
            size = os.path.getsize(os.path.join(directory, "t.part", "members.bin")) - size
            recorder._hooks.remove()
            recorder._folder.remove()  # unfinished: what it costs to zip is no part of a step
            shutil.rmtree(directory)
    print(json.dumps({"bare": np.median(bare), "recorded": np.median(recorded), "bytes": size // steps}))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], *map(int, sys.argv[3:]))
