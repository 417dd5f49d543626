"""What is read from a file up to 1.0: the same text on genuine 0.12.1 and here."""

from __future__ import annotations

import pytest

from tests import forked, oracles

PROGRAM = """
import tempfile
path = tempfile.mkdtemp() + "/text"
with open(path, "wb") as file:
    file.write(b"ab\\xc3\\xa9c\\nde\\n")
for files in (tf.gfile.GFile, tf.gfile.FastGFile):
    for mode in ("r", "rb"):
        print(files(path, mode).read(), files(path, mode).read(3), repr(files(path, mode).readline()))
        print(files(path, mode).readlines(), [line for line in files(path, mode)])
"""
LINES = "['abéc\\n', 'de\\n']"
READ = ["b'ab\\xc3\\xa9c\\nde\\n' b'ab\\xc3' 'abéc\\n'", f"{LINES} {LINES}"] * 4


def test_reading_gives_bytes_and_lines_are_texts() -> None:
    done = forked.run(f"from tf2bridge import v0 as tf, v1\nv1.enable(api='1.0')\n{PROGRAM}")
    assert done.stdout.splitlines()[-8:] == READ, done.stderr


@pytest.mark.oracle
def test_genuine_0_12_gives_the_same() -> None:
    done = oracles.run("0.12.1", f"import tensorflow as tf\n{PROGRAM}")
    assert done.stdout.splitlines()[-8:] == READ, done.stderr
