"""A tf_keras that lacks what is changed in it is an error of its own, and no missing name."""

from __future__ import annotations

from tests import forked

PROGRAM = """
import tf2bridge.v1 as tf
from tf_keras.src.engine import compile_utils
del compile_utils.MetricsContainer._get_metric_object
try:
    tf.enable()
except Exception as error:
    print(type(error).__name__, error)
"""


def test_what_is_missing_is_said() -> None:
    done = forked.run(PROGRAM)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.startswith("UnknownKerasError tf_keras 2.")
    assert "cannot be made to work as in TensorFlow 1.x" in done.stdout
