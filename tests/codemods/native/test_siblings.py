"""Several objects of one class, base classes, and objects that other code gets but does not look into.

`siblings.py` of `fixtures/sessions/programs` is recorded and proven.
"""

from __future__ import annotations

import pytest

from codemods.native.refusals import NotNativeError
from tests.codemods.native.test_rewriting import FIXTURES, native, run

SIBLINGS = (FIXTURES / "programs" / "siblings.py").read_text("utf-8")
BOLD = "with tf.variable_scope('Bold'):\n    bold = "
INIT = "sess.run(tf.global_variables_initializer())\n"
LOOP = "for name, agent in ("
ALONE = """
class Policy(object):
    def act(self, rows):
        pass


class Linear(Policy):
    def __init__(self, size):
        self.size = size
        self.x = tf.placeholder(tf.float32, [None, size])
        w = tf.Variable(tf.ones([size, 1]))
        self.y = tf.matmul(self.x, w)
        self.sess = tf.Session()
        self.sess.run(tf.global_variables_initializer())

    def act(self, rows):
        return self.sess.run(self.y, {self.x: rows}).sum()


class Player(object):
    def __init__(self, policy):
        self.policy = policy

    def play(self):
        return self.policy.act(np.ones([2, 3])) * self.policy.size


policy = Linear(3)
print(Player(policy).play())
"""


def test_each_object_has_its_scope_and_collections_have_all_objects() -> None:
    text = native(SIBLINGS).text
    assert "with tf.name_scope('Bold'):\n    bold = Agent(n_features=2, n_actions=3, learning_rate=0.1)\n" in text
    assert "    target_params = []  # of all objects\n" in text
    assert "        type(self).target_params = t_params\n" in text


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (BOLD, "with tf.variable_scope('Careful'):\n    bold = "),
        (BOLD, "with tf.variable_scope('Careful', reuse=True):\n    bold = "),
        (BOLD, "with tf.variable_scope('Bold', reuse=tf.AUTO_REUSE):\n    bold = "),
        (BOLD, "with tf.name_scope('Bold'):\n    bold = "),
        (BOLD, "if True:\n    bold = "),
        (BOLD, "for _ in range(2):\n  with tf.variable_scope('Bold'):\n    bold = "),
        (INIT, INIT + "saver = tf.train.Saver()\n"),
        (INIT, INIT + "print(sess.run(tf.trainable_variables()[0]))\n"),
        (LOOP, INIT + LOOP),
        (LOOP, "print(careful.loss)\n" + LOOP),
        (LOOP, "print(getattr(careful, 'loss'))\n" + LOOP),
        (LOOP, "print(vars(careful))\n" + LOOP),
        (LOOP, "print(isinstance(careful, Agent))\n" + LOOP),
        (LOOP, "careful.q_eval = None\n" + LOOP),
        ("self.q_eval = tf.matmul(self.s, w) + b", "self.q_eval = tf.layers.dense(self.s, self.n_actions)"),
        ("        if not hasattr(self, 'rows')", "        print(self.loss)\n        if not hasattr(self, 'rows')"),
        ("class Memory(object):\n", "class Memory(object):\n    def __init__(self):\n        self.x = 1\n\n"),
        ("e_params = tf.get_collection('eval_params')", "e_params = sorted(tf.get_collection('eval_params'))"),
        ("        self.q = []\n", "        self.q = []\n        self.eval_params = 1\n"),
        ("self.q.append(values.max())", "self.q.append(self.loss)"),
    ],
)
def test_objects_that_may_share_more_are_refused(old: str, new: str) -> None:
    assert old in SIBLINGS
    with pytest.raises(NotNativeError):
        native(SIBLINGS.replace(old, new))


def test_an_object_may_be_given_to_code_that_calls_its_methods() -> None:
    assert run(native("import numpy as np\nimport tensorflow as tf\n" + ALONE).text) == "18.0\n"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("self.policy.size", "self.policy.y"),
        ("        self.size = size\n", "        self.size = size\n        setattr(self, 'width', size)\n"),
        ("        pass\n", "        return self.y\n"),
        ("        pass\n", "        return tf.ones([2])\n"),
        ("class Policy(object)", "class Policy(dict)"),
        ("(Policy)", "(Policy, metaclass=type)"),
        ("policy = Linear(3)", "policy = [Linear(3), Linear(3)][0]\nprint(policy.y)"),
    ],
)
def test_an_object_that_other_code_may_look_into_is_refused(old: str, new: str) -> None:
    assert old in ALONE
    with pytest.raises(NotNativeError):
        native("import numpy as np\nimport tensorflow as tf\n" + ALONE.replace(old, new))


CODERS = (FIXTURES / "programs" / "coders.py").read_text("utf-8")


def test_functions_may_hand_an_object_on_that_they_do_not_look_into() -> None:
    text = native(CODERS).text
    assert "        return self._encode_png(pixels).numpy()\n" in text
    assert run(text) == (FIXTURES / "printed" / "coders.txt").read_text("utf-8")


def test_functions_that_hand_an_object_on_and_read_its_tensors_are_refused() -> None:
    with pytest.raises(NotNativeError, match="coder is the object that builds the graph, and something else too"):
        native(CODERS.replace("    data = coder.", "    known = coder._png_data\n    data = coder."))
