"""Private functions take the parameters that they have in genuine 1.15.5."""

from __future__ import annotations

from tests import forked

PROGRAM = """
from tf2bridge import v1 as tf
tf.enable()
function, nest = tf.python.framework.function, tf.python.util.nest

@function.Defun(tf.float32, capture_by_value=True, whitelisted_stateful_ops=set())
def double(x):
    return 2.0 * x

print(tf.Session().run(double(tf.constant(3.0))))
print(nest.flatten_up_to([1, 1], [2, [3, 4]], check_subtrees_length=True))
print(tf.python.ops.control_flow_ops.exit(data=tf.constant(1)).op.type)
try:
    freeze = tf.python.tools.freeze_graph.freeze_graph
    freeze("none", "", True, "", "", "", "", "", True, "", variable_names_blacklist="")
except OSError as error:
    print(error)
"""


def test_old_keywords_are_taken() -> None:
    done = forked.run(PROGRAM)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-4:-1] == ["6.0", "[2, [3, 4]]", "Exit"]
    assert "graph file 'none' does not exist" in done.stdout
