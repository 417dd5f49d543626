"""Methods that open a session each, and what an object keeps under a second name.

`reopened.py` of `fixtures/sessions/programs` is recorded and proven.
"""

from __future__ import annotations

import pytest

from codemods.native.refusals import NotNativeError
from tests.codemods.native.test_rewriting import FIXTURES, native, run

REOPENED = (FIXTURES / "programs" / "reopened.py").read_text("utf-8")
FIT = "    net.fit(data)\n"
ENCODE = "    def encode(self, rows):\n        with tf.Session() as sess:\n"


def test_methods_use_the_variables_of_the_object() -> None:
    text = native(REOPENED).text
    assert "        self.x = tf.TensorSpec([None, n_input], tf.float32, name='x')\n" in text
    assert "\n        self.saver.restore(self.path)\n        return self.output(rows).numpy()\n" in text
    assert "        # begins anew if there is no checkpoint\n" in text


def test_first_values_are_there_once() -> None:
    text = native(REOPENED.replace(FIT, "    net.go_on(data)\n    method = net.fit\n    method(data)\n")).text
    with pytest.raises(RuntimeError, match="other values than their first ones by now: make a new Denoiser"):
        run(text)


def test_a_method_that_may_end_early_stays_a_method() -> None:
    program = (FIXTURES / "programs" / "methods.py").read_text("utf-8")
    text = native(program.replace("            print('acc", "            return\n            print('acc")).text
    assert "    def train(self, num_train_steps):\n" in text
    assert "acc" not in run(text)


def test_a_method_may_have_the_name_of_a_part_of_tensorflow() -> None:
    renamed = REOPENED.replace("def fit(", "def train(").replace("net.fit(", "net.train(")
    assert "epoch 2" in run(native(renamed).text)


def test_a_tensor_that_a_function_gives_beside_others_can_be_fed() -> None:
    changed = REOPENED.replace("return sess.run(self.output, ", "return sess.run([self.code, self.output], ")
    changed = changed.replace("net.denoise(data) - data", "net.denoise(data)[1] - data").replace(
        "0.1 * rng", "0.0 * rng"
    )
    again = "        return code\n\n    def decode(self, code):\n        with tf.Session() as sess:\n"
    again += "            self.saver.restore(sess, self.path)\n"
    again += "            return sess.run(self.output, feed_dict={self.code: code})\n"
    changed = changed.replace("        return code\n", again)
    changed += "    print(np.abs(net.decode(net.encode(data)) - net.denoise(data)[1]).max() < 1e-6)\n"
    text = native(changed).text
    assert 'get_concrete_function().structured_outputs[0], "code")' in text
    assert run(text).endswith("True\n")


def test_sessions_that_restore_alone_need_no_check() -> None:
    head, tail = REOPENED.split("    def fit(")
    rest = tail[tail.index("    def denoise(") :].replace(FIT, "").replace("    net.go_on(data)\n", "")
    assert "has_first_values" not in native(head + rest).text


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (FIT, FIT + FIT),
        (FIT, "    for _ in range(2):\n        net.fit(data)\n"),
        ("            self.saver.restore(sess, self.path)\n            return", "            return"),
        ("self.saver = tf.train.Saver()", "self.saver = tf.train.Saver([weights])"),
        (ENCODE, ENCODE + "            print(self.denoise(rows))\n"),
        (ENCODE, ENCODE + "            print(sess.run(self.code, {self.x: rows}))\n"),
        (ENCODE, "    def encode(self, rows):\n      for _ in range(2):\n        with tf.Session() as sess:\n"),
        (ENCODE, "    def encode(self, rows):\n        sess = None\n        with tf.Session() as sess:\n"),
        ("            code = sess.run(", "            yield 1\n            code = sess.run("),
        ("        print('code', code.shape)", "        print('code', sess)"),
        ("class Denoiser(object)", "class Denoiser(dict)"),
        ("if __name__", "class Other(Denoiser):\n    def __init__(self):\n        pass\n\n\nif __name__"),
        ("self.saver = tf.train.Saver()", "self.saver = tf.train.Saver()\n        self.fit(np.ones([4, n_input]))"),
        ("net = Denoiser(5, 3, tempfile.mkdtemp())", "net = [Denoiser(5, 3, tempfile.mkdtemp()) for _ in range(2)][0]"),
        ("self.loss = ", "tf.set_random_seed(1)\n        self.drawn = tf.random_normal([2])\n        self.loss = "),
    ],
)
def test_sessions_that_may_need_values_of_their_own_are_refused(old: str, new: str) -> None:
    assert old in REOPENED
    with pytest.raises(NotNativeError):
        native(REOPENED.replace(old, new))


def test_a_saver_that_is_made_early_leaves_first_values() -> None:
    early = REOPENED.replace("        self.saver = tf.train.Saver()\n", "").replace("    net.go_on(data)\n", "")
    early = early.replace("        self.loss = ", "        self.saver = tf.train.Saver()\n        self.loss = ")
    early = early.replace("    print('%.4f' % net.encode(data).mean())\n", "")
    assert native(early).text.count("raise RuntimeError(") == 4  # in go_on() for both branches


def test_a_method_that_reads_what_nothing_sets_fails_as_before() -> None:
    changed = REOPENED.replace(
        "            code = sess.run(self.code, feed_dict={self.x: rows})", "            code = sess.run(self.codes)"
    )
    text = native(changed).text
    with pytest.raises(AttributeError, match="codes"):
        run(text)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("    def denoise(", "    codes = None\n\n    def denoise("),
        ("    net.fit(data)\n", "    net.codes = 1\n    net.fit(data)\n"),
        ("    net.fit(data)\n", "    setattr(net, 'codes', 1)\n    net.fit(data)\n"),
        ("class Denoiser(object)", "class Denoiser(dict)"),
    ],
)
def test_a_fetch_that_something_may_set_is_refused(old: str, new: str) -> None:
    changed = REOPENED.replace("sess.run(self.code, feed_dict={self.x: rows})", "sess.run(self.codes)")
    assert old in changed
    with pytest.raises(NotNativeError):
        native(changed.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("        self.x = x\n", "        if n_hidden > 2:\n            self.x = x\n"),
        ("        self.x = x\n", "        self.x = x\n        self.x = tf.identity(x)\n"),
        ("        self.x = x\n", "        self.x = x\n        x = tf.identity(x)\n"),
        ("        self.x = x\n", "        print(f'{x}')\n        self.x = x\n"),
    ],
)
def test_a_placeholder_whose_second_name_is_not_certain_keeps_its_own(old: str, new: str) -> None:
    assert old in REOPENED
    with pytest.raises(NotNativeError):
        native(REOPENED.replace(old, new))
