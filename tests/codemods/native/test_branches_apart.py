"""Branches that make variables and tensors: one statement makes the variables, and one of a function uses them.

`branches.py` of `fixtures/sessions/programs` is recorded and proven.
"""

from __future__ import annotations

import pytest

from codemods.native.refusals import NotNativeError
from tests.codemods.native.test_rewriting import FIXTURES, HEAD, native, run

BRANCHES = (FIXTURES / "programs" / "branches.py").read_text("utf-8")
START = "x = tf.placeholder(tf.float32, [None, 3])\nones = tf.ones_initializer()\n"
WIDE = """
if wide:
    # the wide one
    with tf.variable_scope('first'):
        w = tf.get_variable('w', [3, 2], initializer=ones)
        y = tf.matmul(x, w)
    with tf.variable_scope('second'):
        w = tf.get_variable('w', [2, 4], initializer=ones)
        y = tf.matmul(y, w)
else:
    size = 1
    w = tf.get_variable('w', [3, size], initializer=ones)
    y = tf.matmul(x, w)
"""
END = """
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(y, {x: np.ones([1, 3])}).ravel())
"""
SAVED = END.replace("with ", "saver = tf.train.Saver()\nwith ", 1)
NAMES = "print([variable.name for variable in saver.variables()])\n"


@pytest.mark.parametrize(
    ("wide", "printed"),
    [
        (True, "[6. 6. 6. 6.]\n['first/w:0', 'second/w:0']\n"),  # 3 ones, then 2 threes
        (False, "[3.]\n['w:0']\n"),
    ],
)
def test_each_branch_makes_its_variables_under_their_names(wide: bool, printed: str) -> None:
    text = native(HEAD + f"wide = {wide}\n" + START + WIDE + SAVED.replace("Saver()", "Saver([w])")).text
    assert "    # the wide one\n" in text
    assert run(text.replace("[w]", "[w_2, w] if wide else [w]") + NAMES) == printed


def test_a_collection_lists_the_variables_of_the_branch_that_ran() -> None:
    text = native(BRANCHES).text
    assert "w1, *([w2_2, b2, w2] if self.kind == 'dueling' else [scale] if self.kind == 'scaled' else [w2])]" in text


def test_the_class_keeps_what_a_collection_has_of_all_objects() -> None:
    own = "        self.sess = tf.Session()\n        self.sess.run(tf.global_variables_initializer())\n"
    text = BRANCHES.replace(own, "        self.sess = sess\n").replace(
        "kind='dueling', ", "kind='dueling', sess=None, "
    )
    two = """sess = tf.Session()
with tf.variable_scope('first'):
    first = Agent(2, 3, sess=sess)
with tf.variable_scope('second'):
    second = Agent(2, 3, 'plain', sess=sess)
sess.run(tf.global_variables_initializer())
"""
    made = native(text[: text.index("def main")] + two).text
    assert "        type(self).target_params = t_params\n" in made
    assert run(made + "print(len(Agent.target_params))\n") == "6\n"  # 4 of the first, 2 of the second


def test_a_tensor_that_another_object_holds_is_refused() -> None:
    kept = "class Box(object):\n    pass\n\nbox = Box()\nbox.y = x * 2\ny = x + 1\n"
    with pytest.raises(NotNativeError, match="holds what becomes part of a function"):
        native(HEAD + START + kept + END)


def test_what_a_branch_binds_first_is_nothing_that_it_needs_from_before() -> None:
    part = "w{0} = tf.get_variable('w{0}', [3], initializer=ones)\nif wide:\n    h = x * w{0}\n    y{0} = h + 1\n"
    part += "else:\n    y{0} = x\n"
    late = "z = tf.placeholder(tf.float32)\ny1 = y1 * z\n" + part.format(2)
    text = native(HEAD + "wide = True\n" + START + part.format(1) + late + END.replace("(y", "(y2")).text
    assert "z" not in text.partition("def y2(")[2].partition(")")[0]
    assert run(text) == "[2. 2. 2.]\n"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("if wide:", "if print() or wide:"),
        ("    size = 1\n", "    wide = size = 1\n"),
        ("size = 1\n", "size = tf.shape(x)[1]\n"),
        ("    y = tf.matmul(x, w)\n", "    y = tf.matmul(x, w)\n    w = w + 1\n"),
        ("    y = tf.matmul(x, w)\n", "    y = tf.matmul(x, w)\n    w = tf.get_variable('v', [3], initializer=y)\n"),
        ("with tf.variable_scope('first'):", "with tf.variable_scope('first', initializer=ones):"),
        ("with tf.variable_scope('first'):", "with tf.variable_scope('first') as scope:"),
        ("w = tf.get_variable('w', [3, 2], initializer=ones)", "w = tf.Variable(tf.ones([3, 2]), name='w')"),
    ],
)
def test_branches_that_need_their_order_are_refused(old: str, new: str) -> None:
    assert old in WIDE
    with pytest.raises(NotNativeError):
        native(HEAD + "wide = True\n" + START + WIDE.replace(old, new, 1) + END)


def test_a_condition_that_holds_no_more_gives_no_list() -> None:
    late = "        t_params = tf.get_collection('target_params')\n"
    with pytest.raises(NotNativeError, match="the source does not say what is in this collection"):
        native(BRANCHES.replace(late, "        self.kind = 'plain'\n" + late))
