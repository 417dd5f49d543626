"""Variables of functions that a store finds by their names. `blocks.py` and `painters.py` are recorded and proven."""

from __future__ import annotations

import pytest

from codemods.native.refusals import NotNativeError
from codemods.native.stored_variables import with_stored_variables
from tests.codemods.native.test_rewriting import FIXTURES, HEAD, native, numbers, run

PAINTERS = (FIXTURES / "programs" / "painters.py").read_text("utf-8")
BLOCKS = (FIXTURES / "programs" / "blocks.py").read_text("utf-8")
SCALED = HEAD + (
    "def scaled(x, size, scope, reuse=None):\n"
    "    with tf.variable_scope(scope, reuse=reuse):\n"
    "        w = tf.get_variable('w', [2, size], initializer=tf.constant_initializer(0.5))\n"
    "        return tf.matmul(x, w)\n"
    "x = tf.placeholder(tf.float32, [None, 2])\n"
    "y = x\n"
    "for i in range(3):\n"
    "    y = scaled(y, 2, 'layer_%d' % i)\n"
    "{}"
    "loss = tf.reduce_mean(y)\n"
    "train_op = tf.train.GradientDescentOptimizer(0.1).minimize(loss{})\n"
    "with tf.Session() as sess:\n"
    "    sess.run(tf.global_variables_initializer())\n"
    "    sess.run(train_op, {{x: [[1.0, 3.0]]}})\n"
    "    print(sess.run(loss, {{x: [[1.0, 3.0]]}}))\n"
)


def test_scopes_of_loops_stay() -> None:
    made = native(SCALED.format("", "")).text
    assert "    with store.scope(scope, reuse=reuse):" in made
    assert "y = scaled(y, 2, 'layer_%d' % i)" in made
    assert numbers(run(made)) == pytest.approx([0.96000004])  # 1.15.5


def test_a_variable_that_is_used_again_is_the_same() -> None:
    again = SCALED.format("z = scaled(x, 2, 'layer_0', reuse=True)\ny = y + z\n", "")
    made = native(again).text
    assert "z = scaled(x, 2, 'layer_0', reuse=True)" in made
    assert numbers(run(made)) == pytest.approx([1.6400001])  # 1.15.5


def test_variables_of_a_pattern_are_chosen_by_their_old_names() -> None:
    listed = "last = [v for v in tf.trainable_variables() if v.name.startswith('layer_2')]\n"
    made = native(SCALED.format(listed, ", var_list=last")).text
    assert "last = [v for v in store.trainable() if v.name.startswith('layer_2')]" in made
    assert numbers(run(made)) == pytest.approx([1.6])  # 1.15.5: only the last layer moves


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        # a statement that no call needs made variables in TensorFlow 1 all the same
        ("loss = tf", "unused = scaled(x, 3, 'other')\nloss = tf", "nothing that the program runs uses"),
        # a list of variables, and a function that makes more of them afterwards
        ("train_op = ", "more = scaled(y, 2, 'more')\ntrain_op = ", "nothing that the program runs uses"),
    ],
)
def test_other_variables_than_before_are_refused(old: str, new: str, why: str) -> None:
    text = SCALED.format("", "")
    assert old in text
    with pytest.raises(NotNativeError, match=why):
        native(text.replace(old, new, 1))


def test_a_layer_without_a_name_in_a_divided_scope_is_refused() -> None:
    again = "        enc += tf.layers.dense(enc, 4)\n"
    rate = "        learning_rate = tf.placeholder"
    text = BLOCKS.replace(", name='scores')\n", ")\n").replace(rate, again + rate)
    assert again in text
    with pytest.raises(NotNativeError, match="has a number that counts statements"):
        native(text)


def test_a_program_of_plain_variables_has_no_store() -> None:
    assert with_stored_variables(HEAD + "w = tf.get_variable('w', [2])\n") is None
    assert with_stored_variables(BLOCKS.replace("tf.random_uniform_initializer(", "tf.make_template(")) is None


LINES = ("h = tf.contrib.layers.flatten(h)", "h = tf.contrib.layers.batch_norm(h, is_training=True, scope='bn')")
TWICE = PAINTERS.replace(LINES[0], f"{LINES[1]}\n        {LINES[0]}")


def test_what_makes_a_variable_comes_before_what_uses_it_again() -> None:
    made = native(TWICE).text
    first, again = "real_logits = discriminator(x)\n", "fake_logits = discriminator(fake, reuse=True)\n"
    assert made.count(first) == made.count(again) == 1  # in what both steps call, as both run all updates
    assert made.index(first) < made.index(again)


def test_updates_of_one_layer_by_two_statements_are_noted() -> None:
    notes = [why for _, why in native(TWICE).notes]
    assert sum("left open the order of updates" in why for why in notes) == 2


def test_a_scope_that_a_statement_changes_for_later_ones_is_refused() -> None:
    text = SCALED.format("tf.get_variable_scope().reuse_variables()\nz = scaled(x, 2, 'layer_0')\ny = y + z\n", "")
    with pytest.raises(NotNativeError, match="changes the scope of later statements"):
        native(text)


def test_first_values_that_count_as_false_are_first_values() -> None:
    text = SCALED.format("", "").replace("tf.matmul(x, w)", "tf.matmul(x, w) + tf.get_variable('b', initializer=0.0)")
    made = native(text).text
    assert "store.get('b', initializer=0.0)" in made
    assert numbers(run(made)) == pytest.approx([0.71599996])  # 1.15.5
