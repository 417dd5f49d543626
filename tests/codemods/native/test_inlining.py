"""Functions that build parts of a graph give up their statements to their only caller."""

from __future__ import annotations

import pytest

from codemods.native.generations import split_names
from codemods.native.inlining import inline_builders, prepared
from codemods.native.refusals import NotNativeError
from tests.codemods.native.test_rewriting import native, run

NET = """\
import tensorflow as tf


# the network
def net(x, size=3):
    \"\"\"Builds it.\"\"\"
    w = tf.Variable(tf.ones([2, size]))
    x = x + 1
    y = tf.matmul(x, w)  # scores
    return y, w


def main():
    images = tf.placeholder(tf.float32, [None, 2])
    scores, weights = net(images)
    print(scores)
"""
INSIDE = """\
def main():
    images = tf.placeholder(tf.float32, [None, 2])
    x = images
    size = 3
    # Builds it.
    weights = tf.Variable(tf.ones([2, size]))
    x = x + 1
    scores = tf.matmul(x, weights)  # scores
    print(scores)
"""


def test_statements_stand_at_the_call() -> None:
    made = inline_builders(NET)
    assert made is not None
    assert made.text.endswith(INSIDE)
    assert "def net" not in made.text
    lines, old = made.text.splitlines(), NET.splitlines()
    assert [old[made.line(lines.index(f"    {line}") + 1) - 1] for line in ("x = images", "x = x + 1")] == [
        "    scores, weights = net(images)", "    x = x + 1"
    ]  # fmt: skip


def test_a_name_of_the_caller_keeps_its_meaning() -> None:
    made = inline_builders(NET.replace("    print(scores)", "    print(scores, size)").replace(
        "    scores, weights =", "    size = 9\n    scores, weights ="))  # fmt: skip
    assert made is not None
    assert "net_size = 3" in made.text
    assert "tf.ones([2, net_size])" in made.text
    assert "print(scores, size)" in made.text


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("    print(scores)", "    print(net(images))"),
        ("    scores, weights = net(images)", "    for _ in range(2):\n        scores, weights = net(images)"),
        ("    scores, weights = net(images)", "    scores, weights = [net(images)]"),
        ("    return y, w", "    if size:\n        return x, w\n    return y, w"),
        ("    x = x + 1", "    global k\n    k = x = x + 1"),
        ("    x = x + 1", "    x = x + len(locals())"),
        ("    x = x + 1", "    x = x + images"),
        ("    w = tf.Variable(tf.ones([2, size]))", "    w = tf.ones([2, size])"),
        ("    w = tf.Variable", "    tf.Session()\n    w = tf.Variable"),
        ("def net", "@cached\ndef net"),
        ("net(images)", "net(*images)"),
    ],
)
def test_what_would_mean_something_else_stays(old: str, new: str) -> None:
    assert inline_builders(NET.replace(old, new)) is None


def test_a_name_in_a_string_is_not_renamed() -> None:
    text = NET.replace("x = x + 1", "x = x + len(f'{size}')").replace("    print(scores)", "    size = 2")
    assert inline_builders(text) is None


LAYERS = """\
def build(x):
    with tf.variable_scope('a'):
        w = tf.get_variable('w', [2])
        x = x + w
    with tf.variable_scope('b'):
        w = tf.get_variable('w', [2])
        x = x * w
    return x - w
"""


def test_each_variable_gets_a_name() -> None:
    text = split_names("import tensorflow as tf\n" + LAYERS)
    assert text is not None
    assert [line.strip() for line in text.splitlines() if "w_2" in line] == [
        "w_2 = tf.get_variable('w', [2])", "x = x * w_2", "return x - w_2"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("    return x - w", "    return lambda: x - w"),
        ("    return x - w", "    for _ in range(2):\n        x = x - w\n        w = x"),
        ("    return x - w", "    if w:\n        w = 1\n    return x"),
        ("    return x - w", "    print(f'{w}')\n    return x"),
        ("    return x - w", "    w_2 = 1\n    return x"),
        ("    with tf.variable_scope('a')", "    print(w)\n    with tf.variable_scope('a')"),
    ],
)
def test_a_name_whose_variable_is_not_certain_stays(old: str, new: str) -> None:
    assert split_names("import tensorflow as tf\n" + LAYERS.replace(old, new)) is None


def test_nothing_to_prepare() -> None:
    assert prepared("import tensorflow as tf\nx = tf.placeholder(tf.float32)\n") is None


TWICE = """\
import tensorflow as tf


class Agent:
    def __init__(self):
        self.s = tf.placeholder(tf.float32, [None, 2])
        self.q = self._net(self.s, 'eval')
        self.next_q = self._net(self.s, 'target', trainable=False)

    def _net(self, x, scope, trainable=True):
        with tf.variable_scope(scope):
            w = tf.get_variable('w', [2, 1], trainable=trainable)
            return tf.matmul(x, w)
"""
BOTH = """\
        with tf.variable_scope('eval'):
            w = tf.get_variable('w', [2, 1], trainable=True)
            self.q = tf.matmul(x, w)
        net_x = self.s
        with tf.variable_scope('target'):
            net_w = tf.get_variable('w', [2, 1], trainable=False)
            self.next_q = tf.matmul(net_x, net_w)
"""


def test_a_method_that_is_called_twice_stands_there_twice() -> None:
    made = inline_builders(TWICE)
    assert made is not None
    assert made.text.rstrip().endswith(BOTH.rstrip())
    assert "def _net" not in made.text


@pytest.mark.parametrize(
    "call",
    [
        "for _ in range(2):\n            self.q = self._net(self.s, 'eval')",
        "self.q = self._net(self.s, 'eval') + 1.",
        "self.q = [self._net(self.s, str(i)) for i in range(2)]",
        "self.q = (lambda: self._net(self.s, 'eval'))()",
    ],
)
def test_a_method_stays_where_one_of_its_calls_cannot_give_way(call: str) -> None:
    assert inline_builders(TWICE.replace("self.q = self._net(self.s, 'eval')", call)) is None


BEGUN = """\
import tensorflow as tf
x = tf.placeholder(tf.float32, [None])
def train(rows):
    w = tf.Variable(2.0)
    y = x * w
    op = tf.train.GradientDescentOptimizer(0.1).minimize(y)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        _, value = sess.run([op, y], {x: rows})
        print(value)
"""


def test_a_function_that_runs_what_the_module_begins_stands_at_its_call() -> None:
    assert run(native(BEGUN + "train([3.0])\n").text) == "[6.]\n"
    assert run(native(BEGUN + "if __name__ == '__main__':\n    train([3.0])\n").text) == "[6.]\n"


@pytest.mark.parametrize("calls", ["train([3.0])\ntrain([4.0])\n", "for n in range(2):\n    train([3.0])\n"])
def test_a_function_that_runs_twice_is_refused(calls: str) -> None:
    with pytest.raises(NotNativeError):
        native(BEGUN + calls)


def test_a_result_over_several_lines_stands_on_one() -> None:
    text = NET.replace("return y, w", "return (y +  # scores\n            1.0), w")
    made = inline_builders(text)
    assert made is not None
    assert "scores = y + 1.0\n" in made.text
    assert len(made.origins) == len(made.text.splitlines())
