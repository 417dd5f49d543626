"""What scopes, assertions and NumPy make of their arguments in each release; the genuine ones print the same."""

from __future__ import annotations

import pytest

from tests import forked

BEGIN = """
import sys
import numpy as np
from tf2bridge import v1 as tf
tf.enable(api=sys.argv[1])
"""
SCOPES = """
v = tf.get_variable("v", [2])
with tf.name_scope(None, "d", [v]) as scope:
    print(scope)
try:
    with tf.name_scope("a", [v]) as scope:
        print(scope)
except TypeError:
    print("refused")
"""
ARRAYS = """
v = tf.get_variable("v", [2], use_resource=True)
print(np.array_equal(v, v), np.array(v).dtype, np.array(v).shape, np.array([v, v])[1] is v)
"""
ASSERTIONS = """
made = []
for check in (tf.assert_positive, lambda x: tf.assert_less_equal(x, -2), lambda x: tf.assert_equal(x, 3)):
    try:
        check(tf.constant([-1]))
        made.append("built")
    except (ValueError, tf.errors.InvalidArgumentError):
        made.append("refused")
print(*made)
"""
SAVERS = """
tf.Variable(1.0)
scaffold = tf.train.Scaffold().finalize()
print(isinstance(scaffold.saver, tf.train.Saver), isinstance(3, tf.train.Saver))
"""


@pytest.mark.parametrize(("api", "printed"), [("1.4", "d/\na/"), ("1.12", "d/\na/"), ("1.15", "d/\nrefused")])
def test_up_to_1_13_tensors_may_stand_in_the_place_of_the_default_name(api: str, printed: str) -> None:
    done = forked.run(BEGIN + SCOPES, api)
    assert done.stdout.strip() == printed, done.stderr


@pytest.mark.parametrize("api", ["1.4", "1.15"])
def test_a_variable_of_a_graph_is_an_object_of_numpy(api: str) -> None:
    done = forked.run(BEGIN + ARRAYS, api)
    assert done.stdout.strip() == "True object () True", done.stderr


@pytest.mark.parametrize(
    ("api", "printed"),
    [
        ("0.12", "built built built"),
        ("1.4", "built built refused"),
        ("1.12", "built built refused"),
        ("1.15", "refused refused refused"),
    ],
)
def test_assertions_of_constants_fail_where_the_release_found_out(api: str, printed: str) -> None:
    done = forked.run(BEGIN.replace("v1", "v0" if api == "0.12" else "v1") + ASSERTIONS, api)
    assert done.stdout.strip() == printed, done.stderr


def test_a_saver_that_tensorflow_makes_is_one_of_the_namespace() -> None:
    done = forked.run(BEGIN + SAVERS, "1.15")
    assert done.stdout.strip() == "True False", done.stderr
