"""Faults of native programs, each a change of a file of fixtures/native, and rewritings that change roundings alone."""

from __future__ import annotations

from typing import NamedTuple

# ruff: noqa: E501 - the lines of the changed programs


class Change(NamedTuple):
    """A change of one file: the program, the file, the old and the new text.

    Attributes:
        named: What the report must name: a line, a tensor, a variable or a cause.
    """

    program: str
    file: str
    old: str
    new: str
    named: str = ""


FAULTS = {
    "rate_is_keep_prob": Change("script", "train.py", "rate=1 - keep_prob", "rate=keep_prob", "train.py:41"),
    "no_dropout": Change(
        "script", "train.py", "dropped = tf.nn.dropout(hidden, rate=1 - keep_prob)", "dropped = hidden", "train.py:44"
    ),
    "adam_epsilon": Change("script", "train.py", "epsilon=1e-8", "epsilon=1e-4", "train.py:44"),
    "adam_beta": Change("script", "train.py", "Adam(0.01, ", "Adam(0.01, beta_2=0.99, ", "train.py:44"),
    "wrong_axis": Change(
        "script",
        "train.py",
        "correct = tf.equal(tf.argmax(logits, 1), tf.argmax(y, 1))",
        "correct = tf.equal(tf.argmax(logits, 0), tf.argmax(y, 0))",
        "train.py:41",
    ),
    "missing_summary": Change(
        "script", "train.py", "    tf.summary.scalar('loss', loss_of(logits, y), step)\n", "", "summary of loss"
    ),
    "other_summary": Change(
        "script",
        "train.py",
        "tf.summary.scalar('loss', loss_of(logits, y), step)",
        "tf.summary.scalar('loss', 2 * loss_of(logits, y), step)",
        "summary of loss",
    ),
    "checkpoint_step": Change(
        "script",
        "train.py",
        "saver.save(checkpoint_number=steps)",
        "saver.save(checkpoint_number=steps + 1)",
        "model.ckpt-7",
    ),
    "no_checkpoint": Change("script", "train.py", "saver.save(checkpoint_number=steps)", "pass", "no checkpoint"),
    "initializer": Change(
        "script",
        "train.py",
        "W1 = tf.Variable(tf.random.truncated_normal([20, 16], stddev=0.1)",
        "W1 = tf.Variable(tf.random.truncated_normal([20, 16], stddev=0.05)",
        "initializer of W1",
    ),
    "constant_begin": Change("script", "train.py", "tf.constant(0.1, shape=[4])", "tf.constant(0.2, shape=[4])", "b2"),
    "bias_not_trained": Change("script", "train.py", "weights = [W1, b1, W2, b2]", "weights = [W1, b1, W2]", "b2/Adam"),
    "a_step_less": Change(
        "script", "train.py", "for i in range(steps):", "for i in range(steps - 1):", "this call was not made"
    ),
    "summed_loss": Change(
        "script", "train.py", "return tf.reduce_mean(tf.nn.softmax", "return tf.reduce_sum(tf.nn.softmax", "train.py:26"
    ),
    "activation": Change("script", "train.py", "tf.nn.relu", "tf.nn.elu", "another op: Relu there, Elu here"),
    "other_batches": Change("script", "train.py", "rng.randint(0, 96, 16)", "rng.randint(0, 48, 16)", "train.py:44"),
    "keras_momentum": Change(
        "model",
        "model.py",
        "            slot.assign(0.9 * slot + grad)\n            var.assign_sub(lr * slot)\n",
        "            slot.assign(0.9 * slot + lr * grad)\n            var.assign_sub(slot)\n",
        "model.py:44",
    ),
    "decay_not_stepped": Change(
        "model",
        "model.py",
        "tf.floor(tf.cast(self.global_step, tf.float32) / 3)",
        "tf.cast(self.global_step, tf.float32) / 3",
        "another op: Floor",
    ),
    "counted_first": Change(
        "model",
        "model.py",
        "        lr = self.lr()\n",
        "        self.global_step.assign_add(1)\n        lr = self.lr()\n        self.global_step.assign_sub(1)\n",
        "model.py:39",
    ),
    "no_clip": Change("model", "model.py", "self.config['clip'])", "1e9)", "model.py:39"),
    "decay_of_biases": Change(
        "model",
        "model.py",
        "tf.nn.l2_loss(self.output_w)])",
        "tf.nn.l2_loss(self.output_w), tf.nn.l2_loss(self.hidden_b)])",
        "model.py:39",
    ),
    "no_weight_decay": Change(
        "model",
        "model.py",
        "return mse + self.config['decay'] * tf.add_n([tf.nn.l2_loss(self.hidden_w), tf.nn.l2_loss(self.output_w)])",
        "return mse",
        "model.py:39",
    ),
    "results_swapped": Change("model", "model.py", "return loss, norm, lr", "return norm, loss, lr", "model.py:39"),
    "no_counter": Change(
        "model", "model.py", "        self.global_step.assign_add(1)\n", "", "missing update: global_step"
    ),
    "nesterov": Change(
        "model", "model.py", "var.assign_sub(lr * slot)", "var.assign_sub(lr * (grad + 0.9 * slot))", "model.py:39"
    ),
    "feeds_swapped": Change(
        "gan",
        "gan.py",
        "errD = gan.d_optim(batch, batch_z)",
        "errD = gan.d_optim(batch + 0 * batch_z[:, :2], batch_z[::-1])",
        "gan.py:55",
    ),
    "generator_trained_too": Change(
        "gan",
        "gan.py",
        "self.d_optimizer.apply(tape.gradient(d_loss, self.d_vars))",
        "self.d_optimizer.apply(tape.gradient(d_loss, self.d_vars))\n        for var in self.g_vars:\n            var.assign_sub(0.001 * tf.ones_like(var))",
        "gan.py:74",
    ),
    "smoothing": Change("gan", "gan.py", "cross_entropy(d_real, 0.9)", "cross_entropy(d_real, 1.0)", "gan.py:55"),
    "one_step_behind": Change(
        "gan",
        "gan.py",
        "        rate = self.rate * tf.sqrt(1 - self.beta2_power) / (1 - self.beta1_power)\n",
        "        rate = self.rate\n",
        "gan.py:56",
    ),
    "variables_in_other_order": Change(
        "gan",
        "gan.py",
        "self.g_vars = [self.g_h0.w, self.g_h0.b, self.g_h1.w, self.g_h1.b]",
        "self.g_vars = [self.g_h0.b, self.g_h0.w, self.g_h1.b, self.g_h1.w]",
        "generator/g_h0/w/Adam",
    ),
    "shared_optimizer": Change(
        "gan",
        "gan.py",
        "epsilon))\n        self.beta1_power.assign(self.beta1_power * self.beta1)",
        "epsilon))\n        self.beta1_power.assign(self.beta1_power * self.beta1 * self.beta1)",
        "gan.py:56",
    ),
    "no_update": Change(
        "batch_norm",
        "train.py",
        "            self.moving_mean.assign_sub((self.moving_mean - mean) * 0.1)\n",
        "",
        "missing update: bn1/moving_mean",
    ),
    "biased_variance": Change("batch_norm", "train.py", "variance * n / (n - 1)", "variance", "bn1/moving_variance"),
    "norm_epsilon": Change("batch_norm", "train.py", "self.gamma, 0.001)", "self.gamma, 0.00001)", "train.py:32"),
    "evaluated_in_training": Change(
        "batch_norm",
        "train.py",
        "return loss_of(net(x, training=is_training), y)\n\n    for",
        "return loss_of(net(x, training=True), y)\n\n    for",
        "train.py:34",
    ),
    "norm_axis": Change(
        "batch_norm",
        "train.py",
        "tf.nn.moments(x, [0, 1, 2])",
        "tf.nn.moments(x, [1, 2], keepdims=True)",
        "train.py:32",
    ),
    "padding": Change("batch_norm", "train.py", "padding='same'", "padding='same', dilation_rate=2", "train.py:32"),
    "forget_bias": Change(
        "rnn", "model.py", "bias_initializer=ForgetBias(), ", "", "rnnlm/RNN/BasicLSTMCell/Linear/Bias"
    ),
    "state_swapped": Change("rnn", "train.py", "state = c, h", "state = h, c", "train.py:28"),
    "state_not_carried": Change("rnn", "train.py", "        state = c, h\n", "", "train.py:28"),
    "rate_not_set": Change(
        "rnn", "train.py", "    model.lr.assign(0.5)\n", "    model.lr.assign(0.05)\n", "train.py:28"
    ),
    "clip_by_value": Change(
        "rnn",
        "model.py",
        "grads, _ = tf.clip_by_global_norm(tape.gradient(cost, tvars), 1.0)",
        "grads = [tf.clip_by_value(tf.convert_to_tensor(g), -1.0, 1.0) for g in tape.gradient(cost, tvars)]",
        "train.py:28",
    ),
    "averaged_before": Change(
        "averages",
        "train.py",
        "    global_step.assign_add(1)\n    step = tf.cast(global_step, tf.float32)\n",
        "    step = tf.cast(global_step, tf.float32)\n    global_step.assign_add(1)\n",
        "train.py:35",
    ),
    "average_not_used": Change(
        "averages", "train.py", "inference(x, *averages)", "inference(x, *variables)", "train.py:35"
    ),
    "average_begins_at_zero": Change(
        "averages",
        "train.py",
        "tf.Variable(v, trainable=False",
        "tf.Variable(tf.zeros_like(v), trainable=False",
        "ExponentialMovingAverage",
    ),
    "function_not_called": Change("averages", "train.py", "error(points, values)))", "0.0))", "train:error"),
    "initial_accumulator": Change("unseeded", "train.py", "tf.fill(v.shape, 0.1)", "tf.fill(v.shape, 1.0)", "Adagrad"),
    "noise_on_logits": Change(
        "unseeded",
        "train.py",
        "        noisy = tf.nn.dropout(embed, rate=1 - 0.8)\n",
        "        noisy = tf.nn.dropout(embed, rate=1 - 0.9)\n",
        "train.py:27",
    ),
    "uniform_width": Change(
        "unseeded",
        "train.py",
        "tf.random.uniform([12, 6], -1.0, 1.0)",
        "tf.random.uniform([12, 6], 0.0, 1.0)",
        "initializer of embeddings",
    ),
    "labels_as_inputs": Change(
        "unseeded", "train.py", "labels=labels, logits=logits", "labels=inputs, logits=logits", "train.py:27"
    ),
    "not_summed_gradient": Change(
        "unseeded",
        "train.py",
        "accumulator.assign_add(tf.square(gradient))",
        "accumulator.assign_add(tf.abs(gradient))",
        "train.py:27",
    ),
    "seed_of_dropout": Change(
        "script", "train.py", "tf.random.set_seed(11)", "tf.random.set_seed(12)", "graph's seed was 11"
    ),
}
EQUAL = (
    Change("script", "train.py", "return tf.reduce_mean(tf.nn.softmax", "return tf.reduce_mean(1.0 * tf.nn.softmax"),
    Change(
        "model",
        "model.py",
        "tf.reduce_mean(tf.square(self.output(x) - y))",
        "tf.reduce_sum(tf.square(self.output(x) - y)) / tf.cast(tf.size(y), tf.float32)",
    ),
    Change(
        "gan",
        "gan.py",
        "m.assign_add((grad - m) * (1 - self.beta1))",
        "m.assign(self.beta1 * m + (1 - self.beta1) * grad)",
    ),
    Change("batch_norm", "train.py", "(self.moving_mean - mean) * 0.1", "(self.moving_mean - mean) / 10.0"),
    Change(
        "averages",
        "train.py",
        "average.assign_sub((average - v) * (1 - decay))",
        "average.assign(decay * average + (1 - decay) * v)",
    ),
    Change(
        "unseeded", "train.py", "0.5 * gradient * tf.math.rsqrt(accumulator)", "0.5 * gradient / tf.sqrt(accumulator)"
    ),
)
