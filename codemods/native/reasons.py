"""The codes of findings of the target native: what each means, and what a person can do."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Reason:
    """What a code stands for.

    Attributes:
        code: The code.
        summary: What was found, as the beginning of a message.
        advice: What a person can do.
        example: Code that gets this finding; "" for a result, which any program may have.
    """

    code: str
    summary: str
    advice: str
    example: str = ""

    def text(self) -> str:
        """Returns the explanation for people, as `codemods explain` prints it."""
        parts = [f"{self.code} (target native)\n{self.summary}\n", textwrap.fill(self.advice, 100)]
        if self.example:
            parts.append("\nFound in:\n" + textwrap.indent(self.example.rstrip("\n"), "    "))
        return "\n".join(parts)


_ALL = (
    Reason(
        "NAT000",
        "the program became native",
        "It has no sessions, placeholders and graphs any more. --fix writes it, and the map native.toml beside it. "
        "Prove it with tf2bridge replay and a trace of the legacy program.",
    ),
    Reason(
        "NAT001",
        "a part of TensorFlow without a counterpart in TensorFlow 2",
        "Replace it by a part that has one (codemods/native/README.md lists them), or leave the program with sessions: "
        "the target compat makes it run.",
        """\
import tensorflow as tf
x = tf.placeholder(tf.float32, [3])
y = tf.reduce_sum(x)
with tf.Session() as sess:
    coordinator = tf.train.Coordinator()
    print(sess.run(y, {x: [1.0, 2.0, 3.0]}))
""",
    ),
    Reason(
        "NAT002",
        "a call of a session whose fetches or feeds the source does not say",
        "Write what is fetched and fed into the call, as names of tensors, so that it does not depend on the run.",
        """\
import tensorflow as tf
import settings
x = tf.placeholder(tf.float32, [3])
y = tf.reduce_sum(x)
with tf.Session() as sess:
    print(sess.run(settings.FETCHES, {x: [1.0, 2.0, 3.0]}))
""",
    ),
    Reason(
        "NAT003",
        "a tensor that Python code reads",
        "Values exist only in functions of TensorFlow. Fetch the value and use it after the call, or remove the code.",
        """\
import tensorflow as tf
x = tf.placeholder(tf.float32, [3])
y = tf.reduce_sum(x)
if y is None:
    print("nothing")
with tf.Session() as sess:
    print(sess.run(y, {x: [1.0, 2.0, 3.0]}))
""",
    ),
    Reason(
        "NAT004",
        "a graph that grows while the program runs",
        "Build the graph before the loop that runs it, and use its tensors in the loop.",
        """\
import tensorflow as tf
x = tf.placeholder(tf.float32, [3])
w = tf.Variable(1.0)
loss = tf.reduce_sum(x) * w
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(10):
        sess.run(tf.train.GradientDescentOptimizer(0.1).minimize(loss), {x: [1.0, 2.0, 3.0]})
""",
    ),
    Reason(
        "NAT005",
        "variables that a function cannot make once, under names that the source says",
        "Make each variable or layer in a statement of its own, under a name that the source says, and outside of what "
        "runs several times.",
        """\
import sys
import tensorflow as tf
x = tf.placeholder(tf.float32, [1, 3])
with tf.variable_scope(sys.argv[1]):
    w = tf.get_variable("w", [3, 1])
y = tf.matmul(x, w)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(y, {x: [[1.0, 2.0, 3.0]]}))
""",
    ),
    Reason(
        "NAT006",
        "a name that changes between the building of the graph and its runs",
        "A function reads a name when it runs, and the graph read it when it was built. Give the later value a name of "
        "its own.",
        """\
import tensorflow as tf
x = tf.placeholder(tf.float32, [3])
rate = 0.1
y = tf.reduce_sum(x) * rate
with tf.Session() as sess:
    for _ in range(2):
        rate = rate / 2
        print(rate, sess.run(y, {x: [1.0, 2.0, 3.0]}))
""",
    ),
    Reason(
        "NAT007",
        "values that TensorFlow 1 left undetermined",
        "A fetched variable and the op that changes it had no order in TensorFlow 1. Fetch it in a call of its own, "
        "before or after the step.",
        """\
import tensorflow as tf
w = tf.Variable(1.0, use_resource=True)
train_op = tf.train.GradientDescentOptimizer(0.1).minimize(tf.square(w))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run([train_op, w]))
""",
    ),
    Reason(
        "NAT008",
        "a structure of the program that is not known",
        "The message says what is not known at this place. Rearrange it, so that one function, one class or the module "
        "builds the graph, and the sessions run it.",
        """\
import tensorflow as tf
from service import serve
x = tf.placeholder(tf.float32, [3])
y = tf.reduce_sum(x)
sess = tf.Session()
serve(sess, x, y)
""",
    ),
    Reason(
        "NAT009",
        "a name that would be lost",
        "The statement that gives the name would become part of a function, and other code uses the name. Fetch its "
        "value, or move the other code.",
    ),
    Reason(
        "NAT010",
        "an order that TensorFlow 1 left open",
        "This is no refusal. The native program takes all gradients before the first training op of a call, and "
        "computes fetched values before it. If the program relied on another order, change it here.",
        """\
import tensorflow as tf
v = tf.Variable(1.0)
w = tf.Variable(2.0)
first = tf.train.GradientDescentOptimizer(0.1).minimize(tf.square(v) * w, var_list=[v])
second = tf.train.GradientDescentOptimizer(0.1).minimize(tf.square(w) * v, var_list=[w])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run([first, second])
""",
    ),
    Reason(
        "NAT011",
        "a trace decided what the source does not say",
        "This is no refusal. The message says what the recorded run did here. If other runs do something else, such as "
        "feeding other placeholders, the native program fails there; change it here.",
    ),
    Reason(
        "NAT012",
        "a call that the trace did not reach",
        "This is no refusal. The call became native by its source alone, and no recorded call proves it. Record "
        "a run that reaches it.",
    ),
    Reason(
        "NAT013",
        "a print of tensors",
        "This is no refusal. TensorFlow 1 printed what the graph knew of a tensor: its name, type and shape. The "
        "native program has no such tensor outside its functions, and the line is a comment now. Print a value there. "
        "So are the lines that recorded the times of operations with RunMetadata, which tf.profiler records today. "
        "Hooks of an Estimator that only write to its log are left out.",
        """\
import tensorflow as tf
x = tf.placeholder(tf.float32, [3])
y = tf.reduce_sum(x)
print("built", y)
with tf.Session() as sess:
    print(sess.run(y, {x: [1.0, 2.0, 3.0]}))
""",
    ),
    Reason(
        "NAT014",
        "a choice of Keras",
        "This is no refusal. With --idiomatic, an optimizer of Keras stands for one of TensorFlow 1 that computes its "
        "steps otherwise, or the exact class stays, as Keras has nothing for it. The message says how they differ, and "
        "`tf2bridge migrate` measures it. Without --idiomatic, every number is the same.",
    ),
    Reason(
        "NAT015",
        "a model that is made from the recorded graph",
        "This is no refusal. The source could not give the model, and --model-from-graph took the graph of the "
        "recorded run: its operations, shapes and first values. Options that changed the graph, such as a number of "
        "layers, do not change it any more. Record and migrate again for another one.",
    ),
)

REASONS: Mapping[str, Reason] = {reason.code: reason for reason in _ALL}
"""Each code, and what it stands for."""
