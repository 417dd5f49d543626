"""Boolean flags on the command line, as each genuine release read them."""

from __future__ import annotations

import subprocess

import pytest

from tests import forked, oracles

PROGRAM = """
import tensorflow as tf
{switch}
flags = {tf}.app.flags
flags.DEFINE_boolean("train", True, "")
flags.DEFINE_bool("crop", False, "")
flags.DEFINE_integer("n", 1, "")
def main(argv):
    print(flags.FLAGS.train, flags.FLAGS.crop, flags.FLAGS.n, argv[1:])
{tf}.app.run(main)
"""
SPLIT, BARE, JOINED = "--train False --crop True --n 3", "--notrain --crop --n=3", "--train=false --nocrop"
# What the genuine releases print.
PRINTED = {
    ("0.12.1", SPLIT): "False True 3 []",
    ("1.4.1", SPLIT): "False True 3 []",
    ("1.12.3", SPLIT): "True True 3 ['False', 'True']",
    ("0.12.1", BARE): "False True 3 []",
    ("1.4.1", BARE): "False True 3 []",
    ("1.12.3", BARE): "False True 3 []",
    ("0.12.1", JOINED): "False False 1 []",
    ("1.4.1", JOINED): "False False 1 []",
    ("1.12.3", JOINED): "False False 1 []",
}


@pytest.mark.parametrize("release, arguments", PRINTED)
def test_flags_are_read_as_the_release_read_them(release: str, arguments: str) -> None:
    text = PROGRAM.format(switch=f"import tf2bridge.v1; tf2bridge.v1.enable(api={release!r})", tf="tf.compat.v1")
    done = forked.run(text, *arguments.split())
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == PRINTED[release, arguments]


@pytest.mark.oracle
@pytest.mark.parametrize("release, arguments", PRINTED)
def test_the_genuine_release_reads_them_so(release: str, arguments: str) -> None:
    python = oracles.interpreter(release)
    text = PROGRAM.format(switch="", tf="tf")
    command = [str(python), "-c", text, *arguments.split()]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert done.stdout.strip() == PRINTED[release, arguments]
