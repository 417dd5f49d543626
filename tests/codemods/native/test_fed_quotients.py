"""A placeholder that is scaled where it is made is a placeholder, if the program feeds the quotient."""

from __future__ import annotations

import pytest

from codemods.native.fed_quotients import with_fed_quotients

HEAD = "import tensorflow as tf\n"
FED = "sess.run(y, feed_dict={x: rows})\n"
PLACEHOLDER = "tf.placeholder(tf.float32, [None, 2])"


@pytest.mark.parametrize("value", [f"{PLACEHOLDER} / 255.", f"2 * {PLACEHOLDER}", f"{PLACEHOLDER} - 0.5"])
def test_it_is_a_placeholder(value: str) -> None:
    assert with_fed_quotients(f"{HEAD}x = {value}\n{FED}") == f"{HEAD}x = {PLACEHOLDER}\n{FED}"


@pytest.mark.parametrize(
    "text",
    [
        f"x = {PLACEHOLDER} / 255.\nsess.run(y, feed_dict={{z: rows}})\n",
        f"x = tf.placeholder(tf.int32, [2]) / 255\n{FED}",
        f"x = {PLACEHOLDER} / scale\n{FED}",
        f"x = tf.square({PLACEHOLDER})\n{FED}",
    ],
)
def test_it_stays_where_that_is_not_certain(text: str) -> None:
    assert with_fed_quotients(HEAD + text) == HEAD + text
