"""Iterators of `tf.data` in native programs: what they become, and what is refused."""

from __future__ import annotations

import pytest

from codemods.native.refusals import NotNativeError
from tests.codemods.native.test_rewriting import native, run

HEAD = """\
import numpy as np
import tensorflow as tf
rows = np.arange(6.0, dtype=np.float32)
w = tf.Variable(2.0)
dataset = tf.data.Dataset.from_tensor_slices(rows).batch(2)
"""
ONE_SHOT = HEAD + "iterator = dataset.make_one_shot_iterator()\n"
STARTED = HEAD + "iterator = dataset.make_initializable_iterator()\n"
TRAINED = """\
x = iterator.get_next()
step = tf.Variable(0, trainable=False)
loss = tf.reduce_mean(x * w)
train_op = tf.train.AdamOptimizer(0.1).minimize(loss, global_step=step)
sess = tf.Session()
sess.run(tf.global_variables_initializer())
"""
FED = """\
import numpy as np
import tensorflow as tf
p = tf.placeholder(tf.float32, [None])
dataset = tf.data.Dataset.from_tensor_slices(p)
iterator = dataset.make_initializable_iterator()
x = iterator.get_next()
sess = tf.Session()
"""


WIDE = """\
import numpy as np
import tensorflow as tf
rows = np.random.rand(4, 3)
x = tf.data.Dataset.from_tensor_slices(rows).batch(2).make_one_shot_iterator().get_next()
"""


def test_layers_take_elements_of_a_stated_type() -> None:
    layers = "y = tf.layers.dense(x, 1)\nsess = tf.Session()\nsess.run(tf.global_variables_initializer())\n"
    narrow = WIDE.replace("rand(4, 3)", "rand(4, 3).astype(np.float32)")
    assert run(native(narrow + layers + "print(sess.run(y).shape)\n").text) == "(2, 1)\n"


def test_a_step_without_an_element_changes_nothing() -> None:
    until = (
        "try:\n    while True:\n        sess.run(train_op)\n"
        "except tf.errors.OutOfRangeError:\n    print(sess.run(step))\n"
    )
    # neither the step nor the powers of Adam depend on the element by their values
    made = native(ONE_SHOT + TRAINED + until).text
    assert run(made) == "3\n"
    assert "with tf.control_dependencies(tf.nest.flatten(x)):" in made


def test_functions_read_the_iterator_of_the_last_start() -> None:
    epochs = "for _ in range(2):\n    sess.run(iterator.initializer)\n    print(sess.run(loss))\n"
    made = native(STARTED + TRAINED + epochs).text
    assert "    iterator = iter(dataset)\n    print(loss(iterator).numpy())\n" in made
    assert run(made) == "1.0\n1.0\n"


def test_what_is_fed_has_the_type_of_the_placeholder() -> None:
    made = native(FED + "sess.run(iterator.initializer, {p: [1, 2]})\nprint(sess.run(x), sess.run(x).dtype)\n").text
    assert "iterator = iter(dataset([1, 2]))\n" in made
    assert run(made) == "1.0 float32\n"


def test_a_dict_of_feeds_starts_an_iterator() -> None:
    lines = "feeds = {p: np.ones(1)}\nsess.run(iterator.initializer, feed_dict=feeds)\nprint(sess.run(x))\n"
    made = native(FED + lines).text
    assert "feeds = {'p': np.ones(1)}\niterator = iter(dataset(**feeds))\n" in made
    assert run(made) == "1.0\n"


def test_a_counted_step_is_fetched_after_it() -> None:
    made = native(ONE_SHOT + TRAINED + "print(sess.run([train_op, step])[1])\n")
    assert run(made.text) == "1\n"
    assert [why for _, why in made.notes if "as on a CPU" in why]


def test_methods_get_no_session() -> None:
    lines = (
        "class Model:\n    def __init__(self):\n        self.x = tf.placeholder(tf.float32)\n"
        "        self.y = self.x * 2.\n"
        "    def double(self, sess, value):\n        return sess.run(self.y, {self.x: value})\n"
        "model = Model()\nsess = tf.Session()\nprint(model.double(sess, 4.))\n"
    )
    assert run(native("import tensorflow as tf\n" + lines).text) == "8.0\n"


@pytest.mark.parametrize(
    ("code", "program"),
    [
        ("NAT007", ONE_SHOT + "a = iterator.get_next()\nb = iterator.get_next()\n"
         "sess = tf.Session()\nsess.run([a, b])\n"),
        ("NAT007", ONE_SHOT + "z = iterator.get_next() - iterator.get_next()\nsess = tf.Session()\nsess.run(z)\n"),
        ("NAT008", ONE_SHOT + "z = [iterator.get_next() for _ in range(2)]\nsess = tf.Session()\nsess.run(z[0])\n"),
        ("NAT008", ONE_SHOT + TRAINED + "a, b = x * 2., w * 2.\nsess.run(b)\n"),
        ("NAT008", ONE_SHOT + TRAINED + "d = {'a': x * 2., 'b': w * 2.}\nsess.run(d['b'])\n"),
        ("NAT002", HEAD + "a, b = tf.data.Dataset.from_tensors((rows, rows)).make_one_shot_iterator().get_next()\n"
         "sess = tf.Session()\nsess.run(a + b, {a: rows})\n"),
        ("NAT006", STARTED + "x = iterator.get_next()\ndataset = dataset.repeat()\nsess = tf.Session()\n"
         "sess.run(iterator.initializer)\nsess.run(x)\n"),
        ("NAT008", STARTED + TRAINED + "def start():\n    sess.run(iterator.initializer)\nstart()\nsess.run(x)\n"),
        ("NAT008", STARTED + "def net():\n    return iterator.get_next() * w\ny = net()\nsess = tf.Session()\n"
         "def again():\n    return net()\nsess.run(iterator.initializer)\nsess.run(again())\n"),
        ("NAT008", HEAD + "iterator = dataset.map(lambda v: v * w).make_one_shot_iterator()\nx = iterator.get_next()\n"
         "sess = tf.Session()\nsess.run(x)\n"),
        ("NAT003", ONE_SHOT + "print(dataset, input())\nsess = tf.Session()\nsess.run(iterator.get_next())\n"),
        ("NAT001", HEAD + "print(dataset.output_types)\nsess = tf.Session()\nsess.run(w)\n"),
        ("NAT001", HEAD + "dataset = dataset.apply(tf.data.experimental.unbatch())\nsess = tf.Session()\n"
         "sess.run(w)\n"),
        ("NAT001", HEAD + "handle = tf.placeholder(tf.string, [])\n"
         "iterator = tf.data.Iterator.from_string_handle(handle, tf.float32)\nsess = tf.Session()\nsess.run(w)\n"),
        ("NAT007", STARTED + TRAINED + "sess.run([iterator.initializer, loss])\n"),
        ("NAT008", "import tensorflow as tf\nx = tf.placeholder(tf.float64, [None, 3])\ny = tf.layers.dense(x, 1)\n"
         "sess = tf.Session()\nsess.run(y, {x: [[1., 2., 3.]]})\n"),
        ("NAT008", WIDE + "y = tf.layers.dense(x, 1)\nsess = tf.Session()\nsess.run(y)\n"),
        ("NAT008", WIDE + "y = tf.losses.mean_squared_error(x, x)\nsess = tf.Session()\nsess.run(y)\n"),
        ("NAT008", WIDE.replace("rand(4, 3)", "rand(4, 3).astype(np.float64)")
         + "y = tf.layers.dense(x, 1)\nsess = tf.Session()\nsess.run(y)\n"),
    ],
)  # fmt: skip
def test_what_is_not_certain_is_refused(code: str, program: str) -> None:
    with pytest.raises(NotNativeError) as refused:
        native(program)
    assert refused.value.code == code, refused.value.message
