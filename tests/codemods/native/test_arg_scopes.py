"""Options of `slim.arg_scope` stand in the calls, as genuine TensorFlow 1.15.5 gave them; see fixtures, `slimmed`."""

from __future__ import annotations

import pytest

from codemods.native.arg_scopes import with_scoped_options
from codemods.native.contrib_calls import with_plain_calls
from codemods.native.normalizers import with_normalizers_outside
from codemods.native.refusals import NotNativeError
from codemods.native.repeated_layers import with_single_layers
from tests.codemods.native.test_rewriting import HEAD, native, run

SLIM = "import tensorflow as tf\nslim = tf.contrib.slim\n"


def scoped(text: str) -> str | None:
    """Returns a text without scopes, below the imports; None if they stay."""
    made = with_scoped_options(SLIM + text)
    return made[0].removeprefix(SLIM) if made is not None else None


def test_a_call_has_its_own_options_and_those_of_inner_scopes_first() -> None:
    text = (
        "with slim.arg_scope([slim.conv2d, slim.fully_connected], padding='VALID', stride=2):\n"
        "    with slim.arg_scope([slim.conv2d], stride=3):\n"
        "        a = slim.conv2d(x, 8, 3, padding='SAME')\n"
        "    b = slim.conv2d(a, 8, 3)  # the outer scope\n"
        "c = slim.conv2d(b, 8, 3)\n"
    )
    assert scoped(text) == (
        "a = slim.conv2d(x, 8, 3, padding='SAME', stride=3)\n"
        "b = slim.conv2d(a, 8, 3, padding='VALID', stride=2)  # the outer scope\n"
        "c = slim.conv2d(b, 8, 3)\n"
    )


def test_a_function_of_the_program_gives_a_scope() -> None:
    text = (
        "def net_scope(decay, padding='SAME'):\n"
        "    params = {'decay': decay}\n"
        "    with slim.arg_scope([slim.conv2d], padding=padding, normalizer_fn=slim.batch_norm):\n"
        "        with slim.arg_scope([slim.batch_norm], **params) as sc:\n"
        "            return sc\n"
        "def net(x, rate):\n"
        "    with slim.arg_scope(net_scope(rate)):\n"
        "        return slim.conv2d(x, 8, 3, scope='c')\n"
    )
    made = scoped(text)
    assert made == (
        "def net(x, rate):\n    return slim.conv2d(x, 8, 3, scope='c', padding='SAME', "
        "normalizer_fn=slim.batch_norm, normalizer_params={'decay': rate})\n"
    )
    assert (with_normalizers_outside(SLIM + made) or "").removeprefix(SLIM) == (
        "def net(x, rate):\n    return tf.nn.relu(slim.batch_norm(slim.conv2d(x, num_outputs=8, kernel_size=3, "
        "padding='SAME', activation_fn=None, biases_initializer=None, scope='c'), decay=rate, scope='c/BatchNorm'))\n"
    )


def test_a_function_of_the_program_takes_options() -> None:
    text = (
        "@slim.add_arg_scope\ndef scaled(x, scale=1.0):\n    return x * scale\n"
        "with slim.arg_scope([scaled], scale=0.5), tf.name_scope('a'):\n    a = scaled(x)\n"
        "    b = scaled(a, scale=2.0)\n"
    )
    assert scoped(text) == (
        "def scaled(x, scale=1.0):\n    return x * scale\n"
        "with tf.name_scope('a'):\n    a = scaled(x, scale=0.5)\n    b = scaled(a, scale=2.0)\n"
    )


BLOCK = "with slim.arg_scope([slim.conv2d], stride=2):\n    {}\n"


@pytest.mark.parametrize(
    "text",
    [
        "def f(x):\n    return slim.conv2d(x, 8, 3)\n" + BLOCK.format("a = f(x)"),
        "def f(x):\n    return slim.conv2d(x, 8, 3)\ndef g(x):\n    return f(x)\n" + BLOCK.format("a = g(x)"),
        BLOCK.format("a = (lambda x: slim.conv2d(x, 8, 3))(x)"),
        BLOCK.format("a = make(slim.conv2d)"),
        "import nets\n" + BLOCK.format("a = nets.conv(x)"),
        BLOCK.format("a = slim.conv2d(x, 8, 3, 2)"),
        BLOCK.format("a = slim.conv2d(x, 8, 3, **options)"),
        BLOCK.replace("stride=2", "stride=count()").format("a = slim.conv2d(x, 8, 3)"),
        "n = 1\nn = 2\n" + BLOCK.replace("stride=2", "stride=n").format("a = slim.conv2d(x, 8, 3)"),
        BLOCK.replace("stride=2", "stride=n").format("n = 3\n    a = slim.conv2d(x, 8, 3)"),
        BLOCK.replace("stride=2", "**p").format("a = slim.conv2d(x, 8, 3)"),
        "p = {'stride': 2}\np['stride'] = 3\n" + BLOCK.replace("stride=2", "**p").format("a = slim.conv2d(x, 8, 3)"),
        "p = {'stride': 2}\np.update(q)\n" + BLOCK.replace("stride=2", "**p").format("a = slim.conv2d(x, 8, 3)"),
        "p = {'stride': 2}\nchange(p)\n" + BLOCK.replace("stride=2", "**p").format("a = slim.conv2d(x, 8, 3)"),
        BLOCK.replace("slim.conv2d]", "slim.variable]").format("a = slim.conv2d(x, 8, 3)"),
        BLOCK.replace(":", " as sc:", 1).format("a = slim.conv2d(x, 8, 3)") + "use(sc)\n",
        "with slim.arg_scope(sc):\n    a = slim.conv2d(x, 8, 3)\n",
        "with slim.arg_scope([slim.batch_norm], decay=0.5):\n    a = slim.conv2d(x, 8, 3, normalizer_fn=norm)\n",
        "from x import n\ndef scope(n):\n    with slim.arg_scope([slim.conv2d], stride=n) as sc:\n        print(n)\n"
        "        return sc\nwith slim.arg_scope(scope(2)):\n    a = slim.conv2d(x, 8, 3)\n",
        "n = 2\ndef scope():\n    with slim.arg_scope([slim.conv2d], stride=n) as sc:\n        return sc\n"
        "def f(x, n):\n    with slim.arg_scope(scope()):\n        return slim.conv2d(x, 8, 3)\n",
    ],
)
def test_a_scope_that_the_source_does_not_say_stays(text: str) -> None:
    assert scoped(text) is None


def test_a_scope_that_stays_is_refused() -> None:
    text = HEAD + (
        "slim = tf.contrib.slim\nx = tf.placeholder(tf.float32, [None, 2])\n"
        "with slim.arg_scope(make()):\n    y = slim.fully_connected(x, 3)\n"
        "with tf.Session() as sess:\n    sess.run(tf.global_variables_initializer())\n"
        "    sess.run(y, {x: [[1., 2.]]})\n"
    )
    with pytest.raises(NotNativeError, match="arg_scope has no counterpart"):
        native(text)


def test_layers_that_repeat_are_one_call_each() -> None:
    text = "net = slim.repeat(x, 2, slim.conv2d, 8, 3, scope='a')\n"
    text += "net = slim.stack(net, slim.fully_connected, [5, 4], scope='f')\n"
    made = with_single_layers(SLIM + text)
    assert made is not None and made[0].removeprefix(SLIM) == (
        "net = slim.conv2d(x, 8, 3, scope='a/a_1')\nnet = slim.conv2d(net, 8, 3, scope='a/a_2')\n"
        "net = slim.fully_connected(net, 5, scope='f/f_1')\nnet = slim.fully_connected(net, 4, scope='f/f_2')\n"
    )
    assert with_single_layers(SLIM + text.replace("x, 2", "x, n").replace("[5, 4]", "sizes")) is None


def test_layers_without_names_are_counted_in_their_scopes() -> None:
    layer = "slim.conv2d(x, 8, 3, normalizer_fn=slim.batch_norm, activation_fn=None)"
    text = f"a = {layer}\nb = {layer}\nwith tf.variable_scope('s'):\n    c = {layer}\nd = slim.conv2d(x, 8, 3)\n"
    made = with_normalizers_outside(SLIM + text)
    assert made is not None
    assert [line.split("scope=")[1].split(")")[0] for line in made.splitlines()[2:] if "batch_norm" in line] == [
        "'Conv'", "'Conv_1'", "'Conv'",
    ]  # fmt: skip
    assert with_normalizers_outside(SLIM + f"for i in range(2):\n    a = {layer}\n") is None


def test_parameters_of_no_normalizer_go() -> None:
    made = with_normalizers_outside(
        SLIM + "a = slim.conv2d(x, 8, 3, normalizer_fn=None, normalizer_params=p, scope='c')\n"
    )
    assert (made or "").removeprefix(SLIM) == "a = slim.conv2d(x, 8, 3, normalizer_fn=None, scope='c')\n"


def test_dropout_of_contrib_asks_a_python_value_whether_it_trains() -> None:
    text = HEAD + (
        "import sys\nslim = tf.contrib.slim\ntraining = len(sys.argv) > 5\nx = tf.placeholder(tf.float32, [None, 2])\n"
        "y = slim.dropout(x, 0.5, is_training=training)\nz = tf.reduce_sum(slim.dropout(y))\n"
        "with tf.Session() as sess:\n    print(sess.run(y, {x: [[1., 2.]]}).tolist())\n"
        "    sess.run(z, {x: [[1., 2.]]})\n"
    )
    made = native(text).text
    assert "(tf.nn.dropout(x, rate=1 - 0.5) if training else x)" in made
    assert "tf.reduce_sum(tf.nn.dropout(y, rate=0.5))" in made
    assert run(made) == "[[1.0, 2.0]]\n"


@pytest.mark.parametrize(
    ("given", "made"),
    [
        (
            "slim.losses.softmax_cross_entropy(a, b)",
            "tf.compat.v1.losses.softmax_cross_entropy(onehot_labels=b, logits=a)",
        ),
        ("slim.losses.log_loss(a, labels=b)", "tf.compat.v1.losses.log_loss(labels=b, predictions=a)"),
        ("slim.losses.log_loss(a, b, 0.5)", None),
        ("tf.contrib.layers.linear(x, 3)", "tf.contrib.layers.fully_connected(x, 3, activation_fn=None)"),
        ("slim.relu(x, 3, scope='r')", "slim.fully_connected(x, 3, scope='r', activation_fn=tf.nn.relu)"),
        ("slim.l2_regularizer(0.1)", "tf.contrib.layers.l2_regularizer(0.1)"),
    ],
)
def test_functions_of_slim_are_others_with_another_spelling(given: str, made: str | None) -> None:
    written = with_plain_calls(f"{SLIM}y = {given}\n")
    assert written == (f"{SLIM}y = {made}\n" if made is not None else None)
