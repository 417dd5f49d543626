"""`tf.gfile.Glob`: the same text on genuine 1.15.5 and here."""

from __future__ import annotations

import pytest

from tests import forked, oracles

OURS = "from tf2bridge import v1 as tf\ntf.enable(api='1.15')\n"
PROGRAM = """
import os, tempfile
folder = tempfile.mkdtemp()
os.mkdir(os.path.join(folder, "part"))
open(os.path.join(folder, "part", "b.txt"), "w").close()


def told(found):
    try:
        result = found()
    except tf.errors.OpError as error:
        result = type(error).__name__ + " " + error.message
    print(str(result).replace(folder, "folder"))


for pattern in ("none/*", "none/b.txt", "*/none/b.txt", "*/b.txt", "part/z*", "part/b.txt/*", "none"):
    told(lambda: tf.gfile.Glob(os.path.join(folder, pattern)))
told(lambda: tf.io.gfile.glob([os.path.join(folder, "part", "*"), os.path.join(folder, "none", "*")]))
told(lambda: tf.gfile.Glob(filename="no_such_file"))
told(lambda: tf.train.checkpoint_exists(os.path.join(folder, "none", "model")))
told(lambda: tf.train.latest_checkpoint(os.path.join(folder, "none")))
tf.Variable(1.0, name="v")
session, saver = tf.Session(), tf.train.Saver()
session.run(tf.global_variables_initializer())
told(lambda: saver.restore(session, saver.save(session, os.path.join(folder, "model")).encode()))
told(lambda: saver.restore(session, os.path.join(folder, "none", "model")))
"""
PRINTED = """\
NotFoundError folder/none; No such file or directory
NotFoundError folder/none; No such file or directory
[]
['folder/part/b.txt']
[]
FailedPreconditionError folder/part/b.txt; Not a directory
[]
NotFoundError folder/none; No such file or directory
[]
NotFoundError folder/none; No such file or directory
None
None
NotFoundError folder/none; No such file or directory
"""


def test_a_folder_that_is_not_there_is_an_error() -> None:
    done = forked.run(OURS + PROGRAM)
    assert done.stdout == PRINTED, done.stderr


@pytest.mark.oracle
def test_the_genuine_release_prints_this() -> None:
    done = oracles.run("1.15.5", "import tensorflow as tf\n" + PROGRAM)
    assert done.stdout == PRINTED, done.stderr
