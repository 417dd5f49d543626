"""Builders with scopes that name ops alone, with branches that return, and with names like their own."""

from __future__ import annotations

from codemods.native.single_returns import with_single_returns
from tests.codemods.native.test_rewriting import HEAD, native, run

X = "x = tf.placeholder(tf.float32, [None, 3])\n"
END = """
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(y, {x: np.ones([2, 3])}).ravel())
"""
DENSE = """
def dense(x, size, scope=None, with_w=False):
    with tf.variable_scope(scope or 'Linear'):
        w = tf.get_variable('w', [3, size], initializer=tf.ones_initializer())
        if with_w:
            return tf.matmul(x, w), w
        else:
            return tf.matmul(x, w)
"""


def test_a_branch_that_an_argument_settles_returns_what_its_call_wants() -> None:
    calls = "h, w = dense(x, 3, 'first', with_w=True)\nh2 = tf.nn.relu(dense(h, 2))\ny = h2 + tf.reduce_sum(w)\n"
    text = native(HEAD + DENSE + X + calls + END).text
    assert run(text) == "[18. 18. 18. 18.]\n"  # 3, then 9, and 9 ones
    assert "name='first/w'" in text and "name='Linear/w'" in text


def test_a_return_behind_a_branch_is_the_other_branch() -> None:
    made = with_single_returns(
        "import tensorflow as tf\n"
        "def build(x, flat=True):\n"
        "    w = tf.Variable(1.0)\n"
        "    # the shape\n"
        "    if flat:\n"
        "        return x * w\n"
        "    return x + w\n"
    )
    assert made is not None
    assert made[0].splitlines()[4:] == [
        "    if flat:",
        "        result = x * w",
        "    else:",
        "        result = x + w",
        "    return result",
    ]


def test_a_function_that_may_return_nothing_stays() -> None:
    body = "    w = tf.Variable(1.0)\n    if flat:\n        return x * w\n"
    assert with_single_returns(f"import tensorflow as tf\ndef build(x, flat):\n{body}") is None


SCALED = "def scaled(x, name='scaled'):\n    with tf.variable_scope(name):\n        return x * 2.0 + {added}\n"


def test_a_scope_of_ops_alone_may_have_any_name() -> None:
    text = native(HEAD + SCALED.format(added="1.0") + X + "y = scaled(x) + scaled(x, 'again')\n" + END).text
    assert run(text) == "[6. 6. 6. 6. 6. 6.]\n"


def test_a_scope_of_variables_whose_name_no_source_says_has_a_store() -> None:
    calls = "y = x\nfor name in open('names.txt'):\n    y = y + scaled(x, name)\n"
    text = native(HEAD + SCALED.format(added="tf.get_variable('w', [3])") + X + calls + END).text
    assert "    with store.scope(name):\n        return x * 2.0 + store.get('w', [3])\n" in text


def test_a_method_may_have_the_name_of_a_part_of_tensorflow() -> None:
    text = """
class Model(object):
    def __init__(self):
        self.x = tf.placeholder(tf.float32, [None, 3])
        self.y = tf.reduce_sum(self.x)
        self.summary()

    def summary(self):
        tf.summary.scalar('sum', self.y)
        self.merged = tf.summary.merge_all()


model = Model()
with tf.Session() as sess:
    print(len(sess.run([model.y, model.merged], {model.x: np.ones([2, 3])})))
"""
    made = native(HEAD + text).text
    assert "\"scalar\", 'sum'" in made
    assert run(made) == "2\n"


def test_a_function_may_bind_its_own_name() -> None:
    block = "def block(x):\n    w = tf.Variable(tf.ones([3]))\n    block = x * w\n    return x + block\n"
    text = native(HEAD + block + X + "y = tf.nn.relu(block(tf.nn.relu(block(x))))\n" + END).text
    assert run(text) == "[4. 4. 4. 4. 4. 4.]\n"
