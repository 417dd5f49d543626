"""What a native program does without: unused networks, prints of tensors by a function, default options."""

from __future__ import annotations

from tests.codemods.native.test_rewriting import native, run

HEAD = "import numpy as np\nimport tensorflow as tf\n"
RUN = (
    "with tf.Session() as sess:\n"
    "    sess.run(tf.global_variables_initializer())\n"
    "    print(sess.run(y, feed_dict={x: np.ones([2, 2])}).shape)\n"
)
FED = "x = tf.placeholder(tf.float32, [None, 2])\n"


def test_a_network_that_nothing_uses() -> None:
    unused = "def old(x):\n    h = tf.layers.dense(x, 5, name='h')\n    return tf.layers.dense(h, 3, name='out')\n"
    used = "def net(x):\n    return tf.nn.relu(tf.layers.dense(x, 3, name='out'))\n"
    text = native(HEAD + FED + unused + used + "y = net(x)\n" + RUN).text
    assert "def old" not in text
    assert run(text) == "(2, 3)\n"


def test_a_function_that_shows_tensors() -> None:
    shows = "def show(t):\n    print(t.op.name, t.get_shape().as_list())\n"
    made = native(HEAD + shows + FED + "y = tf.nn.relu(x)\nshow(y)\n" + RUN)
    assert "# show(y)\n" in made.text
    assert len(made.shown) == 1
    assert run(made.text) == "(2, 2)\n"


def test_the_default_type_of_an_initializer() -> None:
    initializer = "tf.truncated_normal_initializer(dtype=tf.float32, stddev=0.1)"
    text = native(HEAD + FED + f"w = tf.get_variable('w', [2, 3], initializer={initializer})\n"
                  "y = tf.matmul(x, w)\n" + RUN).text  # fmt: skip
    assert "TruncatedNormal(stddev=0.1)([2, 3])" in text


def test_the_name_of_a_scope_after_its_block() -> None:
    scope = "with tf.variable_scope('fc') as scope:\n    w = tf.get_variable('w', [2, 3])\n"
    scope += "y = tf.matmul(x, w, name=scope.name)\n"
    assert "name='fc')" in native(HEAD + FED + scope + RUN).text


def test_options_that_the_module_reads_before_main() -> None:
    main = (
        "args = None\n"
        "def main():\n"
        "    x = tf.placeholder(tf.float32, [None, 2])\n"
        "    y = x * args\n"
        + "".join(f"    {line}\n" for line in RUN.splitlines())
        + "if __name__ == '__main__':\n    args = 3.0\n    main()\n"
    )
    assert run(native(HEAD + main).text) == "(2, 2)\n"


def test_batches_without_a_remainder() -> None:
    text = native(
        "import tensorflow as tf\n"
        "from tensorflow.contrib.data import batch_and_drop_remainder\n"
        "data = tf.data.Dataset.range(5).apply(batch_and_drop_remainder(2))\n"
        "x = data.make_one_shot_iterator().get_next()\n"
        "y = x * 2\n"
        "with tf.Session() as sess:\n    print(sess.run(y), sess.run(y))\n"
    ).text
    assert "tf.data.Dataset.range(5).batch(2, drop_remainder=True)" in text
    assert run(text) == "[0 2] [4 6]\n"


def test_a_function_that_runs_a_restored_model() -> None:
    text = native(
        HEAD + "x = tf.placeholder(tf.float32, [2])\n"
        "def predict(rows):\n"
        "    w = tf.Variable(tf.ones([2]), name='w')\n"
        "    saver = tf.train.Saver()\n"
        "    y = x * w\n"
        "    with tf.Session() as sess:\n"
        "        sess.run(tf.global_variables_initializer())\n"
        "        if rows is None:\n"
        "            saver.restore(sess, 'model')\n"
        "        print(sess.run(y, feed_dict={x: rows}))\n"
        "if __name__ == '__main__':\n    predict(np.ones(2))\n"
    ).text
    assert run(text) == "[1. 1.]\n"
