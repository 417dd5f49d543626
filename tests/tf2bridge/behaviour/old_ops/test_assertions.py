"""`tf.assert_less` and its like raise when, and with what words, they raised in genuine TensorFlow 1.15.5."""

from __future__ import annotations

from tests import forked

PROGRAM = """
from tf2bridge import v1 as tf
tf.enable(api="1.15")
two = tf.constant([2.0])
cases = [
    lambda: tf.assert_less(two, 1.0, message="big"),
    lambda: tf.assert_less(tf.identity(two), 1.0, message="big") and "built",
    lambda: tf.assert_less(tf.cast(tf.identity(two), tf.int32), 1) and "built",
    lambda: tf.assert_negative(two, message="positive"),
    lambda: tf.Session().run(tf.assert_negative(tf.identity(two), None, None, "positive")),
    lambda: tf.assert_integer(two, message="no integer"),
    lambda: tf.assert_integer(two),
    lambda: tf.assert_type(two, tf.int32, message="no integer"),
]
for case in cases:
    try:
        print(case())
    except Exception as error:
        print(type(error).__name__, str(error).splitlines()[0])
"""
GENUINE = """\
InvalidArgumentError big
built
built
InvalidArgumentError positive
InvalidArgumentError assertion failed: [positive] [Condition x < 0 did not hold element-wise:] \
[x (Identity_2:0) = ] [2]
TypeError no integer  Expected "x" to be integer type.  Found: Const:0 of dtype <dtype: 'float32'>
TypeError   Expected "x" to be integer type.  Found: Const:0 of dtype <dtype: 'float32'>
TypeError no integer  Const:0 must be of type <dtype: 'int32'>
"""


def test_conditions_are_found_false_when_they_were() -> None:
    done = forked.run(PROGRAM)
    assert done.stdout == GENUINE, done.stderr
