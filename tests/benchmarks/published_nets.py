"""Nets as public code of TensorFlow 1.x builds them, saved by a genuine release; `decompile_figures.py` starts it.

    python published_nets.py FOLDER PUBLIC NAME...

FOLDER/NAME gets model.ckpt with its .meta, and ends.json: names of inputs, outputs and the train op. PUBLIC is a folder
with files of public repositories, as `decompile_figures.py` says.
"""

import json
import os
import sys

import tensorflow as tf

slim = tf.contrib.slim
RATE = 0.01


def images(size, channels=3, batch=None):
    return tf.placeholder(tf.float32, [batch, size, size, channels], "images")


def labels():
    return tf.placeholder(tf.int32, [None], "labels")


def resnet_50():
    from tensorflow.contrib.slim.python.slim.nets import resnet_v1

    with slim.arg_scope(resnet_v1.resnet_arg_scope()):
        net, _ = resnet_v1.resnet_v1_50(images(224), 1000, is_training=False)
    return {"outputs": [net]}


def inception_v3():
    from tensorflow.contrib.slim.python.slim.nets import inception_v3 as nets

    with slim.arg_scope(nets.inception_v3_arg_scope()):
        logits, _ = nets.inception_v3(images(299), 1001, is_training=False)
    return {"outputs": [logits]}


def vgg_16():
    from tensorflow.contrib.slim.python.slim.nets import vgg

    with slim.arg_scope(vgg.vgg_arg_scope()):
        net, _ = vgg.vgg_16(images(224), 100, is_training=False)
    return {"outputs": [net]}


def mobilenet():
    import mobilenet_v1

    with slim.arg_scope(mobilenet_v1.mobilenet_v1_arg_scope(is_training=False)):
        logits, _ = mobilenet_v1.mobilenet_v1(images(224), 1001, is_training=False)
    return {"outputs": [logits]}


def bert(training=False):
    """12 layers and heads, as BERT-base; 120 units in place of 768, so that several copies fit into memory."""
    import modeling

    config = modeling.BertConfig(1000, 120, intermediate_size=480)
    if training:
        config.hidden_dropout_prob = config.attention_probs_dropout_prob = 0.0
    kinds = {"input_ids": 1000, "input_mask": 2, "token_type_ids": 2}
    inputs = {name: tf.placeholder(tf.int32, [None, 64], name) for name in kinds}
    model = modeling.BertModel(config, training, **inputs)
    return {"outputs": [model.get_pooled_output()], "model": model, "integers": kinds}


def bert_trained():
    """The classifier and the optimizer of BERT, with its warm-up; dropout is off, so that steps can be compared."""
    import optimization

    net = bert(True)
    logits = tf.layers.dense(net["outputs"][0], 2)
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels(), logits=logits)
    loss = tf.reduce_mean(losses, name="loss")
    train_op = optimization.create_optimizer(loss, 5e-5, 1000, 100, False)
    return {"outputs": [loss], "train": train_op, "integers": dict(net["integers"], labels=2)}


def gpt_2():
    import gpt2

    hparams = gpt2.default_hparams()
    hparams.override_from_dict({"n_vocab": 1000, "n_embd": 96, "n_ctx": 256})
    ids = tf.placeholder(tf.int32, [None, None], "ids")
    return {"outputs": [gpt2.model(hparams, ids)["logits"]], "integers": {"ids": 1000}}


def ptb():
    """The language model of the tutorial, medium, in training: unrolled over 35 steps, its gradients clipped."""
    batch, steps, size, words = 20, 35, 65, 1000
    ids = tf.placeholder(tf.int32, [batch, steps], "ids")
    targets = tf.placeholder(tf.int32, [batch, steps], "targets")
    with tf.variable_scope("Model", initializer=tf.random_uniform_initializer(-0.05, 0.05)):
        embedding = tf.get_variable("embedding", [words, size])
        inputs = tf.nn.embedding_lookup(embedding, ids)
        cells = [tf.contrib.rnn.BasicLSTMCell(size, forget_bias=0.0) for _ in range(2)]
        cell = tf.contrib.rnn.MultiRNNCell(cells)
        state, outputs = cell.zero_state(batch, tf.float32), []
        with tf.variable_scope("RNN"):
            for step in range(steps):
                if step > 0:
                    tf.get_variable_scope().reuse_variables()
                output, state = cell(inputs[:, step, :], state)
                outputs.append(output)
        output = tf.reshape(tf.concat(outputs, 1), [-1, size])
        weights, bias = tf.get_variable("softmax_w", [size, words]), tf.get_variable("softmax_b", [words])
        logits = tf.reshape(tf.nn.xw_plus_b(output, weights, bias), [batch, steps, words])
        loss = tf.contrib.seq2seq.sequence_loss(
            logits, targets, tf.ones([batch, steps]), average_across_timesteps=False, average_across_batch=True
        )
        cost = tf.reduce_sum(loss, name="cost")
        gradients, _ = tf.clip_by_global_norm(tf.gradients(cost, tf.trainable_variables()), 5.0)
        train_op = tf.train.GradientDescentOptimizer(tf.Variable(1.0, trainable=False, name="rate")).apply_gradients(
            zip(gradients, tf.trainable_variables()), global_step=tf.train.get_or_create_global_step()
        )
    return {"outputs": [cost], "train": train_op, "integers": {"ids": words, "targets": words}}


def dcgan():
    """Generator and discriminator with weights of their own, batch normalization by the batch, and both losses."""
    batch, size = 16, 32
    z = tf.placeholder(tf.float32, [batch, 100], "z")
    real = images(size, batch=batch)

    def normalized(x, name):
        return tf.contrib.layers.batch_norm(x, 0.9, True, True, 1e-5, updates_collections=None, scope=name)

    def leaky(x):
        return tf.maximum(x, 0.2 * x)

    def convolved(x, filters, name):
        with tf.variable_scope(name):
            kernel = tf.get_variable("w", [5, 5, x.get_shape()[-1], filters])
            x = tf.nn.conv2d(x, kernel, [1, 2, 2, 1], "SAME")
            x = tf.nn.bias_add(x, tf.get_variable("biases", [filters]))
            return tf.reshape(x, x.get_shape())

    def transposed(x, size, filters, name):
        with tf.variable_scope(name):
            kernel = tf.get_variable("w", [5, 5, filters, x.get_shape()[-1]])
            x = tf.nn.conv2d_transpose(x, kernel, [batch, size, size, filters], [1, 2, 2, 1])
            x = tf.nn.bias_add(x, tf.get_variable("biases", [filters]))
            return tf.reshape(x, x.get_shape())

    def linear(x, units, name):
        with tf.variable_scope(name):
            matrix = tf.get_variable("Matrix", [x.get_shape()[1], units])
            return tf.matmul(x, matrix) + tf.get_variable("bias", [units])

    def generated():
        with tf.variable_scope("generator"):
            x = tf.reshape(linear(z, 64 * 4 * 4, "g_h0_lin"), [-1, 4, 4, 64])
            x = tf.nn.relu(normalized(x, "g_bn0"))
            x = tf.nn.relu(normalized(transposed(x, 8, 32, "g_h1"), "g_bn1"))
            x = tf.nn.relu(normalized(transposed(x, 16, 16, "g_h2"), "g_bn2"))
            return tf.nn.tanh(transposed(x, 32, 3, "g_h3"))

    def discriminated(x, reuse):
        with tf.variable_scope("discriminator", reuse=reuse):
            x = leaky(convolved(x, 16, "d_h0_conv"))
            x = leaky(normalized(convolved(x, 32, "d_h1_conv"), "d_bn1"))
            x = leaky(normalized(convolved(x, 64, "d_h2_conv"), "d_bn2"))
            return linear(tf.reshape(x, [batch, -1]), 1, "d_h3_lin")

    def entropy(logits, target):
        return tf.reduce_mean(
            tf.nn.sigmoid_cross_entropy_with_logits(logits=logits, labels=target * tf.ones_like(logits))
        )

    drawn = generated()
    of_real, of_drawn = discriminated(real, False), discriminated(drawn, True)
    return {"outputs": [drawn, entropy(of_real, 1.0) + entropy(of_drawn, 0.0), entropy(of_drawn, 1.0)]}


def translation(training=False):
    """The attention model of the NMT tutorial, one layer of LSTM, greedy decoding, or its training step."""
    from nmt import attention_model
    from nmt.utils import common_test_utils as parts

    learn = tf.contrib.learn.ModeKeys
    hparams = parts.create_test_hparams(
        encoder_type="uni", num_layers=1, attention="scaled_luong", attention_architecture="standard"
    )
    values = {"num_units": 32, "dropout": 0.0, "infer_mode": "greedy", "tgt_max_len_infer": 10}
    for name, value in values.items():
        if name not in hparams:
            hparams.add_hparam(name, value)
        else:
            hparams.set_hparam(name, value)
    mode = learn.TRAIN if training else learn.INFER
    iterator, *tables = parts.create_test_iterator(hparams, mode)
    model = attention_model.AttentionModel(hparams, mode, iterator, *tables)
    ends = {"source": 5, "target_input": 5, "target_output": 5}
    integers = {
        getattr(iterator, name).op.name: size for name, size in ends.items() if getattr(iterator, name) is not None
    }
    if training:
        return {"outputs": [model.train_loss], "train": model.update, "integers": integers}
    return {"outputs": [model.infer_logits], "integers": integers}


def translation_trained():
    return translation(True)


def supervised():
    """A small slim net as programs with a Supervisor trained it: queue, decay, momentum, moving averages."""
    queue = tf.FIFOQueue(10, [tf.float32, tf.int32], [[16, 28, 28, 1], [16]])
    x, y = queue.dequeue()
    step = tf.train.get_or_create_global_step()
    with slim.arg_scope([slim.conv2d], normalizer_fn=slim.batch_norm, weights_regularizer=slim.l2_regularizer(1e-4)):
        net = slim.max_pool2d(slim.conv2d(x, 16, 5), 2)
        net = slim.max_pool2d(slim.conv2d(net, 32, 5), 2)
    logits = slim.fully_connected(slim.flatten(net), 10, activation_fn=None)
    tf.losses.sparse_softmax_cross_entropy(y, logits)
    rate = tf.train.exponential_decay(RATE, step, 100, 0.9, staircase=True)
    train_op = slim.learning.create_train_op(
        tf.losses.get_total_loss(), tf.train.MomentumOptimizer(rate, 0.9), clip_gradient_norm=4.0
    )
    averages = tf.train.ExponentialMovingAverage(0.999, step)
    with tf.control_dependencies([train_op]):
        train_op = averages.apply(tf.trainable_variables())
    tf.train.Supervisor(logdir=None, global_step=step, saver=None)
    tf.get_default_graph()._finalized = False
    return {"outputs": [logits], "train": train_op, "inputs": [x.name, y.name], "integers": {y.name: 10}}


def saved(name, folder):
    os.makedirs(os.path.join(folder, name))
    placed = tf.ConfigProto(allow_soft_placement=True)
    with tf.Graph().as_default() as graph, tf.Session(config=placed) as session:
        tf.set_random_seed(1)
        net = globals()[name]()
        session.run(tf.global_variables_initializer())
        saver = tf.train.Saver(tf.global_variables())
        saver.save(session, os.path.join(folder, name, "model.ckpt"))
        placeholders = [op.name for op in graph.get_operations() if op.type == "Placeholder"]
        train_op = net.get("train")
        ends = {
            "outputs": [tensor.name for tensor in net["outputs"]],
            "inputs": net.get("inputs", placeholders),
            "train": train_op.name.partition(":")[0] if train_op is not None else None,
            "integers": net.get("integers", {}),
        }
    with open(os.path.join(folder, name, "ends.json"), "w") as file:
        json.dump(ends, file)


if __name__ == "__main__":
    sys.path.insert(0, sys.argv[2])
    for wanted in sys.argv[3:]:
        saved(wanted, sys.argv[1])
        print(wanted, flush=True)
