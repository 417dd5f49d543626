"""`type(x) == tf.Tensor` in programs, and the errors they look for; genuine 1.15.5 prints the same."""

from __future__ import annotations

from pathlib import Path

from tests import under_run

PROGRAM = """
import tensorflow as tf
x = tf.add(1, 2)
print(type(x) == tf.Tensor, type(x).__name__, type(1), isinstance(tf.Tensor, type), type("A", (), {}).__name__)
try:
    tf.truncated_normal_initializer(dtype=tf.int32)
except ValueError as error:
    print(error)
"""


def test_types_of_tensors_and_words_of_errors(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    done = under_run.command(tmp_path, program.name)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "True Tensor <class 'int'> True A",
        "Expected floating point type, got <dtype: 'int32'>.",
    ]
