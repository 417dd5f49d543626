"""Programs that are not certainly the same without sessions stay as they are, each with its reason."""

from __future__ import annotations

import pytest

from codemods.native.refusals import NotNativeError
from tests.codemods.native.test_rewriting import COUNTED, FIXTURES, HEAD, MODEL, SCOPED, native

DEEPER = "def deeper(z, n):\n    return z if n == 0 else deeper(tf.layers.dense(z, 3), n - 1)\n"
DRIVEN = (FIXTURES / "programs" / "driven.py").read_text("utf-8")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("        net = Net(3, 0.1)", "        net = Net(3, 0.1)\n        two = Net(3, 0.1)", "several times"),
        ("        net = Net(3, 0.1)", "        net = Net(3, 0.1)\n        print(net)", "given to other code"),
        (
            "        net = Net(3, 0.1)",
            "        with tf.variable_scope('n'):\n            net = Net(3, 0.1)",
            "in a scope",
        ),
        ("Net(3, 0.1)", "Net(3, tf.placeholder(tf.float32, []))", "made with tensors"),
        ("net.loss * 2", "net.loss * epoch", "a name of main"),
        ("(object)", "(Base)", "base class"),
        ("print(sess.run(net.step)", "print(net.loss.name, sess.run(net.step)", "reads it here"),
        ("def batches(data", "def batches(net", "something else too"),
    ],
)
def test_an_object_that_is_not_certain_is_refused(old: str, new: str, message: str) -> None:
    with pytest.raises(NotNativeError, match=message):
        native(DRIVEN.replace(old, new))


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        ("NAT002", "def feeds(x):\n    return {x: data}\nsess.run(train_op, feeds(x))\n"),
        ("NAT002", "def feeds():\n    return {x: data}\nprint(feeds()[x])\nsess.run(train_op, feeds())\n"),
        ("NAT002", "sess.run(y)\n"),
        ("NAT002", "names = ['loss']\nsess.run(names, {x: data})\n"),
        ("NAT002", "g = tf.group(w.assign(w * 2.), w.assign(w * 3.))\nprint(sess.run(g))\n"),
        ("NAT003", "print(loss, vars())\nsess.run(train_op, {x: data})\n"),
        ("NAT003", "for v in tf.trainable_variables():\n    print(v.name)\nsess.run(y, {x: data})\n"),
        ("NAT003", "size = int(y.get_shape()[1])\nprint(size)\nsess.run(y, {x: data})\n"),
        ("NAT004", "sess.run(tf.train.AdamOptimizer(0.1).minimize(loss), {x: data})\n"),
        ("NAT005", "for n in range(2):\n    y = tf.layers.dense(y, 3)\nsess.run(y, {x: data})\n"),
        ("NAT005", DEEPER + "y = deeper(y, 2)\nsess.run(y, {x: data})\n"),
        ("NAT006", "k = 2.\nz = y * k\nfor k in range(2):\n    pass\nprint(k)\nsess.run(z, {x: data})\n"),
        ("NAT006", "k = 2.\nz = y * k\nk = 3.\ndef show():\n    print(k)\nsess.run(z, {x: data})\n"),
        ("NAT007", "up = w.assign(w * 2.)\nsess.run([train_op, up, w], {x: data})\n"),
        ("NAT007", "a = tf.Variable(1., use_resource=True)\nsess.run([train_op, w], {x: data})\n"),
        ("NAT007", "other = tf.matmul(x, w) * 2.\nsess.run([train_op, other], {x: data})\n"),
        ("NAT007", COUNTED.replace("=False", "=False, use_resource=True") + "sess.run([op, step], {x: data})\n"),
        ("NAT007", COUNTED + "two = opt.minimize(loss, step)\nsess.run([op, two], {x: data})\n"),
        (
            "NAT008",
            "first = tf.random_normal([2, 1])\nu = tf.Variable(first)\nz = y * u + first\nsess.run(z, {x: data})\n",
        ),
        (
            "NAT008",
            SCOPED.replace("tf.trainable_variables('gen')", "[v for v in tf.trainable_variables() if 'gen/' in v.name]")
            + "sess.run(op, {x: data})\n",
        ),
        ("NAT008", "g = tf.gradients(loss + 1., [w])\nsess.run(g[0], {x: data})\n"),
        (
            "NAT008",
            "u = tf.layers.dense(y, 1, trainable=len(data) > 2)\n"
            "z = u + tf.add_n([tf.nn.l2_loss(v) for v in tf.trainable_variables()])\n"
            "sess.run(z, {x: data})\n",
        ),
        ("NAT008", "for n in range(2):\n    sess.run(tf.global_variables_initializer())\n    sess.run(y, {x: data})\n"),
        ("NAT006", "np.random.shuffle(data)\nz = y * data[0, 0]\nnp.random.shuffle(data)\nsess.run(z, {x: data})\n"),
        ("NAT006", "z = y * np.random.rand()\nsess.run(z, {x: data})\n"),
        ("NAT006", "def noisy(v):\n    return v + np.random.randn()\nz = noisy(y)\nsess.run(z, {x: data})\n"),
        (
            "NAT008",
            "i = tf.global_variables_initializer()\nsess.run(y, {x: data})\nsess.run(i)\nsess.run(y, {x: data})\n",
        ),
        ("NAT008", "tf.add_to_collection('vs', w)\nz = tf.add_n(tf.get_collection('vs'))\nsess.run(z)\n"),
        ("NAT008", "z = tf.add_n(tf.get_collection('losses')) + y\nsess.run(z, {x: data})\n"),
        ("NAT008", "import keras\nkeras.backend.set_session(sess)\nsess.run(y, {x: data})\n"),
        ("NAT001", "tf.summary.text('z', y)\nm = tf.summary.merge_all()\nsess.run(m, {x: data})\n"),
        ("NAT001", "tf.summary.FileWriter('logs').add_session_log(data)\n"),
        ("NAT008", "tf.summary.scalar('z', loss)\ntf.summary.scalar('z', y)\nsess.run(tf.summary.merge_all())\n"),
        ("NAT002", "z = y + 1.\nsess.run(z * y, {x: data, z: data})\n"),
        ("NAT001", "z = tf.nn.rnn_cell.LSTMCell(3, num_proj=2)\nsess.run(y, {x: data})\n"),
        ("NAT001", "tf.train.Saver(sharded=True).save(sess, 'model')\n"),
        ("NAT001", "z = tf.nn.nce_loss(w, w, data, y, 3, 5)\nsess.run(z, {x: data})\n"),
        (
            "NAT009",
            "z = tf.get_variable('z', [2, 1], initializer=tf.contrib.layers.xavier_initializer(False, 1))\n"
            "sess.run(z + y, {x: data})\n",
        ),
        ("NAT001", "z = tf.contrib.rnn.LayerNormBasicLSTMCell(3)\nsess.run(y, {x: data})\n"),
        ("NAT001", "with tf.control_dependencies([train_op]):\n    z = tf.identity(y)\nsess.run(z, {x: data})\n"),
        ("NAT001", "tf.train.Saver(tf.local_variables()).save(sess, 'model')\n"),
    ],
)
def test_what_is_not_certain_is_refused(code: str, lines: str) -> None:
    with pytest.raises(NotNativeError) as refused:
        native(HEAD + MODEL + lines)
    assert refused.value.code == code
