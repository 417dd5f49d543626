"""Comparisons of shapes and sizes, and their truth, beside what all genuine releases gave."""

from __future__ import annotations

import json
from pathlib import Path

from fixtures import shape_answers
from tests import forked

OURS = "import json\nfrom tf2bridge import v1 as tf\ntf.enable(api='1.15')\n"
ANSWERS = f"{OURS}from fixtures import shape_answers\nprint(json.dumps(shape_answers.answers()))"
SHORTCUT = f"""{OURS}
x = tf.placeholder(tf.float32, [None, 8])
y = tf.layers.dense(x, 8)
if x.get_shape() != y.get_shape():
    x = tf.layers.dense(x, 8, name="projection")
print([variable.op.name for variable in tf.trainable_variables()], x.get_shape() == x.get_shape())
"""


def test_shapes_and_sizes_compare_as_in_every_release() -> None:
    genuine = json.loads((Path(shape_answers.__file__).parent / "shape_answers.json").read_text("utf-8"))
    done = forked.run(ANSWERS)
    assert json.loads(done.stdout) == genuine, done.stderr


def test_a_program_that_asks_for_unequal_shapes_builds_the_graph_that_it_built() -> None:
    done = forked.run(SHORTCUT)
    names = ["dense/kernel", "dense/bias", "projection/kernel", "projection/bias"]
    assert done.stdout == f"{names} True\n", done.stderr
