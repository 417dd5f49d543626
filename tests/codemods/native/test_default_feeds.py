"""A placeholder with a default is one that each call feeds; see fixtures, `defaults`."""

from __future__ import annotations

import pytest

from codemods.native.default_feeds import with_default_feeds

MADE = "import tensorflow as tf\nx = tf.placeholder(tf.float32)\nt = tf.placeholder_with_default(False, (), name='t')\n"
FED = MADE.replace("tf.placeholder_with_default(False, ()", "tf.compat.v1.placeholder(tf.bool, []")
REST = "keep = tf.placeholder_with_default(1.0, shape=[])\ny = net(x, t, keep)\nz = x + 1\nstep = minimize(y)\n"
KEEP = REST.replace("tf.placeholder_with_default(1.0, shape=[])", "tf.compat.v1.placeholder(tf.float32, [])")


@pytest.mark.parametrize(
    ("run", "fed"),
    [
        ("sess.run(y, {x: 1})", "sess.run(y, {x: 1, t: False, keep: 1.0})"),
        ("sess.run([step, y], feed_dict={x: 1, t: True})", "sess.run([step, y], feed_dict={x: 1, t: True, keep: 1.0})"),
        ("sess.run(y)", "sess.run(y, feed_dict={t: False, keep: 1.0})"),
        ("y.eval()", "y.eval(feed_dict={t: False, keep: 1.0})"),
        ("step.run({x: 1})", "step.run({x: 1, t: False, keep: 1.0})"),
        ("sess.run(z, {x: 1})", "sess.run(z, {x: 1})"),
        (
            "f = {x: 1}\nsess.run(y, f)\nsess.run(step, f)",
            "f = {x: 1, t: False, keep: 1.0}\nsess.run(y, f)\nsess.run(step, f)",
        ),
    ],
)
def test_calls_feed_the_default_of_what_they_need(run: str, fed: str) -> None:
    assert with_default_feeds(f"{MADE}{REST}{run}\n") == f"{FED}{KEEP}{fed}\n"


@pytest.mark.parametrize(
    "text",
    [
        MADE + "y = x + t\nsess.run(y, feeds(x))\n",
        MADE + "y = x + t\nsess.run(y, {x: 1, **more})\n",
        MADE + "y = x + t\nsess.run(y, **options)\n",
        MADE + "y = x + t\nt = 1\nsess.run(y)\n",
        MADE + "y = x + t\ndef run(y):\n    return y\nmodel.run(y)\n",
        MADE.replace("False, ()", "zeros, ()") + "sess.run(t)\n",
        MADE.replace("()", "[None]") + "sess.run(t)\n",
        "import tensorflow as tf\ndef f():\n    t = tf.placeholder_with_default(1, [])\n    return t\n"
        "y = f()\nsess.run(y)\n",
    ],
)
def test_what_the_source_does_not_say_stays(text: str) -> None:
    assert with_default_feeds(text) is None
