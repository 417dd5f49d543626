"""Classes that each build a part of a graph, sessions that objects get or make, and functions that get objects.

`critic.py`, `double.py` and `passed.py` of `fixtures/sessions/programs` are recorded and proven.
"""

from __future__ import annotations

import pytest

from codemods.native.refusals import NotNativeError
from tests.codemods.native.test_rewriting import FIXTURES, native, run

CRITIC = (FIXTURES / "programs" / "critic.py").read_text("utf-8")
DOUBLE = (FIXTURES / "programs" / "double.py").read_text("utf-8")
PASSED = (FIXTURES / "programs" / "passed.py").read_text("utf-8")
INIT = "sess.run(tf.global_variables_initializer())\n"
LOOP = "for i_episode in range(2):"


def test_each_class_keeps_its_part_and_its_comments() -> None:
    text = native(CRITIC).text
    assert text.index("class Actor(") < text.index("class Critic(") < text.index("actor = Actor(n_features=N_F")
    assert text.count("class Adam(") == 1
    assert "# true_gradient = grad[logPi(s,a) * td_error]" in text
    assert "episode" in run(text)


def test_a_block_round_the_session_goes_too() -> None:
    head, tail = CRITIC.split("sess = tf.Session()\n")
    inner = "".join(f"    {line}\n" if line else "\n" for line in tail.splitlines())
    assert "episode" in run(native(f"{head}with tf.Session() as sess:\n{inner}").text)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (LOOP, "print(actor.exp_v)\n" + LOOP),
        (LOOP, "print(getattr(actor, 'exp_v'))\n" + LOOP),
        (LOOP, "other = Critic(sess, n_features=N_F)\n" + LOOP),
        (LOOP, "saver = tf.train.Saver()\n" + LOOP),
        (LOOP, "sess.run(actor.train_op)\n" + LOOP),
        (LOOP, "print(N_F)\n" + INIT + LOOP),
        (INIT, "for turn in range(2):\n    print(turn)\n    " + INIT),
        ("    def choose_action(", "    def begin(self):\n        self." + INIT + "\n    def choose_action("),
        ("variable_scope('Critic')", "variable_scope('Actor', reuse=tf.AUTO_REUSE)"),
        ("-self.exp_v)", "-self.exp_v, var_list=tf.trainable_variables())"),
        ("critic = Critic(", "for turn in range(1):\n    critic = Critic("),
        ("td_error = critic.learn(s, r, s_)", "td_error = critic.learn(s, r, s_) + critic.loss"),
    ],
)
def test_parts_that_may_not_be_apart_are_refused(old: str, new: str) -> None:
    assert old in CRITIC
    with pytest.raises(NotNativeError):
        native(CRITIC.replace(old, new))


def test_an_object_that_gets_a_session_makes_none() -> None:
    changed = DOUBLE.replace("n_features=2)", "n_features=2, sess=sess)")
    changed = changed.replace("agent = ", "sess = tf.Session()\nagent = ")
    changed = changed.replace("for step", "sess.run(tf.global_variables_initializer())\nfor step")
    assert "6" in run(native(changed).text)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("n_features=2)", "n_features=2, sess=np.random.rand())"),
        ("if sess is None:", "if sess is None or n_actions > 3:"),
        ("self.cost_his = []", "self.given = sess"),
        ("        else:\n            self.sess = sess\n", "            self.given = sess\n"),
    ],
)
def test_sessions_that_an_object_may_get_from_elsewhere_are_refused(old: str, new: str) -> None:
    assert old in DOUBLE
    with pytest.raises(NotNativeError):
        native(DOUBLE.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("            self.q_eval = build", "            for _ in range(1):\n                self.q_eval = build"),
        ("            return out\n", "            return out\n        self.build = build_layers\n"),
    ],
)
def test_an_inner_function_that_may_run_otherwise_stays(old: str, new: str) -> None:
    assert old in DOUBLE
    with pytest.raises(NotNativeError):
        native(DOUBLE.replace(old, new))


def test_a_function_keeps_its_name_of_the_object() -> None:
    text = native(PASSED).text
    assert "do_eval(textRCNN, trainX" in text
    assert "textCNN.evaluate(**feed_dict)" in text
    assert "batches of 8" in run(text)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("do_eval(sess, textRCNN,", "do_eval(sess, textRCNN if epoch else None,"),
        (
            "    eval_loss, eval_acc, counter = 0.0",
            "    textCNN = np.copy(textCNN)\n    eval_loss, eval_acc, counter = 0.0",
        ),
        ("    eval_loss, eval_acc, counter = 0.0", "    print(vars(textCNN))\n    eval_loss, eval_acc, counter = 0.0"),
        ("    main()\n", "    main()\n    run = do_eval\n"),
    ],
)
def test_an_object_that_other_code_may_read_is_refused(old: str, new: str) -> None:
    assert old in PASSED
    with pytest.raises(NotNativeError):
        native(PASSED.replace(old, new))
