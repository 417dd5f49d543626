"""What a training session says of a directory or a checkpoint that it cannot use; it ends at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.forked import run

# argv: the class, the log directory, and what is wrong. Saves at each step; the errors' classes come last.
PROGRAM = """
import resource, sys
import tensorflow.compat.v1 as tf
from tf2bridge import train

kind, logdir, wrong = sys.argv[1:]

def steps(shapes):
    with tf.Graph().as_default():
        for name, shape in shapes.items():
            tf.get_variable(name, shape, initializer=tf.zeros_initializer())
        step = tf.train.get_or_create_global_step()
        advance = tf.assign_add(step, 1)
        if kind == "MonitoredTrainingSession":
            with train.MonitoredTrainingSession(checkpoint_dir=logdir, save_checkpoint_steps=1) as session:
                for _ in range(4):
                    print("step", session.run(advance))
        else:
            supervisor = train.Supervisor(logdir=logdir, save_model_secs=0, save_summaries_secs=0)
            with supervisor.managed_session() as session:
                for _ in range(4):
                    print("step", session.run(advance))
                    supervisor.saver.save(session, supervisor.save_path, supervisor.global_step)

try:
    if wrong == "disk":
        steps({"a": [100_000]})
        resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
        steps({"a": [100_000]})
    steps({"a": [2], "b": [3]})
    steps({"a": [2], "c": [3]} if wrong == "names" else {"a": [2], "b": [4]})
except Exception as error:
    print(*(each.__name__ for each in type(error).__mro__[:3]))
    print(error)
    sys.exit(7)
"""


@pytest.fixture(params=["Supervisor", "MonitoredTrainingSession"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def refused(kind: str, logdir: Path, wrong: str) -> tuple[str, str]:
    """The classes of the error that ends the program, and its text."""
    done = run(PROGRAM, kind, str(logdir), wrong)
    assert done.returncode == 7, done.stdout + done.stderr[-2000:]
    classes, text = [line for line in done.stdout.splitlines() if not line.startswith("step")]
    return classes, text


def test_a_checkpoint_of_another_graph(kind: str, tmp_path: Path) -> None:
    classes, text = refused(kind, tmp_path, "names")
    assert classes == "CheckpointOfAnotherGraphError BridgeError NotFoundError"
    assert text.startswith(f"{tmp_path}/model.ckpt-4 is a checkpoint of another graph: it lacks c, and has b, which")
    assert text.endswith("Key c not found in checkpoint")


def test_a_checkpoint_of_other_shapes(kind: str, tmp_path: Path) -> None:
    classes, text = refused(kind, tmp_path, "shapes")
    assert classes == "CheckpointOfOtherShapesError BridgeError InvalidArgumentError"
    assert "b is [3] there and [4] in this graph" in text
    assert text.endswith("Assign requires shapes of both tensors to match.")


def test_a_directory_that_cannot_be_made(kind: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for logdir in (tmp_path / "file", tmp_path / "file/below", Path("/proc/here")):
        classes, text = refused(kind, logdir, "")
        assert classes == "LogDirectoryError BridgeError FailedPreconditionError"
        assert text.startswith(f"{logdir}: this program cannot write")


def test_a_disk_that_is_full_is_not_the_end_of_the_input(kind: str, tmp_path: Path) -> None:
    """With TensorFlow's own classes the training ends in peace: EFBIG is an OutOfRangeError."""
    classes, text = refused(kind, tmp_path, "disk")
    assert classes == "CheckpointNotSavedError BridgeError ResourceExhaustedError"
    assert "File too large" in text
    assert f"the last whole checkpoint is {tmp_path}/model.ckpt-4" in text


def test_outside_of_a_graph(kind: str) -> None:
    code = f"from tf2bridge import train\ntry:\n    train.{kind}()\nexcept RuntimeError as error:\n    print(error)\n"
    assert run(code).stdout.startswith(f"{kind} runs a graph, and this is eager code outside any graph")


EMPTY = """
import sys
import tensorflow.compat.v1 as tf
from tf2bridge import train

path = sys.argv[1] + "/model"
with tf.Graph().as_default(), tf.Session() as session:
    tf.get_variable("a", [2], initializer=tf.zeros_initializer())
    session.run(tf.global_variables_initializer())
    train.Saver().save(session, path)
with tf.Graph().as_default(), tf.Session() as session:
    print(train.Saver(allow_empty=True).restore(session, path), tf.train.Saver(allow_empty=True).restore(session, path))
"""


def test_a_saver_of_nothing_restores_nothing(tmp_path: Path) -> None:
    done = run(EMPTY, str(tmp_path))
    assert done.stdout == "None None\n", done.stderr[-2000:]
