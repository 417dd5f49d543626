"""Loops that make variables and tensors: lists of variables first, and a loop of a function that uses them."""

from __future__ import annotations

import pytest

from codemods.native.refusals import NotNativeError
from tests.codemods.native.test_rewriting import HEAD, native, run

END = """
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(y, {x: np.ones([2, 3])}).ravel())
"""
SAVED = END.replace("with ", "saver = tf.train.Saver()\nwith ", 1)
NAMES = "print([variable.name for variable in saver.variables()])\n"
"""What a test adds to a native program."""
START = "x = tf.placeholder(tf.float32, [None, 3])\ny = x\n"


def test_layers_of_a_loop_have_lists_of_weights() -> None:
    text = native(
        HEAD
        + START
        + """last = 3
for n, size in enumerate([4, 2]):
    # a layer
    with tf.variable_scope('layer%d' % n):
        w = tf.get_variable('w', [last, size], initializer=tf.ones_initializer())
        y = tf.matmul(y, w)
    last = size
"""
        + END
    ).text
    assert "ws.append(tf.Variable(tf.ones_initializer()([last, size]), name='layer%d/w' % n))" in text.replace('"', "'")
    assert run(text) == "[12. 12. 12. 12.]\n"  # 3 ones, then 4 threes


def test_variables_inside_expressions_have_lists_too() -> None:
    text = native(
        HEAD + START + "for k in range(1, 3):\n    y = y * tf.Variable(tf.ones([1]) * k, name='factor_%d' % k)\n" + END
    ).text
    assert "for k_2" not in text  # the second loop does not need the number
    assert run(text) == "[2. 2. 2. 2. 2. 2.]\n"


def test_values_of_a_turn_that_no_sequence_has_stand_in_a_list() -> None:
    loop = """
sizes = iter([1, 2])
for size in sizes:
    twice = size * 2
    w = tf.Variable(tf.fill([1], float(twice)), name='w%d' % size)
    y = y * w + twice + size
"""
    text = native(HEAD + START + loop + END).text
    assert "sizes.append" not in text  # the iterator is empty after the first loop
    assert run(text) == f"[{' '.join(['26.'] * 6)}]\n"  # (1 * 2 + 2 + 1) * 4 + 4 + 2


def test_variables_of_one_name_have_the_numbers_of_tensorflow_1() -> None:
    loop = "for k in range(3):\n    w = tf.Variable(tf.ones([1]), name='w')\n    y = y * w\n"
    text = native(HEAD + START + loop + SAVED).text
    assert run(text + NAMES).endswith("['w:0', 'w_1:0', 'w_2:0']\n")  # as 1.15.5 names them


def test_scopes_of_one_name_have_the_numbers_of_tensorflow_1() -> None:
    loop = """for k in range(2):
    with tf.name_scope('layer'):
        w = tf.Variable(tf.ones([1]), name='w')
        y = y * w
"""
    text = native(HEAD + START + loop + SAVED).text
    assert run(text + NAMES).endswith("['layer/w:0', 'layer_1/w:0']\n")  # as 1.15.5 names them


def test_a_variable_whose_size_is_of_a_tensor_of_the_loop_is_refused() -> None:
    loop = "for k in range(2):\n    w = tf.Variable(tf.ones([tf.shape(y)[1], 3]))\n    y = tf.matmul(y, w)\n"
    with pytest.raises(NotNativeError, match="depends on y, a tensor"):
        native(HEAD + START + loop + END)


def test_a_loop_that_ends_early_is_refused() -> None:
    loop = "for k in range(3):\n    w = tf.Variable(tf.ones([1]))\n    y = y * w\n    if k == 1:\n        break\n"
    with pytest.raises(NotNativeError, match="makes both variables and tensors"):
        native(HEAD + START + loop + END)


def test_names_that_a_scope_before_may_have_taken_are_refused_with_a_saver() -> None:
    scope = "with tf.name_scope('conv-2'):\n    first = tf.Variable(tf.ones([1]), name='w')\n"
    loop = """for size in [2, 3]:
    with tf.name_scope('conv-%d' % size):
        w = tf.Variable(tf.ones([1]), name='w')
        y = y * w
"""
    with pytest.raises(NotNativeError, match="may have numbered the name of this variable"):
        native(HEAD + START + scope + loop + SAVED)


def test_a_variable_of_get_variable_leaves_the_scope_of_the_other() -> None:
    scope = """with tf.name_scope('output'):
    w = tf.get_variable('w', [3, 1], initializer=tf.ones_initializer())
    b = tf.Variable(tf.ones([1]), name='b')
    y = tf.matmul(x, w) + b
"""
    text = native(HEAD + START + scope + SAVED).text
    assert run(text + NAMES) == "[4. 4.]\n['w:0', 'output/b:0']\n"  # the names of 1.15.5


def test_a_name_of_a_loop_that_the_module_binds_later_is_another_one() -> None:
    loop = """ws = [tf.Variable(tf.ones([3, 3])), tf.Variable(tf.ones([3, 3]))]
for w in ws:
    y = tf.matmul(y, w)
w = tf.Variable(tf.fill([3, 1], 2.0))
y = tf.matmul(y, w)
"""
    assert run(native(HEAD + START + loop + END).text) == "[54. 54.]\n"  # 9 ones, times 2, three times


CLASS = """
class Net(object):
    '''Layers of several sizes.'''
    def __init__(self, sizes, scale=1.0):
        self.x = tf.placeholder(tf.float32, [None, 3])
        out = self.x
        for n, size in enumerate(sizes):
            with tf.name_scope('layer-%d' % n):
                w = tf.Variable(tf.ones([3, size]), name='w')
                out = tf.reduce_sum(tf.matmul(self.x, w), 1, keep_dims=True) + out
        self.out = out * scale


def train():
    net = Net([1, 2], scale=2.0)
    loss = tf.reduce_mean(net.out)
    train_op = tf.train.GradientDescentOptimizer(0.0).minimize(loss)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        _, value = sess.run([train_op, loss], {net.x: np.ones([2, 3])})
        print(value)


train()
"""


def test_a_class_that_only_builds_becomes_part_of_the_function_that_trains() -> None:
    text = native(HEAD + CLASS).text
    assert "class Net" not in text
    assert run(text) == "20.0\n"  # (3 + 6 + 1) * 2


def test_a_class_whose_object_is_given_away_stays() -> None:
    with pytest.raises(NotNativeError):
        native(HEAD + CLASS.replace("    loss =", "    print(net)\n    loss ="))


def test_a_loop_may_go_on_from_a_variable() -> None:
    loop = """y = tf.Variable(tf.ones([3]), name='bias')
for k in range(1, 3):
    w = tf.Variable(tf.fill([3], float(k)), name='weight_%d' % k)
    y = y + w * x
"""
    text = native(HEAD + "x = tf.placeholder(tf.float32, [None, 3])\n" + loop + END).text
    assert "first_y = tf.Variable(tf.ones([3]), name='bias')" in text
    assert run(text) == "[4. 4. 4. 4. 4. 4.]\n"


def test_a_variable_that_a_function_reads_keeps_its_name() -> None:
    loop = """y = tf.Variable(tf.ones([3]))
def shown():
    return y
for k in range(1, 3):
    y = y + tf.Variable(tf.ones([3])) * x
"""
    with pytest.raises(NotNativeError, match="y gets another value here"):
        native(HEAD + "x = tf.placeholder(tf.float32, [None, 3])\n" + loop + END)


def test_a_call_that_may_change_what_the_variables_need_is_refused() -> None:
    loop = """sizes = [3, 3]
def taken(listed, value):
    listed.pop()
    return value
for k in range(2):
    w = tf.Variable(tf.ones([3, sizes[-1]]))
    y = taken(sizes, tf.matmul(y, w))
"""
    with pytest.raises(NotNativeError, match="makes both variables and tensors"):
        native(HEAD + START + loop + END)
