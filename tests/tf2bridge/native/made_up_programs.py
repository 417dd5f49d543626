"""Programs of TensorFlow 1 that are put together at random: layers, losses, optimizers, feeds and fetches of the time.

The same number gives the same program. Each is a module, a function `main`, or a class with a function that trains.
"""

from __future__ import annotations

import random

ROWS, INPUTS, CLASSES = 12, 6, 3
_ACTIVATIONS = ("tf.nn.relu", "tf.nn.tanh", "tf.sigmoid", "tf.nn.elu", "tf.nn.softplus")
_LABELS = {"classes": f"[None, {CLASSES}]", "sparse": "[None]", "numbers": "[None, 1]", "bits": "[None, 1]"}
_TARGETS = {
    "classes": f"np.eye({CLASSES}, dtype=np.float32)[rng.randint({CLASSES}, size={ROWS})]",
    "sparse": f"rng.randint({CLASSES}, size={ROWS})",
    "numbers": f"rng.rand({ROWS}, 1).astype(np.float32)",
    "bits": f"(rng.rand({ROWS}, 1) > 0.5).astype(np.float32)",
}
_LOSSES = {
    "classes": (
        "tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels={y}, logits={z}))",
        "tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(logits={z}, labels={y}))",
        "tf.losses.softmax_cross_entropy({y}, {z})",
    ),
    "sparse": (
        "tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels={y}, logits={z}))",
        "tf.losses.sparse_softmax_cross_entropy({y}, {z})",
    ),
    "bits": ("tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels={y}, logits={z}))",),
    "numbers": (
        "tf.reduce_mean(tf.square({z} - {y}))",
        "tf.losses.mean_squared_error({y}, {z})",
        "tf.reduce_sum(tf.pow({z} - {y}, 2)) / (2 * 12)",
        "tf.reduce_mean(tf.abs({y} - {z}))",
    ),
}
_METRICS = {
    "classes": "tf.reduce_mean(tf.cast(tf.equal(tf.argmax({z}, 1), tf.argmax({y}, 1)), tf.float32))",
    "sparse": "tf.reduce_mean(tf.to_float(tf.equal(tf.argmax({z}, 1), {y})))",
    "bits": "tf.round(tf.sigmoid({z}))",
    "numbers": "tf.reduce_max(tf.abs({z} - {y}))",
}
_OPTIMIZERS = (
    "GradientDescentOptimizer({rate})",
    "AdamOptimizer({rate})",
    "AdamOptimizer(learning_rate={rate}, beta1=0.5)",
    "MomentumOptimizer({rate}, 0.9)",
    "MomentumOptimizer({rate}, 0.9, use_nesterov=True)",
    "RMSPropOptimizer({rate})",
    "RMSPropOptimizer({rate}, decay=0.8, momentum=0.3)",
    "AdagradOptimizer({rate})",
    "AdadeltaOptimizer({rate})",
)
_INITIALIZERS = (
    "tf.random_normal({0}, stddev=0.3)",
    "tf.truncated_normal({0}, stddev=0.2)",
    "tf.random_uniform({0}, -0.4, 0.4)",
)


class _Author:
    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self.structure = self.one("module", "module", "main", "class")
        self.is_seeded = self.maybe(0.5)
        self.labels = self.one(*_LABELS)
        self.lines: list[str] = []
        self.indent = {"module": "", "main": "    ", "class": "        "}[self.structure]
        self.owner = "self." if self.structure == "class" else ""
        self.fed: dict[str, str] = {}
        self.weights: list[str] = []
        self.metrics = ["metric"]
        self.waits = self.penalised = self.counted = self.summarised = self.saved = False

    def one(self, *choices: str) -> str:
        return self._random.choice(choices)

    def maybe(self, share: float) -> bool:
        return self._random.random() < share

    def add(self, *lines: str) -> None:
        self.lines += [self.indent + line for line in lines]

    def at(self, name: str) -> str:
        """Returns how a part of the graph is named here: "loss", "self.loss" or "model.loss"."""
        return f"{self.owner}{name}"

    def build(self) -> None:
        self._inputs()
        self._net()
        self._loss()
        self._step()

    def _inputs(self) -> None:
        dtype = "tf.int64" if self.labels == "sparse" else "tf.float32"
        self.add(f"{self.at('x')} = tf.placeholder(tf.float32, [None, {INPUTS}], name='x')")
        self.add(f"{self.at('y')} = tf.placeholder({dtype}, {_LABELS[self.labels]}, name='y')")
        for name, share, made, value in (
            ("keep_prob", 0.35, "tf.placeholder(tf.float32)", "0.8"),
            ("training", 0.3, "tf.placeholder(tf.bool, [])", "True"),
            ("lr", 0.2, "tf.placeholder(tf.float32, shape=[])", "0.05 / (step + 1)"),
        ):
            if self.maybe(share):
                self.fed[name] = value
                self.add(f"{self.at(name)} = {made}")

    def _net(self) -> None:
        net, size = self.at("x"), INPUTS
        for number in range(1, self._random.randint(1, 3) + 1):
            units = self._random.randint(3, 7)
            self._layer(f"h{number}", net, size, units, number, self.one(*_ACTIVATIONS))
            net, size = f"h{number}", units
            if "keep_prob" in self.fed and self.maybe(0.3):
                self.add(f"{net} = tf.nn.dropout({net}, {self.at('keep_prob')})")
            if "training" in self.fed and self.maybe(0.4):
                self.waits = True
                self.add(f"n{number} = tf.layers.batch_normalization({net}, training={self.at('training')})")
                net = f"n{number}"
            if self.maybe(0.15):
                self.add(f"c{number} = tf.concat([{net}, {self.at('x')}], 1)")
                net, size = f"c{number}", size + INPUTS
        outputs = CLASSES if self.labels in ("classes", "sparse") else 1
        self._layer(self.at("logits"), net, size, outputs, 9, "")

    def _layer(self, out: str, net: str, size: int, units: int, number: int, activation: str) -> None:
        style = self.one("variables", "variables", "get_variable", "layers", "contrib", "helper")
        shape, called = f"[{size}, {units}]", f"{activation}({{}})" if activation else "{}"
        if style == "variables":
            first = self.one(*_INITIALIZERS).format(shape)
            self.add(f"W{number} = tf.Variable({first}" + self.one("", f", name='W{number}'") + ")")
            self.add(f"b{number} = tf.Variable(tf.zeros([{units}]))")
            product = self.one(
                f"tf.matmul({net}, W{number}) + b{number}", f"tf.nn.xw_plus_b({net}, W{number}, b{number})"
            )
            self.add(f"{out} = {called.format(product)}")
            self.weights.append(f"W{number}")
        elif style == "get_variable":
            regularizer = self.one("", "", ", regularizer=tf.contrib.layers.l2_regularizer(0.01)")
            self.penalised |= bool(regularizer)
            self.add(self.one(f"with tf.variable_scope('layer{number}'):", f"with tf.name_scope('layer{number}'):"))
            self.add(f"    w = tf.get_variable('w{number}', {shape}{regularizer})")
            self.add(f"    b = tf.get_variable('b{number}', shape=[{units}], initializer=tf.zeros_initializer())")
            self.add(f"    {out} = {called.format(f'tf.matmul({net}, w) + b')}")
        elif style == "layers":
            more = self.one("", f", name='dense{number}'", ", use_bias=False")
            self.add(f"{out} = tf.layers.dense({net}, {units}, activation={activation or None}{more})")
        elif style == "contrib":
            more = self.one("", f", scope='fc{number}'")
            call = f"tf.contrib.layers.fully_connected({net}, {units}, activation_fn={activation or None}{more})"
            self.add(f"{out} = {call}")
        else:
            self.add(f"{out} = {called.format(f'dense({net}, {size}, {units}, {number})')}")

    def _loss(self) -> None:
        names = {"y": self.at("y"), "z": self.at("logits")}
        loss = self.at("loss")
        self.add(f"{loss} = {self.one(*_LOSSES[self.labels]).format(**names)}")
        self.add(f"{self.at('metric')} = {_METRICS[self.labels].format(**names)}")
        if self.weights and self.maybe(0.3):
            listed = ", ".join(self.weights)
            self.add(f"{loss} += 0.001 * sum(tf.nn.l2_loss(v) for v in [{listed}])")
        elif self.maybe(0.2):
            self.add(f"{loss} += 0.001 * tf.add_n([tf.nn.l2_loss(v) for v in tf.trainable_variables()])")
        if self.penalised and self.maybe(0.7):
            of_all = "tf.add_n(tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES))"
            self.add(f"{loss} = {loss} + " + self.one(of_all, "tf.losses.get_regularization_loss()"))

    def _step(self) -> None:
        rate = self.at("lr") if "lr" in self.fed else self.one("0.1", "0.05")
        self.counted = self.maybe(0.4)
        if self.counted:
            made = self.one("tf.Variable(0, trainable=False, name='step')", "tf.train.get_or_create_global_step()")
            self.add(f"{self.at('global_step')} = {made}")
            if "lr" not in self.fed and self.maybe(0.6):
                self.add(f"rate = tf.train.exponential_decay({rate}, {self.at('global_step')}, 2, 0.9)")
                rate = "rate"
        # Batch normalization makes gradients of biases before it that are rounding alone; some optimizers divide by it.
        kinds = [kind for kind in _OPTIMIZERS if not self.waits or kind.startswith(("Gradient", "Momentum"))]
        optimizer = f"tf.train.{self.one(*kinds).format(rate=rate)}"
        counted = f", global_step={self.at('global_step')}" if self.counted else ""
        if self.waits:
            self.add("with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):")
            self.indent += "    "
        self._train(optimizer, counted)
        if self.waits:
            self.indent = self.indent[4:]
        self.summarised, self.saved = self.maybe(0.3), self.maybe(0.3)
        if self.summarised:
            self.add(f"tf.summary.scalar('loss', {self.at('loss')})", f"{self.at('merged')} = tf.summary.merge_all()")
        if self.saved:
            made = self.one("tf.train.Saver()", "tf.train.Saver(tf.trainable_variables())")
            self.add(f"{self.at('saver')} = {made}")

    def _train(self, optimizer: str, counted: str) -> None:
        step, loss = self.at("train_op"), self.at("loss")
        way = self.one("minimize", "minimize", "clip", "norm", "var_list")
        if way == "minimize":
            self.add(f"{step} = {optimizer}.minimize({loss}{counted})")
        elif way == "var_list":
            chosen = self.one("tvars", "tvars[:2]", "tvars[-2:]")
            self.add("tvars = tf.trainable_variables()")
            self.add(f"{step} = {optimizer}.minimize({loss}, var_list={chosen}{counted})")
        elif way == "clip":
            self.add(f"optimizer = {optimizer}", f"gvs = optimizer.compute_gradients({loss})")
            self.add("capped = [(tf.clip_by_value(grad, -0.5, 0.5), var) for grad, var in gvs]")
            self.add(f"{step} = optimizer.apply_gradients(capped{counted})")
        else:
            self.add("tvars = tf.trainable_variables()")
            self.add(f"grads, {self.at('norm')} = tf.clip_by_global_norm(tf.gradients({loss}, tvars), 1.0)")
            self.add(f"{step} = {optimizer}.apply_gradients(zip(grads, tvars){counted})")
            self.metrics.append("norm")

    def drive(self) -> None:
        opening = self.one("with tf.Session() as sess:", "with tf.Session() as sess:", "sess = tf.Session()")
        self.add(opening)
        self.indent += "    " if opening.startswith("with") else ""
        self.add("sess.run(tf.global_variables_initializer())")
        if self.summarised:
            self.add("writer = tf.summary.FileWriter('logs')")
        self.add(f"for step in range({self._random.randint(2, 3)}):")
        self.indent += "    "
        self.add("batch_x, batch_y = data[step * 4:step * 4 + 4], target[step * 4:step * 4 + 4]")
        self._call()
        if self.summarised:
            self.add(f"summary = sess.run({self.at('merged')}, feed_dict={self._feed(False)})")
            self.add("writer.add_summary(summary, step)")
        if self.counted and self.maybe(0.5):
            step = self.at("global_step")
            self.add("print(" + self.one(f"sess.run({step})", f"tf.train.global_step(sess, {step})") + ")")
        if self.maybe(0.6):
            fetched = f"[{self.at(self.one(*self.metrics))}, {self.at('loss')}]"
            self.add("if step % 2 == 0:", f"    test, cost = sess.run({fetched}, feed_dict={self._feed(False)})")
            self.add("    print(np.shape(test), cost > 0)")
        self.indent = self.indent[4:]
        if self.saved:
            self.add(f"path = {self.at('saver')}.save(sess, './model.ckpt')", f"{self.at('saver')}.restore(sess, path)")
        self.add(f"print(sess.run({self.at('logits')}, {self._feed(False, 'data', 'target')}).shape)")

    def _call(self) -> None:
        step, loss, more = self.at("train_op"), self.at("loss"), self.at(self.one(*self.metrics))
        feed = self._feed(True)
        if self.maybe(0.3):
            self.add(f"feed = {feed}")
            feed = "feed"
        way = self.one("one", "both", "named", "dict", "run")
        if way == "one":
            self.add(f"sess.run({step}, feed_dict={feed})")
        elif way == "both":
            self.add(f"_, value = sess.run([{step}, {loss}], feed_dict={feed})", "print(step, value > 0)")
        elif way == "named":
            self.add(
                f"value, other, _ = sess.run([{loss}, {more}, {step}], {feed})", "print(value > 0, np.shape(other))"
            )
        elif way == "dict":
            self.add(f"out = sess.run({{'train': {step}, 'loss': {loss}}}, {feed})", "print(out['loss'] > 0)")
        else:
            self.add(f"{step}.run(feed_dict={feed}, session=sess)")

    def _feed(self, trains: bool, rows: str = "batch_x", labels: str = "batch_y") -> str:
        still = {"keep_prob": "1.0", "training": "False", "lr": "0.0"}
        values = {"x": rows, "y": labels} | {name: self.fed[name] if trains else still[name] for name in self.fed}
        return "{" + ", ".join(f"{self.at(name)}: {value}" for name, value in values.items()) + "}"


def program(seed: int) -> str:
    """Returns the text of a program."""
    author = _Author(seed)
    author.build()
    built, author.lines = author.lines, []
    if author.structure == "class":
        author.owner, author.indent = "model.", "    "
    author.drive()
    seeding = ["tf.set_random_seed(5)"] if author.is_seeded else []
    head = ["import numpy as np", "import tensorflow as tf", "", "rng = np.random.RandomState(7)"]
    head += [f"data = rng.randn({ROWS}, {INPUTS}).astype(np.float32)", f"target = {_TARGETS[author.labels]}", "", ""]
    head += ["def dense(inputs, size, units, number):", "    with tf.variable_scope('dense_%d' % number):"]
    head += ["        kernel = tf.get_variable('kernel', [size, units])"]
    head += ["        bias = tf.get_variable('bias', [units], initializer=tf.constant_initializer(0.1))"]
    head += ["        return tf.matmul(inputs, kernel) + bias", "", ""]
    if author.structure == "module":
        body = [*seeding, *built, *author.lines]
    elif author.structure == "main":
        body = ["def main():", *(f"    {line}" for line in seeding), *built, *author.lines, "", "", "main()"]
    else:
        body = ["class Model(object):", "    def __init__(self):", *built, "", "", "def train():"]
        body += [*(f"    {line}" for line in seeding), "    model = Model()", *author.lines, "", "", "train()"]
    return "\n".join([*head, *body, ""])
