"""Regularizers and counts of steps, the names of variables in scopes, the order of trainable variables."""

from __future__ import annotations

import ast

import pytest

from codemods.native.counters import with_read_counters
from codemods.native.refusals import NotNativeError
from codemods.native.regularizers import with_penalties
from tests.codemods.native.test_rewriting import HEAD, MODEL, native, run

READ = "z = tf.add_n(tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES))\n"
WEIGHTS = """w = tf.get_variable(
    "w", [2, 1],  # the weights
    regularizer=tf.contrib.layers.l2_regularizer(
        0.1))
"""


def test_a_penalty_stands_below_its_variable_and_no_line_is_lost() -> None:
    text = HEAD + WEIGHTS + READ
    made = with_penalties(text)
    assert made is not None
    lines, origins = made[0].splitlines(), made[1]
    place = next(number for number, line in enumerate(lines) if line.startswith("tf.add_to_collection"))
    assert lines[place] == 'tf.add_to_collection("regularization_losses", tf.contrib.layers.l2_regularizer(0.1)(w))'
    assert lines[place + 1] == 'z = tf.add_n(tf.get_collection("regularization_losses"))'
    assert len(origins) == len(lines) + 1
    assert [text.splitlines()[origins[number] - 1] for number in (place - 1, place + 1)] == ["        0.1))", READ[:-1]]
    ast.parse(made[0])


@pytest.mark.parametrize(
    "regularizer", ["tf.keras.regularizers.l2(0.1)", "penalty", "None"], ids=["keras", "unknown name", "none"]
)
def test_a_regularizer_that_the_source_does_not_say_stays(regularizer: str) -> None:
    assert with_penalties(HEAD + f"w = tf.get_variable('w', [2, 1], regularizer={regularizer})\n" + READ) is None


def test_a_variable_that_may_be_used_again_keeps_its_regularizer() -> None:
    assert with_penalties(HEAD + "# reuse\n" + WEIGHTS + READ) is None


def test_counts_of_steps_are_read_by_calls_of_sessions() -> None:
    text = HEAD + "step = tf.Variable(0)\nnow = tf.train.global_step(\n    sess, step)\nprint(now)\n"
    made = with_read_counters(text)
    assert "now = int(sess.run(step\n))\nprint(now)" in made
    assert len(made.splitlines()) == len(text.splitlines())


def test_two_calls_may_not_make_the_count_of_steps() -> None:
    made = "a = tf.train.get_or_create_global_step()\nb = tf.train.create_global_step()\n"
    with pytest.raises(NotNativeError, match="an earlier call has made the count of steps"):
        native(HEAD + MODEL + made + "sess.run([a, b])\n")


def test_a_name_scope_is_no_part_of_the_name_of_get_variable() -> None:
    lines = "with tf.name_scope('a'):\n    v = tf.get_variable('v', [2, 1])\n    z = tf.matmul(x, v)\n"
    with_scope = HEAD + "x = tf.placeholder(tf.float32, [None, 2])\n" + lines
    runs = "sess = tf.Session()\nsess.run(tf.global_variables_initializer())\nprint(sess.run(z, {x: [[1.0, 2.0]]}))\n"
    made = native(with_scope + runs).text
    assert "name='v')" in made and "name_scope" not in made
    both = with_scope + "    u = tf.Variable(1.0)\n    z = z + u\n" + runs
    text = native(both).text  # the tf.Variable needs the scope
    assert text.index("name='v')") < text.index("with tf.name_scope('a'):") < text.index("u = tf.Variable(1.0)")


@pytest.mark.parametrize("chosen", ["tvars[-1:]", "[tvars[0]]"])
def test_variables_that_are_chosen_by_their_place_are_listed(chosen: str) -> None:
    lines = """x = tf.placeholder(tf.float32, [None, 2])
w = tf.Variable(tf.ones([2, 1]))
count = tf.Variable(0, trainable=False)
b = tf.Variable(0.5)
loss = tf.reduce_mean(tf.matmul(x, w) + b)
tvars = tf.trainable_variables()
"""
    step = f"step = tf.train.GradientDescentOptimizer(0.1).minimize(loss, var_list={chosen})\n"
    runs = "sess = tf.Session()\nsess.run(tf.global_variables_initializer())\nsess.run(step, {x: [[1.0, 2.0]]})\n"
    assert "tvars = [w, b]\n" in native(HEAD + lines + step + runs).text


def test_all_variables_of_layers_are_listed_in_their_order() -> None:
    lines = """x = tf.placeholder(tf.float32, [None, 2])
h = tf.layers.dense(x, 3)
w = tf.Variable(tf.ones([3, 1]))
y = tf.layers.dense(tf.matmul(h, w), 1, use_bias=False)
loss = tf.reduce_mean(y) + tf.add_n([tf.nn.l2_loss(v) for v in tf.trainable_variables()])
sess = tf.Session()
sess.run(tf.global_variables_initializer())
print(sess.run(loss, {x: [[1.0, 2.0]]}).shape, sess.run(y, {x: [[1.0, 2.0]]}).shape)
"""
    made = native(HEAD + lines).text
    assert "for v in [*[v.value for v in dense.variables], w, *[v.value for v in dense_1.variables]]" in made
    assert run(made) == "() (1, 1)\n"
