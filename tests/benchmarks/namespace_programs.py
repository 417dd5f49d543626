"""Times the building of three small networks and one training step of each; prints the seconds as JSON.

The calls of functions that a building takes are counted too: a busy machine does not change them.

    python namespace_programs.py tensorflow            # genuine TensorFlow 1.x
    python namespace_programs.py tensorflow.compat.v1  # TensorFlow 2, nothing of ours
    python namespace_programs.py tf2bridge.v1          # TensorFlow 2 through the namespace

Runs on Python 3.6 and newer.
"""

import gc
import importlib
import json
import sys
import time

import numpy as np

BUILDS, STEPS = 7, 60


def convnet(tf, cell):
    """Two convolutions, two dense layers; Momentum."""
    del cell
    x = tf.constant(np.random.RandomState(0).rand(32, 28, 28, 1).astype(np.float32))
    labels = tf.constant(np.arange(32) % 10)
    for channels in ((1, 16), (16, 32)):
        kernel = tf.get_variable("kernel%d" % channels[1], (5, 5) + channels)
        x = tf.nn.max_pool(
            tf.nn.relu(tf.nn.conv2d(x, kernel, [1, 1, 1, 1], "SAME")), [1, 2, 2, 1], [1, 2, 2, 1], "SAME"
        )
    flat = tf.reshape(x, [32, 7 * 7 * 32])
    hidden = tf.nn.relu(tf.matmul(flat, tf.get_variable("w1", [7 * 7 * 32, 128])) + tf.get_variable("b1", [128]))
    logits = tf.matmul(hidden, tf.get_variable("w2", [128, 10])) + tf.get_variable("b2", [10])
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
    return tf.train.MomentumOptimizer(0.01, 0.9).minimize(loss)


def lstm(tf, cell):
    """A language model: 20 steps of a dynamic LSTM with 128 units, gradients clipped; Adam."""
    ids = tf.constant(np.random.RandomState(0).randint(0, 200, [16, 20]))
    embedded = tf.nn.embedding_lookup(tf.get_variable("embedding", [200, 64]), ids)
    outputs, _ = tf.nn.dynamic_rnn(cell(128), embedded, dtype=tf.float32)
    logits = tf.matmul(tf.reshape(outputs, [-1, 128]), tf.get_variable("softmax", [128, 200]))
    wanted = tf.reshape(ids, [-1])
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=wanted, logits=logits))
    variables = tf.trainable_variables()
    clipped, _ = tf.clip_by_global_norm(tf.gradients(loss, variables), 5.0)
    return tf.train.AdamOptimizer().apply_gradients(list(zip(clipped, variables)))


def towers(tf, cell):
    """Four towers that share their variables, their gradients averaged; gradient descent."""
    del cell
    optimizer, all_gradients = tf.train.GradientDescentOptimizer(0.1), []
    for tower in range(4):
        with tf.variable_scope("model", reuse=tower > 0), tf.name_scope("tower_%d" % tower):
            x = tf.constant(np.random.RandomState(tower).rand(64, 256).astype(np.float32))
            hidden = tf.nn.relu(tf.matmul(x, tf.get_variable("w1", [256, 256])))
            loss = tf.reduce_mean(tf.square(tf.matmul(hidden, tf.get_variable("w2", [256, 1])) - 1.0))
            all_gradients.append(optimizer.compute_gradients(loss, tf.trainable_variables()))
    averaged = [(tf.add_n([g for g, _ in item]) / 4.0, item[0][1]) for item in zip(*all_gradients)]
    return optimizer.apply_gradients(averaged)


def fastest(function, times):
    """The least seconds of several calls."""
    seconds = []
    for _ in range(times):
        gc.collect()
        begun = time.perf_counter()
        function()
        seconds.append(time.perf_counter() - begun)
    return min(seconds)


def calls(function):
    """How many functions, of Python and of C, one call enters."""
    result = [0]

    def count(_frame, event, _argument):
        result[0] += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        function()
    finally:
        sys.setprofile(None)
    return result[0]


def measured(tf, program, cell):
    def build():
        with tf.Graph().as_default():
            program(tf, cell)

    result = {"build": fastest(build, BUILDS), "calls": calls(build)}
    with tf.Graph().as_default():
        train = program(tf, cell)
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            session.run(train)
            result["step"] = fastest(lambda: session.run(train), STEPS)
    return result


def main(module):
    tf = importlib.import_module(module)
    if module == "tensorflow.compat.v1":
        from tf_keras.api._v1.keras.__internal__.legacy.rnn_cell import BasicLSTMCell

        tf.disable_v2_behavior()
    else:
        if module == "tf2bridge.v1":
            tf.enable()
        BasicLSTMCell = tf.nn.rnn_cell.BasicLSTMCell
    by_name = {program.__name__: measured(tf, program, BasicLSTMCell) for program in (convnet, lstm, towers)}
    print(json.dumps(by_name))


if __name__ == "__main__":
    main(sys.argv[1])
