"""Private functions take the parameters that they have in genuine 1.15.5, and compute what they compute there."""

from __future__ import annotations

from tests import forked

PROGRAM = """
from tf2bridge import v1 as tf
tf.enable()
function, nest = tf.python.framework.function, tf.python.util.nest
session = tf.Session()

@function.Defun(tf.float32, capture_by_value=True, whitelisted_stateful_ops=set())
def double(x):
    return 2.0 * x

print(session.run(double(tf.constant(3.0))))
print(nest.flatten_up_to([1, 1], [2, [3, 4]], check_subtrees_length=True))
print(tf.python.ops.control_flow_ops.exit(data=tf.constant(1)).op.type)
try:
    freeze = tf.python.tools.freeze_graph.freeze_graph
    freeze("none", "", True, "", "", "", "", "", True, "", variable_names_blacklist="")
except OSError as error:
    print(error)
loss = tf.python.ops.gen_nn_ops.softmax_cross_entropy_with_logits(features=[[1.0, 2.0]], labels=[[0.0, 1.0]])
print(*["%.4f" % number for value in session.run(loss) for number in value.flat])
parts = tf.python.ops.gen_array_ops.split_v(value=[1, 2, 3], size_splits=[1, 2], axis=0, num_split=2)
print([part.tolist() for part in session.run(parts)])
print(session.run(tf.python.ops.math_ops.bincount([1, 1, 2], minlength=4)).tolist())
print(tf.python.debug.WatchOptions(node_name_regex_whitelist="a.*").node_name_regex_allowlist)
"""


def test_old_keywords_are_taken_and_generated_functions_are_the_ops() -> None:
    done = forked.run(PROGRAM)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-8:] == [
        "6.0",
        "[2, [3, 4]]",
        "Exit",
        "Input graph file 'none' does not exist!",
        "0.3133 0.2689 -0.2689",
        "[[1], [2, 3]]",
        "[0, 2, 1, 0]",
        "a.*",
    ]
