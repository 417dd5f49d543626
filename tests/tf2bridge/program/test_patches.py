"""A program patches names that it gives as a text: it changes what the program sees, and puts it back."""

from __future__ import annotations

import importlib.util
import subprocess
import textwrap
from pathlib import Path

import pytest

from tests import under_run

PROGRAM = """
    import builtins
    import pkgutil
    import random
    from {mock} import patch

    import tensorflow as tf
    from tensorflow.python.ops import variable_scope


    def check_patched(name, seen):
        real = seen()
        with patch(name, "fake"):
            inside = seen() == "fake"
        print(name, inside, seen() is real)


    check_patched("tensorflow.get_variable", lambda: tf.get_variable)
    check_patched("tensorflow.train.Saver", lambda: tf.train.Saver)
    check_patched("tensorflow.train.Saver.save", lambda: tf.train.Saver.save)
    check_patched("tensorflow.python.ops.variable_scope.get_variable", lambda: variable_scope.get_variable)
    check_patched("tensorflow.contrib.layers.conv2d", lambda: tf.contrib.layers.conv2d)
    check_patched("random.random", lambda: random.random)
    check_patched("builtins.input", lambda: input)
    check_patched("builtins.sum", lambda: sum)
    with patch("tensorflow.Session", autospec=False) as session:
        tf.Session()
        print(session.called)
    try:
        patch("tensorflow.no_such_name", 1).start()
    except AttributeError as error:
        print("no_such_name" in str(error))
    print(pkgutil.resolve_name("tensorflow.train:Saver.save") is tf.train.Saver.save)
    print(pkgutil.resolve_name("os.path:join").__name__)
    builtins.profile = lambda function: function
    print(profile(3))
"""
NAMES = (
    "tensorflow.get_variable",
    "tensorflow.train.Saver",
    "tensorflow.train.Saver.save",
    "tensorflow.python.ops.variable_scope.get_variable",
    "tensorflow.contrib.layers.conv2d",
    "random.random",
    "builtins.input",
    "builtins.sum",
)
# As TensorFlow 1.15.5 with Python 3.7 prints them (its pkgutil has no resolve_name).
EXPECTED = [*(f"{name} True True" for name in NAMES), "True", "True", "True", "join", "3"]


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """What `tf2bridge run` prints."""
    return under_run.command(folder, *arguments)


@pytest.mark.parametrize("mock", ["unittest.mock", "mock"])
def test_a_patch_by_text_changes_what_the_program_sees(mock: str, tmp_path: Path) -> None:
    if importlib.util.find_spec(mock) is None:
        pytest.skip(f"no {mock}")
    (tmp_path / "program.py").write_text(textwrap.dedent(PROGRAM).replace("{mock}", mock))
    done = run(tmp_path, "program.py")
    assert done.stdout.splitlines() == EXPECTED, done.stderr


TESTS = """
    import tensorflow as tf


    def test_patched(monkeypatch):
        monkeypatch.setattr("tensorflow.train.Saver", "fake")
        monkeypatch.setattr("builtins.input", lambda: "fake")
        assert (tf.train.Saver, input()) == ("fake", "fake")


    def test_put_back():
        assert tf.train.Saver.__name__ == "Saver"
"""


def test_pytest_patches_by_text(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(textwrap.dedent(TESTS))
    done = run(tmp_path, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_it.py")
    assert "2 passed" in done.stdout, done.stdout + done.stderr
