"""Functions of which one alone runs, ops that are built at each call, and savers beside an object.

`modes.py` and `guessed.py` of `fixtures/sessions/programs` are recorded and proven.
"""

from __future__ import annotations

import pytest

from codemods.native.refusals import NotNativeError
from tests.codemods.native.test_rewriting import FIXTURES, native, run

MODES = (FIXTURES / "programs" / "modes.py").read_text("utf-8")
CALLS = "    if arguments:\n        replay(arguments[0])\n    else:\n        train(tempfile.mkdtemp())\n"
SAVER = "    saver = tf.train.Saver()\n    saver.restore("
CLASS = """
class Net(object):
    def __init__(self):
        self.scale = 2.0
        self.x = tf.placeholder(tf.float32, [None])
        w = tf.Variable(tf.ones([1]), name='w')
        self.y = self.x * w
        self.sess = tf.Session()
        self.sess.run(tf.global_variables_initializer())

    def twice(self, x, factor):
{}

net = Net()
print(net.twice([3.0], 2.0))
"""
BUILDING = """        doubled = self.y * 2.0
        size = 3
        sums = [doubled]
        for _ in range(size):
            sums.append(tf.add(sums[-1], 1.0))
        return self.sess.run(sums[-1], {self.x: x}) * factor
"""
HEAD = "import numpy as np\nimport tensorflow as tf\n"


def test_either_function_runs_and_the_object_has_the_saver() -> None:
    text = native(MODES).text
    assert text.count("self.saver = Saver(lambda: [") == 1
    assert "brain.saver.restore(tf.train.latest_checkpoint(path))" in text
    printed = (FIXTURES / "printed" / "modes.txt").read_text("utf-8")
    both = text.replace(
        "train(tempfile.mkdtemp())", "path = tempfile.mkdtemp()\n        train(path)\n        replay(path)"
    )
    assert run(both).startswith(printed)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (CALLS, "    train(arguments[0])\n    replay(arguments[0])\n"),
        (CALLS, CALLS.replace("train(", "for _ in range(2):\n            train(")),
        (CALLS, CALLS.replace("replay(", "print(train) or replay(")),
        (SAVER, "    step = tf.Variable(0, name='step')\n" + SAVER),
        (SAVER, "    tf.summary.scalar('cost', brain.cost)\n" + SAVER),
        (SAVER, "    tf.add_to_collection('kept', brain.cost)\n" + SAVER),
        (SAVER, "    tf.train.AdamOptimizer(0.1).minimize(brain.cost)\n" + SAVER),
        (SAVER, "    saver = tf.train.Saver(max_to_keep=1)\n    saver.restore("),
        (
            "    brain = Brain(sess, WIDTH, ACTIONS)\n\n    saver",
            "    brain = [Brain(sess, WIDTH, ACTIONS)][0]\n\n    saver",
        ),
    ],
)
def test_functions_that_change_what_others_see_are_refused(old: str, new: str) -> None:
    assert old in MODES
    with pytest.raises(NotNativeError):
        native(MODES.replace(old, new, 1))


def test_ops_of_a_method_are_built_once() -> None:
    text = native(HEAD + CLASS.format(BUILDING)).text
    assert "self.sums = " not in text.partition("def twice")[2]
    assert run(text) == "[18.]\n"  # (3 * 2 + 3) * 2


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("self.y * 2.0", "self.y * factor"),
        ("self.y * 2.0", "self.y * tf.random_normal([1])"),
        ("self.y * 2.0", "self.y * tf.Variable(2.0)"),
        ("size = 3\n", "size = int(factor) + 1\n"),
        ("        return", "        sums.append(sums[-1] * factor)\n        return"),
        ("        return", "        self.y = self.y * 3.0\n        return"),
    ],
)
def test_ops_of_a_call_are_refused(old: str, new: str) -> None:
    assert old in BUILDING
    with pytest.raises(NotNativeError):
        native(HEAD + CLASS.format(BUILDING.replace(old, new, 1)))


FUNCTION = """
x = tf.placeholder(tf.float32, [None])
w = tf.Variable(tf.ones([1]), name='w')
y = x * w
sess = tf.Session()
sess.run(tf.global_variables_initializer())

def largest(rows):
    # the largest of each
    result = {}
    return sess.run(result, {{x: rows}})

{}
print(largest([3.0, 4.0]))
"""


def test_ops_of_a_function_are_built_once_by_the_module() -> None:
    text = native(HEAD + FUNCTION.format("tf.reduce_max(y + 1.0)", "y_twice = y * 2.0")).text
    assert "    result = tf.reduce_max(y + 1.0)\n" in text.partition("def largest")[0]
    assert run(text) == "5.0\n"


@pytest.mark.parametrize("built", ["tf.reduce_max(y + rows[0])", "tf.random_normal([1]) + y", "tf.Variable(1.0) + y"])
def test_ops_of_a_call_of_a_function_are_refused(built: str) -> None:
    with pytest.raises(NotNativeError):
        native(HEAD + FUNCTION.format(built, ""))


def test_a_function_whose_graph_is_bound_anew_is_refused() -> None:
    with pytest.raises(NotNativeError):
        native(HEAD + FUNCTION.format("tf.reduce_max(y + 1.0)", "y = y * 2.0"))


def test_constants_of_a_function_stay_where_they_are() -> None:
    text = native(HEAD + FUNCTION.format("y", "").replace("    result = y\n", "    result = tf.constant(2.0)\n")).text
    assert "tf.constant(2.0)" in text
